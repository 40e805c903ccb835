//! Reference docs: complete, harmless, and good to use.
//!
//! `expected/` holds what comes out for some of the cases in `tests/cases`;
//! `BLESS=1 cargo test --test docs expected` rewrites it. Screenshots of the page are left in
//! `target/docs-screenshots/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod browser;
mod complete;
mod examples;
mod expected;
mod harmless;
#[path = "../wire/judge.rs"]
mod judge;
#[path = "../support/mod.rs"]
mod support;
mod wellformed;

use acp_bindgen::backend::docs::{Docs, Format};
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::ir::Protocol;
use acp_bindgen::schema::bundled;
use acp_bindgen::{Inputs, Purpose, load};
use serde_json::Value;

/// All formats.
const FORMATS: [Format; 3] = [Format::Html, Format::Markdown, Format::Mdx];

/// A schema and what it describes.
struct Subject {
    name: String,
    schema: String,
    protocol: Protocol,
}

/// The text of the docs in a format.
fn docs(protocol: &Protocol, format: Format, mode: DocsMode) -> String {
    let options = Options::new("p", mode, Runtime::Tokio);
    let mut diagnostics = Diagnostics::new();
    let files = Docs { format }.emit(protocol, &options, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(files.len(), 1);
    let (_, text) = files.iter().next().unwrap();
    text.to_owned()
}

/// The bundled schemas.
fn bundled() -> Vec<Subject> {
    let names = bundled::NAMES.iter();
    let subject = |name: &&str| {
        let (schema, overlay) = bundled::text(name).unwrap();
        let text = schema.text.clone();
        let inputs = Inputs::new(schema, vec![overlay]);
        let protocol = load(inputs, Purpose::Generate).protocol.unwrap();
        Subject { name: (*name).to_owned(), schema: text, protocol }
    };
    names.map(subject).collect()
}

/// The cases of `tests/cases` that lower.
fn cases() -> Vec<Subject> {
    let folder = support::root().join("tests/cases");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.iter().filter_map(|name| case(name)).collect()
}

/// A case of `tests/cases`.
fn case(name: &str) -> Option<Subject> {
    let path = support::root().join("tests/cases").join(name).join("schema.json");
    let schema = std::fs::read_to_string(path).ok()?;
    let protocol = support::lowered("schema.json", &schema).protocol?;
    Some(Subject { name: name.to_owned(), schema, protocol })
}

/// A protocol of these definitions.
fn protocol(definitions: &Value) -> Protocol {
    let schema = serde_json::json!({ "title": "Test", "$defs": definitions });
    support::lowered("schema.json", &schema.to_string()).protocol.unwrap()
}
