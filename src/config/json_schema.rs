//! The JSON Schema of `acp-bindgen.toml`, for editors.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::target_tables::{Choices, has};
use super::{Config, Target};
use crate::ir::json_schema::described;

/// The schema that the configuration file conforms to (draft 2020-12). It is published as
/// `schema/config.schema.json`.
pub fn json_schema() -> Value {
    described::<Config>()
}

/// `schema`: a name, or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(super) enum OneOrMore {
    /// The protocol's schema.
    One(String),
    /// The protocol's schema, and those that add to it.
    More(Vec<String>),
}

/// `targets`: what concerns one target only, by its name.
pub(super) struct Table;

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "Targets".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let of_target = |target: &Target, generator: &mut SchemaGenerator| {
            let mut schema = Choices::json_schema(generator);
            schema.remove("description");
            if let Some(Value::Object(properties)) = schema.get_mut("properties") {
                properties.retain(|choice, _| has(target, choice));
            }
            schema
        };
        let mut known = Map::new();
        for target in Target::ALL {
            known.insert(target.id().to_owned(), of_target(target, generator).to_value());
        }
        let mut custom = of_target(&Target::Custom(String::new()), generator);
        custom.insert("required".to_owned(), Value::from(vec!["templates"]));
        schemars::json_schema!({
            "type": "object",
            "properties": known,
            "additionalProperties": custom
        })
    }
}
