//! The model of `src/catalogue.ts`: a call of its own for each thing that is called by name.

use serde::Serialize;

use super::connections::Documented;
use super::jsdoc::Comment;
use super::text::{key, literal};
use super::types::Scope;
use super::{calls, names};
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Catalogue, CatalogueEntry};

/// Everything in `src/catalogue.ts`.
#[derive(Debug, Serialize)]
pub(super) struct CatalogueModel {
    /// The class by which the request is called.
    peer: String,
    /// The keys of the name and of the input in the params.
    name_in: String,
    input_in: String,
    /// The statement that calls.
    statement: String,
    /// What reads the output of the result.
    output_in: String,
    entries: Vec<Documented>,
}

impl Scope<'_> {
    /// The model of the calls by name, if there are any.
    pub(super) fn catalogue(self, diagnostics: &mut Diagnostics) -> Option<CatalogueModel> {
        let catalogue = self.protocol.catalogue.as_ref()?;
        let (method, side) = self.protocol.catalogue_method(catalogue)?;
        let Catalogue { name_in, input_in, output_in, entries, .. } = catalogue;
        let mut members = Namespace::new("calls by name in TypeScript");
        let entries = entries.iter().map(|entry| {
            let name = names::member(&entry.name);
            members.claim(&name, &entry.name.wire, &entry.place, diagnostics);
            self.entry(entry, &name)
        });
        let output = key(output_in);
        Some(CatalogueModel {
            peer: names::peer(side),
            name_in: key(name_in),
            input_in: key(input_in),
            statement: calls::by_peer(&names::peer_method(method)),
            output_in: if output == *output_in {
                format!(".{output}")
            } else {
                format!("[{}]", literal(output_in))
            },
            entries: entries.collect(),
        })
    }

    fn entry(self, entry: &CatalogueEntry, name: &str) -> Documented {
        let wire = literal(&entry.name.wire);
        let [input, output] =
            [&entry.input, &entry.output].map(|key| self.names.of(key).to_owned());
        let comment = Comment::new(&entry.docs, self.docs).paragraph(&format!("Calls {wire}."));
        Documented { doc: comment.block(2), statement: calls::named(name, &wire, [input, output]) }
    }
}
