//! What is called by name.

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident, literal};
use crate::diagnostic::Diagnostics;
use crate::ir::{Catalogue, Presence, TypeKind};

/// The calls by name.
#[derive(Debug)]
pub(in crate::backend::rust) struct CatalogueModel {
    /// The type by which the request is called, and the method that calls it.
    pub peer: String,
    pub method: String,
    /// The type of its params, and whether it is made of the input first.
    pub params: String,
    pub input_first: bool,
    /// The field of the result that holds what came out.
    pub output: String,
    pub entries: Vec<EntryModel>,
}

/// One thing that is called by name.
#[derive(Debug)]
pub(in crate::backend::rust) struct EntryModel {
    pub ident: String,
    /// The literal of the name.
    pub name: String,
    pub docs: Vec<String>,
    pub input: String,
    pub output: String,
}

/// Decides the calls by name, if there are any.
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
    let mut names = Namespace::new("calls by name in Rust");
    let entries = entries.iter().map(|entry| {
        let plain = ident::value(&entry.name);
        let ident = if plain == "new" { plain + "_" } else { plain };
        names.claim(&ident, &entry.name.wire, &entry.place, diagnostics);
        EntryModel {
            ident,
            name: literal::string(&entry.name.wire),
            docs: docs::comment(&entry.docs, scope.options),
            input: scope.ident(&entry.input).to_owned(),
            output: scope.ident(&entry.output).to_owned(),
        }
    });
    let [_, _, peer, ..] = ident::side_names(&side.name);
    Some(CatalogueModel {
        peer,
        method: ident::value(&method.name),
        params: scope.ident(params).to_owned(),
        input_first: first.name.wire == *input_in,
        output: ident::value(&protocol.field(method.result()?, output_in)?.name),
        entries: entries.collect(),
    })
}
