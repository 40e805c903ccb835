//! Values of the model, as templates see them.

use minijinja::value::{Serde, Value};

/// Makes a value for templates from a part of the model.
pub(super) fn model(value: &impl serde::Serialize) -> Value {
    // By way of JSON, so that a template sees what `inspect` prints.
    Value::from(Serde(serde_json::to_value(value).unwrap_or_default()))
}

/// A member of an object of the model; undefined if it is not there.
pub(super) fn member(value: &Value, name: &str) -> Value {
    value.get_attr(name).unwrap_or_default()
}
