//! The order of keys in a schema says nothing, neither on the wire nor in code.

use std::fs;

use acp_bindgen::breaking::Comparison;
use acp_bindgen::breaking::source::Language;
use acp_bindgen::schema::bundled;

use super::pair::{Pair, Text};
use crate::schemas::reordered;
use crate::support;

#[test]
fn of_the_bundled_schemas() {
    for name in bundled::NAMES {
        let (schema, overlay) = bundled::text(name).unwrap();
        assert_same(name, &schema.text, Some(&overlay.text));
    }
}

#[test]
fn of_every_case() {
    let mut seen = 0;
    for entry in fs::read_dir(support::root().join("tests/cases")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let Ok(schema) = fs::read_to_string(folder.join("schema.json")) else { continue };
        // Where names clash, there is no code: what comes first has the name.
        if matches!(name.as_str(), "collisions-functions" | "collisions-languages") {
            continue;
        }
        let overlay = fs::read_to_string(folder.join("overlay.json")).ok();
        assert_same(&name, &schema, overlay.as_deref());
        seen += 1;
    }
    assert!(seen > 40, "{seen} cases");
}

#[test]
fn of_the_shapes_of_messages() {
    let schema = fs::read_to_string(support::root().join("tests/wire/shapes.schema.json")).unwrap();
    assert_same("shapes", &schema, None);
}

/// Asserts that a schema and its mirror image are the same.
fn assert_same(name: &str, schema: &str, overlay: Option<&str>) {
    let backwards = reordered(&serde_json::from_str(schema).unwrap()).to_string();
    let text = |schema| Text { schema, overlay: overlay.map(str::to_owned), methods: None };
    let pair = Pair::between(name, text(schema.to_owned()), text(backwards));
    let Comparison { report, source } = pair.comparison();
    assert!(report.changes.is_empty(), "{name}: {:#?}", report.changes.first());
    for language in source.diff(Language::ALL).languages {
        let shown = language.declarations.first();
        assert!(shown.is_none(), "{name}: {}: {shown:#?}", language.name);
    }
}
