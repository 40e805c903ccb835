//! The verdict of the `jsonschema` crate on a payload.

use std::collections::HashMap;

use acp_bindgen::ir::{Payload, Protocol, Type};
use jsonschema::Validator;
use serde_json::{Value, json};

/// One schema, judged by its text.
pub(crate) struct Judge<'a> {
    schema: &'a str,
    protocol: &'a Protocol,
    validators: HashMap<String, Validator>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(schema: &'a str, protocol: &'a Protocol) -> Self {
        Self { schema, protocol, validators: HashMap::new() }
    }

    /// Whether a payload is valid. `None`: the schema does not know it by name.
    pub(crate) fn is_valid(&mut self, payload: &Payload, value: &Value) -> Option<bool> {
        let payloads = self.protocol.methods.iter().flat_map(|it| self.protocol.payloads(it));
        let is_it = |found: &Payload| {
            (&found.method, found.part, &found.sender)
                == (&payload.method, payload.part, &payload.sender)
        };
        let (_, ty) = payloads.into_iter().find(|(found, _)| is_it(found))?;
        let Type::Named { name } = ty else { return None };
        let schema = self.schema;
        let validator =
            self.validators.entry(name.clone()).or_insert_with(|| validator(schema, name));
        Some(validator.is_valid(value))
    }
}

/// A judge of one definition.
fn validator(schema: &str, name: &str) -> Validator {
    let mut document: Value = serde_json::from_str(schema).unwrap();
    let root = document.as_object_mut().unwrap();
    root.retain(|key, _| ["$defs", "definitions", "$schema"].contains(&key.as_str()));
    let keyword = if root.contains_key("$defs") { "$defs" } else { "definitions" };
    root.insert("$ref".to_owned(), json!(format!("#/{keyword}/{name}")));
    jsonschema::validator_for(&document).unwrap()
}
