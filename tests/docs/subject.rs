//! Schemas whose docs are looked at.

use acp_bindgen::backend::docs::{Docs, Format};
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::ir::Protocol;
use acp_bindgen::schema::bundled as schemas;
use acp_bindgen::{Inputs, Purpose, load};
use serde_json::Value;

use crate::support;

/// All formats.
pub(crate) const FORMATS: [Format; 3] = [Format::Html, Format::Markdown, Format::Mdx];

/// A schema and what it describes.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) schema: String,
    pub(crate) protocol: Protocol,
}

/// The text of the docs in a format.
pub(crate) fn docs(protocol: &Protocol, format: Format, mode: DocsMode) -> String {
    let options = Options::new("p", mode, Runtime::Embedded);
    let mut diagnostics = Diagnostics::new();
    let files = Docs { format, ..Docs::default() }.emit(protocol, &options, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(files.len(), 1);
    let (_, text) = files.iter().next().unwrap();
    text.to_owned()
}

/// The bundled schemas.
pub(crate) fn bundled() -> Vec<Subject> {
    let names = schemas::NAMES.iter();
    let subject = |name: &&str| {
        let (schema, overlay) = schemas::text(name).unwrap();
        let text = schema.text.clone();
        let inputs = Inputs::new(schema, vec![overlay]);
        let protocol = load(inputs, Purpose::Generate).protocol.unwrap();
        Subject { name: (*name).to_owned(), schema: text, protocol }
    };
    names.map(subject).collect()
}

/// The cases of `tests/cases` that lower.
pub(crate) fn cases() -> Vec<Subject> {
    let folder = support::root().join("tests/cases");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.iter().filter_map(|name| case(name)).collect()
}

/// A case of `tests/cases`.
pub(crate) fn case(name: &str) -> Option<Subject> {
    let path = support::root().join("tests/cases").join(name).join("schema.json");
    let schema = std::fs::read_to_string(path).ok()?;
    let protocol = support::lowered("schema.json", &schema).protocol?;
    Some(Subject { name: name.to_owned(), schema, protocol })
}

/// A protocol of these definitions.
pub(crate) fn protocol(definitions: &Value) -> Protocol {
    let schema = serde_json::json!({ "title": "Test", "$defs": definitions });
    support::lowered("schema.json", &schema.to_string()).protocol.unwrap()
}
