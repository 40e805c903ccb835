//! The schemas of everyday tools: what is valid by them is decoded, and nothing of it is lost.

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use acp_bindgen::{Inputs, ReferredText, SchemaText};
use serde_json::{Value, json};

use super::instances::Instances;
use super::support::{self, EverydaySchema, Random};

/// How many instances are tried of each schema.
const TRIED: usize = 300;

/// How many of them are valid at least.
const VALID: usize = 30;

#[test]
fn valid_instances_are_kept() {
    let Some(schemas) = support::everyday_schemas() else { return };
    assert!(schemas.len() >= 25, "{} schemas", schemas.len());
    let complaints: Vec<String> = schemas.iter().flat_map(complaints).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn complaints(schema: &EverydaySchema) -> Vec<String> {
    let text = std::fs::read_to_string(&schema.path).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let uri = format!("https://example.org/{}.json", schema.name);
    let parts = parts(&whole);
    let refer = |(at, pointer): (usize, &String)| {
        (format!("p{at}"), json!({ "$ref": format!("{uri}#{pointer}") }))
    };
    let properties: Value = parts.iter().enumerate().map(refer).collect();
    let it = json!({ "type": "object", "properties": properties });
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    let document = json!({ "title": "Everyday", "$schema": dialect, "$defs": { "It": it } });
    let mut inputs = Inputs::from(SchemaText::from_value("everyday.json", &document));
    let text = Ok(SchemaText::new(schema.name.clone(), &text));
    inputs.referred = vec![ReferredText { uri: uri.clone(), text }];
    let lowered = support::lowered_from(inputs);
    let Some(protocol) = &lowered.protocol else {
        return vec![format!("{}: {}", schema.name, lowered.report())];
    };
    let plan = DecodePlan::new(protocol, UnknownFields::Preserve);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    let ty = Type::Named { name: String::from("It") };
    let registry = jsonschema::Registry::new().add(&uri, &whole).unwrap().prepare().unwrap();
    let validator =
        jsonschema::options().with_registry(&registry).build(&document["$defs"]["It"]).unwrap();
    let mut instances = Instances { root: &whole, random: Random(61) };
    let mut valid = 0;
    let mut complaints = Vec::new();
    for at in 0..TRIED.max(parts.len() * 4) {
        let at = at % parts.len();
        let Some(part) = whole.pointer(&parts[at]) else { continue };
        let value = json!({ format!("p{at}"): instances.of(part, 0) });
        if !validator.is_valid(&value) {
            continue;
        }
        valid += 1;
        match decoder.decode(&ty, &value) {
            Ok(kept) if holds(&kept, &value) => {}
            Ok(kept) => complaints.push(format!("{}: {value} becomes {kept}", schema.name)),
            Err(error) => complaints.push(format!("{}: {error}: {value}", schema.name)),
        }
    }
    complaints.truncate(5);
    if valid < VALID {
        complaints.push(format!("{}: only {valid} valid instances", schema.name));
    }
    complaints
}

/// Pointers to the document, if it is more than definitions, and to each of these.
fn parts(whole: &Value) -> Vec<String> {
    let keywords = ["type", "properties", "oneOf", "anyOf", "allOf", "$ref"];
    let is_more = keywords.iter().any(|it| whole.get(it).is_some());
    let mut parts: Vec<String> = is_more.then(String::new).into_iter().collect();
    for keyword in ["definitions", "$defs"] {
        let definitions = whole.get(keyword).and_then(Value::as_object);
        let names = definitions.into_iter().flat_map(|it| it.keys());
        let names = names.filter(|name| !name.contains(['/', '~', '%', ' ', '#']));
        parts.extend(names.map(|name| format!("/{keyword}/{name}")));
    }
    parts
}

/// Tells whether a value has all that another has. It may have more members: defaults are filled in.
fn holds(kept: &Value, value: &Value) -> bool {
    match (kept, value) {
        (Value::Object(kept), Value::Object(value)) => {
            value.iter().all(|(key, it)| kept.get(key).is_some_and(|kept| holds(kept, it)))
        }
        (Value::Array(kept), Value::Array(value)) => {
            kept.len() == value.len() && kept.iter().zip(value).all(|(kept, it)| holds(kept, it))
        }
        (kept, value) => {
            kept == value || kept.as_f64().is_some_and(|kept| value.as_f64() == Some(kept))
        }
    }
}
