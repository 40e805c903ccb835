//! The schemas of `tests/cases` as one schema, so that each language builds them once.

use std::collections::HashMap;

use acp_bindgen::ir::Name;
use serde_json::{Map, Value, json};

use super::support;

/// Keywords that say what a definition is to a protocol, and texts.
const LEFT_OUT: [&str; 27] = [
    "x-side",
    "x-method",
    "x-optional",
    "x-capability",
    "x-capabilities",
    "x-lifecycle",
    "x-cancels",
    "x-handle",
    "x-process",
    "x-choice",
    "x-file-access",
    "x-shorthand",
    "x-key",
    "x-appends",
    "x-removes",
    "x-patch-of",
    "x-status",
    "x-value",
    "x-protocol-version",
    "x-unstable",
    "x-merge",
    "x-stream",
    "x-catalogue",
    "x-docs-ignore",
    "x-version",
    "description",
    "examples",
];

/// The definitions of all cases that become code, each named for its case
/// and its position there.
pub(crate) fn merged() -> String {
    let folder = support::root().join("tests/cases");
    let entries = std::fs::read_dir(&folder).expect("the cases are there").flatten();
    let mut cases: Vec<_> = entries.map(|entry| entry.path()).filter(|it| it.is_dir()).collect();
    cases.sort();
    let mut definitions = Map::new();
    for case in cases {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).unwrap_or_default();
        let name = case.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if read("expected/diagnostics.txt").contains("error[") {
            continue;
        }
        let prefix = Name::new(name).pascal();
        let schema: Value = serde_json::from_str(&read("schema.json")).expect("a case is JSON");
        let own = ["$defs", "definitions"].into_iter().filter_map(|key| schema[key].as_object());
        let own: Map<String, Value> = own.flatten().map(|(k, v)| (k.clone(), v.clone())).collect();
        let new = own.keys().enumerate();
        let new = new.map(|(index, name)| (name.clone(), format!("{prefix}{index}"))).collect();
        for (name, definition) in &own {
            let mut definition = renamed(definition, &new);
            if let Some(members) = definition.as_object_mut() {
                members.remove("x-name");
            }
            definitions.insert(new[name].clone(), definition);
        }
    }
    json!({ "title": "Cases", "$defs": definitions }).to_string()
}

/// A schema without what belongs to a protocol, whose references are to the new names.
fn renamed(schema: &Value, new: &HashMap<String, String>) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let all = |schemas: &Value| match schemas {
        Value::Object(named) => {
            let named = named.iter().map(|(name, schema)| (name.clone(), renamed(schema, new)));
            Value::Object(named.collect())
        }
        Value::Array(list) => list.iter().map(|schema| renamed(schema, new)).collect(),
        other => other.clone(),
    };
    let kept = keywords.iter().filter(|(keyword, _)| !LEFT_OUT.contains(&keyword.as_str()));
    let kept = kept.map(|(keyword, value)| {
        let value = match keyword.as_str() {
            "$ref" => {
                let (_, name) = value.as_str().unwrap().split_once("defs/").unwrap();
                let name = name.replace("%20", " ").replace("~1", "/").replace("~0", "~");
                format!("#/$defs/{}", new[&name]).into()
            }
            "properties" | "patternProperties" | "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                all(value)
            }
            "items" | "additionalProperties" | "not" => renamed(value, new),
            _ => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(kept.collect())
}
