//! The published schemas of the protocol this tool was first made for: the bundled export is the
//! published text, and every version lowers completely.

use acp_bindgen::ir::{MethodKind, TypeKind};
use acp_bindgen::schema::{SchemaText, bundled};
use serde_json::Value;

use crate::support::{self, clean as protocol};

/// Every published schema that must lower, and how many methods it binds.
const PUBLISHED: [(&str, &str, usize); 16] = [
    ("0.4.9", "schema/schema.json", 17),
    ("0.5.1", "schema/schema.json", 17),
    ("0.8.0", "schema/schema.json", 19),
    ("0.12.0", "schema/schema.json", 22),
    ("0.16.1", "schema/schema.json", 23),
    ("0.21.1", "schema/schema.json", 39),
    ("0.29.0", "schema/schema.json", 43),
    ("1.9.0", "schema/schema.json", 31),
    ("2.0.2", "schema/v1/schema.json", 25),
    ("2.0.2", "schema/v1/schema.unstable.json", 31),
    ("2.0.2", "schema/v2/schema.json", 16),
    ("2.0.2", "schema/v2/schema.unstable.json", 22),
    ("2.4.0", "schema/v1/schema.json", 25),
    ("2.4.0", "schema/v1/schema.unstable.json", 40),
    ("2.4.0", "schema/v2/schema.json", 18),
    ("2.4.0", "schema/v2/schema.unstable.json", 33),
];

#[test]
fn the_bundled_export_is_the_published_schema() {
    for (name, path) in [
        ("acp@v1", "schema/v1/schema.json"),
        ("acp@v2", "schema/v2/schema.json"),
        ("acp@v1-unstable", "schema/v1/schema.unstable.json"),
        ("acp@v2-unstable", "schema/v2/schema.unstable.json"),
    ] {
        let Some(published) = support::npm_schema("2.4.0", path) else { return };
        let published: Value = serde_json::from_str(&published).unwrap();
        let exported: Value = serde_json::from_str(&bundled::text(name).unwrap().0.text).unwrap();
        for (definition, expected) in published["$defs"].as_object().unwrap() {
            assert_eq!(exported["$defs"].get(definition), Some(expected), "{name} {definition}");
        }
        assert_eq!(exported, published, "{name}");
    }
}

#[test]
fn every_published_schema_lowers_without_a_finding() {
    for (version, path, methods) in PUBLISHED {
        let Some(text) = support::npm_schema(version, path) else { return };
        let protocol = protocol(SchemaText::new(format!("{version}/{path}"), text), Vec::new());
        assert_eq!(protocol.methods.len(), methods, "{version} {path}");
        for (name, def) in &protocol.types {
            assert_no_counter(name, &def.name.words, version);
            if let TypeKind::Union(union) = &def.kind {
                for variant in &union.variants {
                    assert_no_counter(name, &variant.name.words, version);
                }
            }
        }
    }
}

/// `Variant3` and the like: names that say nothing but an order.
fn assert_no_counter(owner: &str, words: &[String], version: &str) {
    let last = words.last().map_or("", String::as_str);
    let stem = last.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let counted = stem != last && ["", "variant", "option", "type", "object"].contains(&stem);
    assert!(!counted, "{version}: {owner} {words:?}");
}

#[test]
fn one_wire_name_can_be_a_request_and_a_notification() {
    let Some(text) = support::npm_schema("2.4.0", "schema/v2/schema.unstable.json") else { return };
    let protocol = protocol(SchemaText::new("v2", text), Vec::new());
    let named: Vec<_> = protocol
        .methods
        .iter()
        .filter(|method| method.name.wire == "mcp/message")
        .map(|method| (method.name.snake(), matches!(method.kind, MethodKind::Request { .. })))
        .collect();
    assert_eq!(
        named,
        [("message_mcp".to_owned(), true), ("message_mcp_notification".to_owned(), false)]
    );
}
