//! What the benches share: a large schema made of many copies of a small one.

use serde_json::{Map, Value};

/// The schema with every definition, reference and method repeated under new names, `copies`
/// times. The message unions are not repeated: they say which sides there are, and a copy adds
/// methods, not sides.
pub(crate) fn replicated(schema: &Value, copies: usize) -> Value {
    let mut root = schema.as_object().cloned().unwrap_or_default();
    let definitions = root.remove("$defs").and_then(|defs| match defs {
        Value::Object(defs) => Some(defs),
        _ => None,
    });
    let mut all = Map::new();
    for (name, definition) in definitions.unwrap_or_default() {
        let is_envelope = definition.get("x-docs-ignore").is_some();
        for copy in 0..if is_envelope { 1 } else { copies } {
            all.insert(renamed(&name, copy), copied(&definition, copy));
        }
    }
    root.insert("$defs".to_owned(), Value::Object(all));
    Value::Object(root)
}

/// `SessionId` → `C07SessionId`; the first copy keeps its name, since the root refers to it.
fn renamed(name: &str, copy: usize) -> String {
    if copy == 0 { name.to_owned() } else { format!("C{copy:02}{name}") }
}

fn copied(value: &Value, copy: usize) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| copied(item, copy)).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| {
                let value = match (key.as_str(), value.as_str()) {
                    ("$ref", Some(reference)) => match reference.strip_prefix("#/$defs/") {
                        Some(name) => format!("#/$defs/{}", renamed(name, copy)).into(),
                        None => value.clone(),
                    },
                    ("x-method", Some(method)) if copy > 0 => format!("c{copy:02}/{method}").into(),
                    _ => copied(value, copy),
                };
                (key.clone(), value)
            });
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}
