//! A JSON Schema validator's opinion.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

/// Validates values against the definitions of one schema.
pub(crate) struct Judge {
    definitions: Value,
    validators: RefCell<HashMap<String, Rc<Validator>>>,
}

impl Judge {
    /// A judge by the `$defs` of a schema's text.
    pub(crate) fn new(schema: &str) -> Self {
        let mut schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
        Self { definitions: schema["$defs"].take(), validators: RefCell::default() }
    }

    /// Whether there is a definition of this name.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.definitions.get(type_name).is_some()
    }

    /// Whether the value is valid, else why not.
    pub(crate) fn check(&self, type_name: &str, value: &Value) -> Result<(), String> {
        let validator = Rc::clone(
            self.validators
                .borrow_mut()
                .entry(type_name.to_owned())
                .or_insert_with(|| Rc::new(self.validator(type_name))),
        );
        validator
            .validate(value)
            .map_err(|error| format!("at `{}`: {error}", error.instance_path()))
    }

    fn validator(&self, type_name: &str) -> Validator {
        let schema =
            json!({ "$ref": format!("#/$defs/{type_name}"), "$defs": self.definitions.clone() });
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .build(&schema)
            .expect("the schema can be used")
    }
}
