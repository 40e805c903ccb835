//! A JSON Schema validator's opinion.

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

/// Validates values against the definitions of one schema.
pub(crate) struct Judge {
    definitions: Map<String, Value>,
    /// Of objects with a property for each definition, so that all are compiled once.
    validator: Validator,
}

impl Judge {
    /// A judge by the `$defs` of a schema's text.
    pub(crate) fn new(schema: &str) -> Self {
        let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
        let definitions = schema["$defs"].as_object().expect("it has definitions").clone();
        let properties: Map<String, Value> = definitions
            .keys()
            .map(|name| (name.clone(), json!({ "$ref": format!("#/$defs/{name}") })))
            .collect();
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .build(&json!({ "properties": properties, "$defs": definitions }))
            .expect("the schema can be used");
        Self { definitions, validator }
    }

    /// Whether there is a definition of this name.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.definitions.contains_key(type_name)
    }

    /// Whether the value is valid, else why not.
    pub(crate) fn check(&self, type_name: &str, value: &Value) -> Result<(), String> {
        self.validator
            .validate(&json!({ type_name: value }))
            .map_err(|error| format!("at `{}`: {error}", error.instance_path()))
    }
}
