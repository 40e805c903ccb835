//! The front half of the tool, for tests: text to IR.

use acp_bindgen::diagnostic::{Diagnostics, Style, render, tally};
use acp_bindgen::ir::Protocol;
use acp_bindgen::lower::lower;
use acp_bindgen::schema::{Schema, SchemaText};
use acp_bindgen::source::Sources;

/// What became of a schema.
pub(crate) struct Lowered {
    /// The texts, for diagnostics.
    pub(crate) sources: Sources,
    /// The findings.
    pub(crate) diagnostics: Diagnostics,
    /// The model, if there is no error.
    pub(crate) protocol: Option<Protocol>,
}

impl Lowered {
    /// The findings as a person sees them.
    pub(crate) fn report(&self) -> String {
        let findings = render(&self.diagnostics, &self.sources, Style::Plain);
        if findings.is_empty() { findings } else { findings + &tally(&self.diagnostics) + "\n" }
    }

    /// The findings' codes, in order.
    pub(crate) fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }
}

/// Reads and lowers a schema.
pub(crate) fn lowered(label: &str, text: &str) -> Lowered {
    lowered_with(SchemaText::new(label, text), None)
}

/// The same, with a saved list of what can be called by name.
pub(crate) fn lowered_with(schema: SchemaText, list: Option<SchemaText>) -> Lowered {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let schema = Schema::read(&mut sources, schema, Vec::new(), &mut diagnostics);
    let protocol = schema.and_then(|mut schema| {
        if let Some(list) = list {
            schema.extend(list, &mut sources, &mut diagnostics);
        }
        lower(&schema, &sources, &mut diagnostics)
    });
    Lowered { sources, diagnostics, protocol }
}

/// Lowers a schema that must give no finding at all.
pub(crate) fn clean(schema: SchemaText, overlays: Vec<SchemaText>) -> Protocol {
    let label = schema.label.clone();
    let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
    let schema = Schema::read(&mut sources, schema, overlays, &mut diagnostics);
    let protocol = schema.and_then(|schema| lower(&schema, &sources, &mut diagnostics));
    assert!(diagnostics.is_empty(), "{label}:\n{}", render(&diagnostics, &sources, Style::Plain));
    protocol.unwrap()
}
