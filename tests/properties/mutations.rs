//! Edits of schemas, as their authors make them.

use serde_json::{Map, Value, json};

use super::support::Random;

/// A schema after one to three edits.
pub(crate) fn mutated(schema: &Value, random: &mut Random) -> Value {
    let mut schema = schema.clone();
    for _ in 0..=random.below(3) {
        // Not every edit finds something to change.
        for _ in 0..20 {
            if edit(&mut schema, random) {
                break;
            }
        }
    }
    schema
}

/// Makes one edit. False if there is nothing to be edited in this way.
fn edit(schema: &mut Value, random: &mut Random) -> bool {
    let keyword = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    if random.once_in(6) {
        let Some(definitions) = schema.get_mut(keyword).and_then(Value::as_object_mut) else {
            return false;
        };
        return edit_methods(definitions, random);
    }
    let mut places = Vec::new();
    if let Some(definitions) = schema.get(keyword).and_then(Value::as_object) {
        for (name, definition) in definitions {
            let at = format!("/{keyword}/{}", escape(name));
            find(definition, &at, &mut places);
        }
    }
    if places.is_empty() {
        return false;
    }
    let place = random.pick(&places).clone();
    let Some(Value::Object(node)) = schema.pointer_mut(&place) else { return false };
    edit_node(node, random)
}

fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

/// The pointers of all schemas within a schema.
fn find(node: &Value, at: &str, places: &mut Vec<String>) {
    let Some(members) = node.as_object() else { return };
    places.push(at.to_owned());
    for (key, member) in members {
        let at = format!("{at}/{key}");
        match (key.as_str(), member) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    find(property, &format!("{at}/{}", escape(name)), places);
                }
            }
            ("items" | "additionalProperties", _) => find(member, &at, places),
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                for (index, branch) in branches.iter().enumerate() {
                    find(branch, &format!("{at}/{index}"), places);
                }
            }
            _ => {}
        }
    }
}

/// A method goes, is renamed, moves to another side, or loses its answer.
fn edit_methods(definitions: &mut Map<String, Value>, random: &mut Random) -> bool {
    let method = |definition: &Value| definition.get("x-method")?.as_str().map(str::to_owned);
    let methods: Vec<String> = definitions.values().filter_map(method).collect();
    if methods.is_empty() {
        return false;
    }
    let chosen = random.pick(&methods).clone();
    let kind = random.below(3);
    let sides: Vec<Value> =
        definitions.values().filter_map(|each| each.get("x-side").cloned()).collect();
    let side = random.pick(&sides).clone();
    for definition in definitions.values_mut().filter_map(Value::as_object_mut) {
        if definition.get("x-method").and_then(Value::as_str) != Some(&chosen) {
            continue;
        }
        match kind {
            0 => {
                definition.remove("x-method");
                definition.remove("x-side");
            }
            1 => {
                definition.insert("x-method".to_owned(), json!(format!("{chosen}2")));
            }
            _ => {
                definition.insert("x-side".to_owned(), side.clone());
            }
        }
    }
    true
}

#[allow(clippy::too_many_lines, reason = "one arm an edit")]
fn edit_node(node: &mut Map<String, Value>, random: &mut Random) -> bool {
    let set = |node: &mut Map<String, Value>, key: &str, value: Value| {
        let before = node.insert(key.to_owned(), value);
        before.as_ref() != node.get(key)
    };
    let is_object = node.contains_key("properties");
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    match random.below(14) {
        0 if is_object => {
            // A property goes.
            let Some((name, _)) = pick_property(node, random) else { return false };
            if let Some(required) = node.get_mut("required").and_then(Value::as_array_mut) {
                required.retain(|it| *it != json!(name));
            }
            properties(node).is_some_and(|all| all.shift_remove(&name).is_some())
        }
        1 if is_object => {
            // A property becomes required, or optional.
            let Some((name, property)) = pick_property(node, random) else { return false };
            if property.get("const").is_some() {
                return false;
            }
            let required = node.entry("required").or_insert_with(|| json!([]));
            let Some(required) = required.as_array_mut() else { return false };
            if required.contains(&json!(name)) {
                required.retain(|it| *it != json!(name));
            } else {
                required.push(json!(name));
            }
            true
        }
        2 if is_object => {
            let types = ["string", "integer", "boolean", "object"];
            let added = json!({ "type": *random.pick(&types) });
            if properties(node).is_some_and(|all| all.contains_key("added")) {
                return false;
            }
            if random.once_in(2) {
                let required = node.entry("required").or_insert_with(|| json!([]));
                let Some(required) = required.as_array_mut() else { return false };
                // It may be there already, without a property.
                if !required.contains(&json!("added")) {
                    required.push(json!("added"));
                }
            }
            properties(node).is_some_and(|all| all.insert("added".to_owned(), added).is_none())
        }
        3 if is_object => {
            // A property is renamed.
            let Some((name, property)) = pick_property(node, random) else { return false };
            let renamed = format!("{name}_x");
            for required in
                node.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten()
            {
                if *required == json!(name) {
                    *required = json!(renamed);
                }
            }
            properties(node).is_some_and(|all| {
                all.shift_remove(&name);
                all.insert(renamed, property).is_none()
            })
        }
        4 if is_object => {
            let value = node.get("additionalProperties") == Some(&json!(false));
            set(node, "additionalProperties", json!(value))
        }
        5 if ["string", "integer", "number", "boolean"].contains(&kind.as_str())
            && !node.contains_key("const")
            && !node.contains_key("enum") =>
        {
            let types = ["string", "integer", "number", "boolean"];
            for key in ["format", "default", "minimum", "maximum", "pattern", "contentEncoding"] {
                node.shift_remove(key);
            }
            set(node, "type", json!(*random.pick(&types)))
        }
        6 if !kind.is_empty() && !node.contains_key("const") && kind != "null" => {
            set(node, "type", json!([kind, "null"]))
        }
        7 => {
            let Some(values) = node.get_mut("enum").and_then(Value::as_array_mut) else {
                return false;
            };
            if random.once_in(2) && values.len() > 1 {
                values.remove(random.below(values.len()));
            } else {
                values.push(json!("added"));
            }
            true
        }
        8 => {
            let key = if node.contains_key("anyOf") { "anyOf" } else { "oneOf" };
            let Some(branches) = node.get_mut(key).and_then(Value::as_array_mut) else {
                return false;
            };
            if random.once_in(2) && branches.len() > 1 {
                branches.remove(random.below(branches.len()));
            } else {
                let types = ["string", "integer", "boolean", "null"];
                branches.push(json!({ "type": *random.pick(&types) }));
            }
            true
        }
        9 if kind == "integer" || kind == "number" => {
            let key = *random.pick(&["minimum", "maximum"]);
            let value = if key == "minimum" { random.below(3) } else { 50 + random.below(3) };
            set(node, key, json!(value))
        }
        9 if kind == "string" && !node.contains_key("const") => {
            let key = *random.pick(&["minLength", "maxLength"]);
            let value = if key == "minLength" { random.below(3) } else { 8 + random.below(3) };
            set(node, key, json!(value))
        }
        9 if kind == "array" => {
            let key = *random.pick(&["minItems", "maxItems"]);
            set(node, key, json!(2))
        }
        10 => {
            let key = *random.pick(&["x-deserialize-default-on-error", "deprecated", "x-unstable"]);
            let value = node.get(key) != Some(&json!(true));
            set(node, key, json!(value))
        }
        11 if kind == "array" => {
            let key = "x-deserialize-skip-invalid-items";
            let value = node.get(key) != Some(&json!(true));
            set(node, key, json!(value))
        }
        12 => set(node, "description", json!("Other words.")),
        13 if kind == "string" && !node.contains_key("const") => {
            set(node, "format", json!(*random.pick(&["uri", "date-time"])))
        }
        _ => false,
    }
}

fn properties(node: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    node.get_mut("properties").and_then(Value::as_object_mut)
}

fn pick_property(node: &mut Map<String, Value>, random: &mut Random) -> Option<(String, Value)> {
    let all: Vec<(String, Value)> =
        properties(node)?.iter().map(|(name, it)| (name.clone(), it.clone())).collect();
    (!all.is_empty()).then(|| random.pick(&all).clone())
}
