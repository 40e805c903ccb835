//! Inputs with thousands of parts of one kind: what is looked for among all others takes time in
//! proportion to their square. The limit of processor time is that of `hostile`.

#![cfg(unix)]

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::hostile::answer;
use super::support;

/// A schema whose one method carries this, with these other definitions.
fn schema(it: &Value, others: impl IntoIterator<Item = (String, Value)>) -> String {
    let mut definitions = json!({
        "It": it,
        "CallRequest": {
            "type": "object", "properties": { "it": { "$ref": "#/$defs/It" } },
            "x-method": "call", "x-side": "server",
        },
        "CallResponse": { "type": "object", "x-method": "call", "x-side": "server" },
    });
    for (name, definition) in others {
        definitions[name] = definition;
    }
    json!({ "title": "Large", "$defs": definitions }).to_string()
}

/// Compares two schemas: there is a verdict, within the limits.
fn assert_compared(name: &str, schema: impl Fn(&str) -> String) {
    let folder = support::scratch(&format!("large-{name}"));
    for path in ["old.json", "new.json"] {
        std::fs::write(folder.join(path), schema(path.trim_end_matches(".json"))).unwrap();
    }
    let (code, said) = answer(&folder, &["diff", "old.json", "new.json"]);
    assert_eq!(code, Some(1), "{name}: {}", said.get(..1000).unwrap_or(&said));
}

#[test]
fn thousands_of_properties_are_compared() {
    assert_compared("properties", |which| {
        let property = |at: usize| (format!("{which}{at}"), json!({ "type": "string" }));
        let properties: serde_json::Map<String, Value> = (0..1_000).map(property).collect();
        schema(&json!({ "type": "object", "properties": properties }), [])
    });
}

#[test]
fn thousands_of_definitions_are_compared() {
    assert_compared("definitions", |which| {
        let definition = |at: usize| {
            let property = json!({ "type": "object", "properties": { format!("p{at}"): {} } });
            (format!("{which}{at}"), property)
        };
        schema(&json!({ "type": "string" }), (0..1_500).map(definition))
    });
}

#[test]
fn a_published_package_with_thousands_of_types_is_read() {
    let folder = support::scratch("large-published");
    let fields = "session_id: string; cwd: string; other";
    let mut text = String::new();
    let mut names = Vec::new();
    for at in 0..6_000 {
        writeln!(text, "interface Thing{at} {{ {fields}{at}: string }}").unwrap();
        names.push(format!("Thing{at}"));
    }
    writeln!(text, "export {{ {} }};", names.join(", ")).unwrap();
    std::fs::write(folder.join("index.d.ts"), text).unwrap();
    let (code, said) = answer(&folder, &["names", "--from", "npm", "index.d.ts"]);
    assert_eq!(code, Some(0), "{}", said.get(..1000).unwrap_or(&said));
}
