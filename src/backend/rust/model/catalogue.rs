//! Catalogue entries.

use proc_macro2::Ident;
use quote::format_ident;

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names::{self, SideNames};
use crate::diagnostic::Diagnostics;
use crate::ir::{Catalogue, Presence, TypeKind};

/// The requests that call catalogue entries.
#[derive(Debug)]
pub(crate) struct CatalogueModel {
    /// The type by which the request is called, and the method that calls it.
    pub peer: Ident,
    pub method: Ident,
    /// The type of its params, and whether it is made of the input first.
    pub params: Ident,
    pub input_first: bool,
    /// The field of the result that holds what came out.
    pub output: Ident,
    pub entries: Vec<EntryModel>,
}

/// A catalogue entry.
#[derive(Debug)]
pub(crate) struct EntryModel {
    pub ident: Ident,
    /// The name in messages.
    pub name: String,
    pub docs: DocComment,
    pub input: Ident,
    pub output: Ident,
}

/// Decides the catalogue, if there is one.
pub(super) fn catalogue(
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<CatalogueModel> {
    let protocol = scope.protocol;
    let catalogue = protocol.catalogue.as_ref()?;
    let (method, side) = protocol.catalogue_method(catalogue)?;
    let Catalogue { input_in, output_in, entries, .. } = catalogue;
    let crate::ir::Type::Named { name: params } = protocol.resolve(method.params()) else {
        return None;
    };
    let TypeKind::Record(record) = &protocol.type_def(params)?.kind else { return None };
    let first = record.fields.iter().find(|field| field.presence == Presence::Required)?;
    let mut names = Namespace::new("catalogue calls in Rust");
    let entries = entries.iter().map(|entry| {
        let plain = names::value(&entry.name);
        let ident = if plain == "new" { format_ident!("new_") } else { plain };
        names.claim(&ident.to_string(), &entry.name.wire, &entry.place, diagnostics);
        EntryModel {
            ident,
            name: entry.name.wire.clone(),
            docs: DocComment::new(&entry.docs, scope.options),
            input: scope.ident(&entry.input),
            output: scope.ident(&entry.output),
        }
    });
    Some(CatalogueModel {
        peer: SideNames::new(&side.name).peer,
        method: names::value(&method.name),
        params: scope.ident(params),
        input_first: first.name.wire == *input_in,
        output: names::value(&protocol.field(method.result()?, output_in)?.name),
        entries: entries.collect(),
    })
}
