//! Typed wrappers for catalogue entries.

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals::{key, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Catalogue, CatalogueEntry, Findings, Namespace, Things};

/// The catalogue.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct CatalogueModel {
    /// The class by which the request is called, and its method.
    peer: String,
    method: String,
    /// The keys of the name and of the input in the params.
    name_in: String,
    input_in: String,
    /// The output in the result: a key, and whether it is a literal.
    output_in: String,
    output_is_quoted: bool,
    entries: Vec<EntryModel>,
}

/// A call of its own for an entry.
#[derive(Debug, Serialize)]
struct EntryModel {
    doc: Vec<String>,
    name: String,
    /// Its literal on the wire.
    wire: String,
    /// The types of what goes in and of what comes out, and their codecs.
    input: String,
    input_codec: String,
    output: String,
    output_codec: String,
}

impl CatalogueModel {
    /// None for a protocol that has none.
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Option<Self> {
        let catalogue = scope.protocol.catalogue.as_ref()?;
        let (method, side) = scope.protocol.catalogue_method(catalogue)?;
        let Catalogue { name_in, input_in, output_in, entries, .. } = catalogue;
        let mut members = Namespace::new(Things::Entries, "calls by name in TypeScript");
        let entries = entries.iter().map(|entry| {
            let model = EntryModel::new(scope, entry);
            members.claim(&model.name, &entry.name.wire, &entry.location, diagnostics);
            model
        });
        Some(Self {
            peer: names::side(side).peer,
            method: names::peer_method(method),
            name_in: key(name_in),
            input_in: key(input_in),
            output_in: key(output_in),
            output_is_quoted: key(output_in) != *output_in,
            entries: entries.collect(),
        })
    }
}

impl EntryModel {
    fn new(scope: Scope<'_>, entry: &CatalogueEntry) -> Self {
        let wire = literal(&entry.name.wire);
        let name = |key: &str| scope.names.name(key).to_owned();
        let (input, output) = (name(&entry.input), name(&entry.output));
        let comment = Comment::new(&entry.docs, scope.docs).paragraph(&format!("Calls {wire}."));
        Self {
            doc: comment.block(2),
            name: names::member(&entry.name),
            wire,
            input_codec: names::codec(&input),
            output_codec: names::codec(&output),
            input,
            output,
        }
    }
}
