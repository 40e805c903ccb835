//! Modules that offer what others have.

use serde::Serialize;

use super::imports::{Import, Imports, compare};
use super::literals;
use super::modules::Modules;

/// What a module offers of others, while it is collected.
#[derive(Debug, Default)]
pub(super) struct Reexports<'n> {
    /// The imports that are made at once.
    pub(super) imports: Imports,
    /// What is imported once it is asked for, as type checkers see it.
    late: Imports,
    /// The names that are imported late, and the modules that they then come from.
    late_names: Vec<(&'n str, &'static str)>,
    all: Vec<&'n str>,
}

/// What a module offers of others.
#[derive(Debug, Serialize)]
pub(crate) struct ReexportsModel {
    imports: Vec<Import>,
    /// The imports that are made once they are asked for: to type checkers, with the others.
    late_imports: Vec<Import>,
    /// The names that are imported late and the modules that they come from, as literals.
    late: Vec<[String; 2]>,
    /// All exported names as literals.
    all: Vec<String>,
    /// The names themselves.
    #[serde(skip)]
    pub(crate) names: Vec<String>,
}

impl<'n> Reexports<'n> {
    /// Offers names that are there already.
    pub(super) fn list(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.all.extend(names);
    }

    /// Offers names of a module.
    pub(super) fn add(&mut self, module: &'static str, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            self.imports.own(module, name);
            self.all.push(name);
        }
    }

    /// Offers names of a module, which is imported once one of them is asked for.
    pub(super) fn add_late(
        &mut self,
        module: &'static str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        self.add_late_by(module, module, names);
    }

    /// Offers names that come with another module than the one that defines them.
    pub(super) fn add_late_by(
        &mut self,
        by: &'static str,
        module: &'static str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        for name in names {
            self.late.own(module, name);
            self.late_names.push((name, by));
            self.all.push(name);
        }
    }

    /// Offers old names. Who takes everything (`import *`) gets none, and no warnings of them.
    pub(super) fn add_old(
        &mut self,
        module: &'static str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        for name in names {
            self.late.own(module, &format!("{name} as {name}"));
            self.late_names.push((name, module));
        }
    }

    /// Completes what the module `here` offers.
    pub(super) fn finish(mut self, modules: &Modules, here: &str) -> ReexportsModel {
        if !self.late_names.is_empty() {
            self.imports.typing("TYPE_CHECKING");
            self.imports.own("runtime/late", "late as _late");
        }
        self.late_names.sort_by(|(a, _), (b, _)| compare(a, b));
        self.all.sort_by(|a, b| compare(a, b));
        let late = |(name, module): &(&str, &str)| {
            [literals::string(name), literals::string(&modules.import(here, module))]
        };
        ReexportsModel {
            imports: self.imports.statements(modules, here),
            late_imports: self.late.statements(modules, here),
            late: self.late_names.iter().map(late).collect(),
            all: self.all.iter().map(|name| literals::string(name)).collect(),
            names: self.all.into_iter().map(str::to_owned).collect(),
        }
    }
}
