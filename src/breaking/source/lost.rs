//! Where a trait was lost that a type has only if all types in it do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexSet;

use super::declared::Declared;
use super::subject::{Group, Subjects};
use crate::backend::api::{Declaration, DeclarationKind, Origin};
use crate::ir::cycles;

/// For each trait that was asked for, the definitions that may have lost it.
#[derive(Default)]
pub(super) struct Losses {
    known: RefCell<HashMap<String, Rc<Lost>>>,
}

/// The definitions that may have lost a trait.
struct Lost {
    names: IndexSet<String>,
    /// The definitions among them that each holds, by their positions.
    held: Vec<Vec<usize>>,
    /// True for each that holds no other of them, but for those that hold it, too.
    is_root: Vec<bool>,
}

impl Losses {
    /// The parts that the loss of a trait follows from: those of each definition in the type that has
    /// lost it and holds no other that has. Where nothing was found about these it is the type's own.
    pub(super) fn about(
        &self,
        old: &Declaration,
        base: &str,
        declared: &[Declared<'_>; 2],
        subjects: &Subjects<'_>,
    ) -> Vec<Group> {
        let own = subjects.subjects_of(old, None, &[base]);
        let Origin::Type(ty) = &old.of else { return own };
        let lost = self.lost_with(base, declared, subjects);
        let mut seen = vec![false; lost.held.len()];
        let held = subjects.held(ty);
        let mut next: Vec<usize> =
            held.into_iter().filter_map(|name| lost.names.get_index_of(name)).collect();
        let mut groups: Vec<Group> = Vec::new();
        while let Some(at) = next.pop() {
            let (Some(seen), Some(name)) = (seen.get_mut(at), lost.names.get_index(at)) else {
                continue;
            };
            if std::mem::replace(seen, true) || name == ty {
                continue;
            }
            next.extend(lost.held.get(at).into_iter().flatten());
            if lost.is_root.get(at) == Some(&true) {
                let root = declaration(name, base, declared);
                groups.extend(
                    root.into_iter().flat_map(|it| subjects.subjects_of(it, None, &[base])),
                );
            }
        }
        if groups.is_empty() {
            return own;
        }
        for group in &mut groups {
            group.extend(own.iter().flatten().cloned());
        }
        groups
    }

    fn lost_with(
        &self,
        base: &str,
        declared: &[Declared<'_>; 2],
        subjects: &Subjects<'_>,
    ) -> Rc<Lost> {
        let new = || Rc::new(Lost::new(base, declared, subjects));
        Rc::clone(self.known.borrow_mut().entry(base.to_owned()).or_insert_with(new))
    }
}

impl Lost {
    fn new(base: &str, declared: &[Declared<'_>; 2], subjects: &Subjects<'_>) -> Self {
        let lost = subjects.new_types().filter(|name| declaration(name, base, declared).is_some());
        let names: IndexSet<String> = lost.map(str::to_owned).collect();
        let held = |name: &String| {
            let held = subjects.held(name).into_iter();
            held.filter_map(|name| names.get_index_of(name)).collect()
        };
        let held: Vec<Vec<usize>> = names.iter().map(held).collect();
        let cycles = cycles(&held);
        let is_root = held.iter().zip(&cycles).map(|(held, own)| {
            held.iter().all(|other| own.is_some() && cycles.get(*other) == Some(own))
        });
        Self { is_root: is_root.collect(), names, held }
    }
}

/// The declaration of a definition that may have lost a trait: it does not have it, and is new, or
/// had it. What an alias stands for is not known from it.
fn declaration<'a>(
    name: &str,
    base: &str,
    [old, new]: &[Declared<'a>; 2],
) -> Option<&'a Declaration> {
    let origin = &Origin::Type(name.to_owned());
    let has = |declaration: &Declaration| declaration.bases.iter().any(|each| each == base);
    let is_alias = |declaration: &Declaration| declaration.kind == DeclarationKind::Alias;
    let mut new = new.with_origin(origin).map(|(_, declaration)| declaration);
    let without = new.find(|declaration| !has(declaration))?;
    let mut old = old.with_origin(origin).map(|(_, declaration)| declaration).peekable();
    let had =
        old.peek().is_none() || old.any(|declaration| has(declaration) || is_alias(declaration));
    had.then_some(without)
}
