//! The JSON Schema of `acp-bindgen.toml`, for editors.

use serde_json::Value;

use super::Config;
use crate::ir::json_schema::described;

/// The schema that the configuration file conforms to (draft 2020-12). It is published as
/// `schema/config.schema.json`.
pub fn json_schema() -> Value {
    described::<Config>()
}
