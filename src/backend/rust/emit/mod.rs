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

use super::model::Model;
use super::runtime;
use super::source::Fragment;

/// A module: its file under `src/`, without the extension, and its code piece by piece.
pub(super) type Module<'a> = (&'static str, Box<dyn Iterator<Item = Fragment<'a>> + 'a>);

pub(super) use errors::own_members;
pub(super) use library::{Split, library};

/// All modules but the library's root.
pub(super) fn modules<'a>(model: &'a Model<'_>) -> Vec<Module<'a>> {
    let errors = errors::errors(&model.scope);
    let catalogue = catalogue::catalogue(&model.scope);
    let mut modules: Vec<Module<'a>> = vec![
        parts("types", types::head(), types::types(model)),
        parts("codecs", codecs::head(), codecs::codecs(model)),
        whole("methods", methods::methods(model)),
    ];
    // Macros are of the whole crate, in which there may be several single files.
    if model.scope.options.single_file.is_none() {
        modules.insert(1, whole("table", table::table(model)));
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
