//! Imports of a generated module: exactly the names it uses, in the formatter's order.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::modules::Modules;

/// The names a module uses, by where they come from.
#[derive(Debug, Default)]
pub(super) struct Imports {
    names: BTreeMap<(Group, &'static str), BTreeSet<String>>,
    /// The modules that are used themselves, each with its name here.
    modules: BTreeSet<(&'static str, &'static str)>,
}

/// The groups of imports, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Standard,
    Installed,
    Own,
}

impl Imports {
    /// A name of the standard library's `typing`.
    pub(super) fn typing(&mut self, name: &str) {
        self.add(Group::Standard, "typing", name);
    }

    /// A name of `collections.abc`.
    pub(super) fn collections(&mut self, name: &str) {
        self.add(Group::Standard, "collections.abc", name);
    }

    /// A name of another module of the standard library.
    pub(super) fn standard(&mut self, module: &'static str, name: &str) {
        self.add(Group::Standard, module, name);
    }

    /// A name of `msgspec`.
    pub(super) fn msgspec(&mut self, name: &str) {
        self.add(Group::Installed, "msgspec", name);
    }

    /// A name of another module of the package or of the runtime: of `enums`, `runtime/codec`.
    pub(super) fn own(&mut self, module: &'static str, name: &str) {
        self.add(Group::Own, module, name);
    }

    /// Another module of the package or of the runtime, by a name here.
    pub(super) fn module(&mut self, module: &'static str, name: &'static str) {
        self.modules.insert((module, name));
    }

    fn add(&mut self, group: Group, module: &'static str, name: &str) {
        let names = self.names.entry((group, module)).or_default();
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    }

    /// Adds what another needs.
    pub(super) fn extend(&mut self, other: Self) {
        for (module, names) in other.names {
            self.names.entry(module).or_default().extend(names);
        }
        self.modules.extend(other.modules);
    }

    /// Splits off what only type checkers import, because it imports this module itself. All else
    /// is there at run time: whoever asks for the types of parameters finds them.
    fn split(&mut self) -> Self {
        let (split, kept) = std::mem::take(&mut self.names)
            .into_iter()
            .partition(|((_, module), _)| *module == "connections");
        self.names = kept;
        Self { names: split, modules: BTreeSet::new() }
    }

    /// The import statements of the module `here`: what comes from afar first in each group; what
    /// has another name here in a statement of its own.
    pub(super) fn statements(&self, modules: &Modules, here: &str) -> Vec<Import> {
        let group = |module| if modules.is_apart(module) { Group::Installed } else { Group::Own };
        let mut plain: BTreeMap<_, BTreeSet<MemberKey>> = BTreeMap::new();
        let mut statements = Vec::new();
        let mut add = |group, from: String, name: &str, alias: Option<&str>| match alias {
            Some(alias) => {
                let names = vec![format!("{name} as {alias}")];
                statements.push((Origin::new(group, &from), MemberKey::new(name), from, names));
            }
            None => _ = plain.entry((group, from)).or_default().insert(MemberKey::new(name)),
        };
        for ((from, module), names) in &self.names {
            let (group, from) = match from {
                Group::Own => (group(module), modules.import(here, module)),
                other => (*other, (*module).to_owned()),
            };
            for whole in names {
                let (name, alias) = whole.split_once(" as ").unzip();
                add(group, from.clone(), name.unwrap_or(whole), alias);
            }
        }
        for (module, alias) in &self.modules {
            let (from, name) = modules.import_itself(here, module);
            add(group(module), from, &name, Some(*alias).filter(|alias| *alias != name));
        }
        for ((group, from), names) in plain {
            let Some(first) = names.first().cloned() else { continue };
            let names = names.into_iter().map(MemberKey::name).collect();
            statements.push((Origin::new(group, &from), first, from, names));
        }
        statements.sort();
        let mut last = None;
        let import = |(origin, _, module, names): (Origin, MemberKey, String, Vec<String>)| {
            let begins_group = last.replace(origin.0).is_some_and(|last| last != origin.0);
            Import { module, names, begins_group }
        };
        statements.into_iter().map(import).collect()
    }
}

/// The order of modules that names come from.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Origin(Group, Reverse<usize>, Natural, Natural);

impl Origin {
    fn new(group: Group, module: &str) -> Self {
        let name = module.trim_start_matches('.');
        let distance = Reverse(module.len() - name.len());
        Self(group, distance, Natural::new(name.to_ascii_lowercase()), Natural::new(name))
    }
}

/// An import statement.
#[derive(Debug, Serialize)]
pub(crate) struct Import {
    module: String,
    names: Vec<String>,
    /// True if an empty line stands before it.
    begins_group: bool,
}

/// The imports of a module, and those of type checkers alone.
#[derive(Debug, Serialize)]
pub(crate) struct ModuleImports {
    all: Vec<Import>,
    guarded: Vec<Import>,
}

/// The imports of a module, while they are collected.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// The imports that annotations need.
    pub(super) annotations: Imports,
    /// The imports that are needed when the module runs.
    pub(super) runtime: Imports,
}

impl Used {
    /// Completes the imports of the module `here`.
    pub(super) fn finish(mut self, modules: &Modules, here: &str) -> ModuleImports {
        let guarded = self.annotations.split().statements(modules, here);
        self.runtime.extend(self.annotations);
        if !guarded.is_empty() {
            self.runtime.typing("TYPE_CHECKING");
        }
        ModuleImports { all: self.runtime.statements(modules, here), guarded }
    }
}

/// The order of names in `__all__`: constants, then classes, then the rest; in each, runs of
/// digits count as numbers. In an import, letters of either case are alike besides.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    kind(a).cmp(&kind(b)).then_with(|| natural(a, b)).then_with(|| a.cmp(b))
}

fn kind(name: &str) -> u8 {
    if name.len() > 1 && !name.contains(|letter: char| letter.is_ascii_lowercase()) {
        0
    } else if name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        1
    } else {
        2
    }
}

/// A name in an import, in the order of those.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct MemberKey(u8, Natural, Natural);

impl MemberKey {
    fn new(name: &str) -> Self {
        Self(kind(name), Natural::new(name.to_ascii_lowercase()), Natural::new(name))
    }

    fn name(self) -> String {
        self.2.0
    }
}

/// Text in which runs of digits count as numbers.
#[derive(Clone, PartialEq, Eq)]
struct Natural(String);

impl Natural {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Ord for Natural {
    /// Names that differ in leading zeros alone are still two.
    fn cmp(&self, other: &Self) -> Ordering {
        natural(&self.0, &other.0).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(first), Some(second)) = (a.first(), b.first()) else {
            return a.len().cmp(&b.len());
        };
        if first.is_ascii_digit() && second.is_ascii_digit() {
            let (left, left_rest) = digits(a);
            let (right, right_rest) = digits(b);
            let order = left.len().cmp(&right.len()).then_with(|| left.cmp(right));
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (left_rest, right_rest);
        } else {
            if first != second {
                return first.cmp(second);
            }
            (a, b) = (a.get(1..).unwrap_or_default(), b.get(1..).unwrap_or_default());
        }
    }
}

/// A run of digits without leading zeros, and what follows it.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    let zeros = run.iter().take_while(|byte| **byte == b'0').count();
    (run.get(zeros..).unwrap_or_default(), rest)
}
