//! The modules of the package that depend on the schema. Each file reads like the code it emits.

mod catalogue;
mod codecs;
mod connections;
mod dispatch;
mod errors;
mod handlers;
mod handles;
mod helpers;
mod hosts;
mod library;
mod methods;
mod payloads;
mod progress;
mod remote;
mod states;
mod table;
mod types;

use proc_macro2::TokenStream;

use super::model::{self, Model, Scope};
use super::runtime;
use super::source::Fragment;
use crate::ir::{Findings, TypeDef};

/// A module: its file under `src/`, without the extension, and its code piece by piece.
pub(super) type Module<'a> = (&'static str, Box<dyn Iterator<Item = Fragment<'a>> + 'a>);

pub(super) use library::{Split, library};

/// The code of a definition.
pub(super) struct Definition<'a> {
    /// Its types.
    pub(super) types: Fragment<'a>,
    /// How they become JSON and come from it, where that is not known otherwise.
    pub(super) codecs: Option<Fragment<'a>>,
}

impl<'a> Definition<'a> {
    /// Decides about a definition, and reports names that meet in it.
    pub(super) fn new(
        scope: &Scope<'a>,
        wire: &'a str,
        def: &'a TypeDef,
        findings: &mut Findings,
    ) -> Self {
        let model = model::type_model(scope, wire, def, findings);
        let codecs = codecs::codec(&model).map(|code| Fragment::new(wire, code));
        Self { types: Fragment::new(wire, types::definition(&model, scope.options)), codecs }
    }
}

/// The beginnings of the two modules that definitions stand in: their types, and their codecs.
pub(super) fn heads<'a>() -> [Fragment<'a>; 2] {
    [Fragment::new("types", types::head()), Fragment::new("codecs", codecs::head())]
}

/// All modules but the library's root and those of definitions.
pub(super) fn modules<'a>(model: &'a Model<'_>) -> Vec<Module<'a>> {
    let errors = errors::errors(&model.scope);
    let catalogue = catalogue::catalogue(&model.scope);
    let mut modules: Vec<Module<'a>> = vec![whole("methods", methods::methods(model))];
    // Macros are of the whole crate, in which there may be several single files.
    if model.scope.options.single_file.is_none() {
        modules.push(whole("table", table::table(&model.scope)));
    }
    modules.extend(errors.map(|errors| whole("errors", errors)));
    if model.has_sides() {
        modules.push(parts("handlers", handlers::head(), handlers::handlers(model)));
        modules.push(parts("dispatch", dispatch::head(model), dispatch::dispatch(model)));
        let connections = connections::connections(model);
        modules.push(parts("connections", connections::head(model), connections));
        let hosts = hosts::hosts(model).filter(|_| runtime::is_driven(model));
        modules.extend(hosts.map(|hosts| whole("hosts", hosts)));
    }
    modules.extend(payloads::payloads(model).map(|payloads| whole("payloads", payloads)));
    if !model.states.is_empty() {
        modules.push(parts("states", states::head(), states::states(model)));
    }
    modules.extend(catalogue.map(|catalogue| whole("catalogue", catalogue)));
    modules
}

/// A module of one piece.
pub(super) fn whole<'a>(name: &'static str, tokens: TokenStream) -> Module<'a> {
    (name, Box::new(std::iter::once(Fragment::new(name, tokens))))
}

fn parts<'a>(
    name: &'static str,
    head: TokenStream,
    parts: impl Iterator<Item = Fragment<'a>> + 'a,
) -> Module<'a> {
    (name, Box::new(std::iter::once(Fragment::new(name, head)).chain(parts)))
}
