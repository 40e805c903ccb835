//! The front half of the tool, for tests: text to IR.

use acp_bindgen::diagnostic::{Diagnostics, Style, render, tally};
use acp_bindgen::ir::Protocol;
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::Sources;
use acp_bindgen::{Inputs, Loaded, Purpose, load};

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
    lowered_from(Inputs::from(SchemaText::new(label, text)))
}

/// Reads and lowers all that there is.
pub(crate) fn lowered_from(inputs: Inputs) -> Lowered {
    let Loaded { sources, diagnostics, protocol, .. } = load(inputs, Purpose::Generate);
    Lowered { sources, diagnostics, protocol }
}

/// Lowers a schema that must give no finding, but for keywords that no decoder enforces.
pub(crate) fn clean(schema: SchemaText, overlays: Vec<SchemaText>) -> Protocol {
    let label = schema.label.clone();
    let Loaded { protocol, diagnostics, sources, .. } =
        load(Inputs::new(schema, overlays), Purpose::Generate);
    let is_sound = diagnostics.iter().all(|it| it.code == "unenforced-keyword");
    assert!(is_sound, "{label}:\n{}", render(&diagnostics, &sources, Style::Plain));
    protocol.unwrap()
}
