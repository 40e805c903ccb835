//! Where a trait was lost that a type has only if all types in it do.

use indexmap::IndexMap;

use super::context::Context;
use super::subject::Group;
use crate::backend::api::{Declaration, DeclarationKind, Origin};
use crate::ir::cycles;

/// The parts that the loss of a trait follows from: those of each definition in the type that has
/// lost it and holds no other that has. Where nothing was found about these it is the type's own.
pub(super) fn about(old: &Declaration, base: &str, context: &Context<'_>) -> Vec<Group> {
    let own = context.subjects.of(old, None, &[base]);
    let Origin::Type(ty) = &old.of else { return own };
    let mut found: IndexMap<&str, &Declaration> = IndexMap::new();
    let mut next = context.subjects.held(ty);
    while let Some(name) = next.pop() {
        if name == ty || found.contains_key(name) {
            continue;
        }
        if let Some(declaration) = lost(name, base, context) {
            found.insert(name, declaration);
            next.extend(context.subjects.held(name));
        }
    }
    let held = |name: &&str| {
        let held = context.subjects.held(name).into_iter();
        held.filter_map(|name| found.get_index_of(name)).collect()
    };
    let edges: Vec<Vec<usize>> = found.keys().map(held).collect();
    let cycles = cycles(&edges);
    let is_root = |at: usize| {
        let own = cycles.get(at).copied().flatten();
        let is_beside =
            |other: &usize| own.is_some() && cycles.get(*other).copied().flatten() == own;
        edges.get(at).is_none_or(|held| held.iter().all(is_beside))
    };
    let roots = found.values().enumerate().filter(|(at, _)| is_root(*at));
    let of = |root: &Declaration| context.subjects.of(root, None, &[base]);
    let mut groups: Vec<Group> = roots.flat_map(|(_, root)| of(root)).collect();
    if groups.is_empty() {
        return own;
    }
    for group in &mut groups {
        group.extend(own.iter().flatten().cloned());
    }
    groups
}

/// The declaration of a definition that may have lost the trait: it has it no more, and is new, or
/// had it. What an alias stands for is not known from it.
fn lost<'a>(name: &str, base: &str, context: &Context<'a>) -> Option<&'a Declaration> {
    let origin = &Origin::Type(name.to_owned());
    let has = |declaration: &Declaration| declaration.bases.iter().any(|each| each == base);
    let mut new = context.declared[1].of(origin).map(|(_, declaration)| declaration);
    let is_alias = |declaration: &Declaration| declaration.kind == DeclarationKind::Alias;
    let without = new.find(|declaration| !has(declaration))?;
    let mut old = context.declared[0].of(origin).map(|(_, declaration)| declaration).peekable();
    let had =
        old.peek().is_none() || old.any(|declaration| has(declaration) || is_alias(declaration));
    had.then_some(without)
}
