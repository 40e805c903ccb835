//! The JSON Schema of `acp-bindgen.toml`, for editors.

use std::borrow::Cow;
use std::path::PathBuf;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Config, Specifiers, Target};
use crate::backend::docs::Format;
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

/// The choices for Rust.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Rust {
    /// A folder of templates that stand in for templates of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The name of the package on crates.io, if it is another than `name`, by which code imports
    /// the crate.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// The choices for TypeScript.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TypeScript {
    /// A folder of templates that stand in for templates of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The name of the npm package, which may have a scope: `@my/sdk`. By default `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// How modules name each other: `js`, as they are compiled, or `ts`, by their sources. With
    /// `ts` and a scoped name there is a `jsr.json`, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    specifiers: Option<Specifiers>,
    /// Other paths for files of the package: the path that a file usually has, and the one that it
    /// is to have, as in `"src/types.ts" = "src/schema/types.gen.ts"`. Imports follow.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    files: IndexMap<String, String>,
}

/// The choices for Python.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Python {
    /// A folder of templates that stand in for templates of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The name of the package on `PyPI`, if it is another than `name`, by which code imports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Other paths for files of the package: the path that a file usually has, and the one that it
    /// is to have, as in `"src/acp/types.py" = "src/acp/schema.py"`. Imports follow.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    files: IndexMap<String, String>,
}

/// The choices for reference docs.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Docs {
    /// A folder of templates that stand in for templates of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The format: `html` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    /// A folder of older schemas, each called after its version: the docs then say since when things
    /// are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<PathBuf>,
    /// The beginnings of links in descriptions, each with the one to write instead: an address, or
    /// a path that begins with `/`, `.` or `#`. The longest beginning counts.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    links: IndexMap<String, String>,
}

/// A custom target.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Custom {
    /// The folder of templates that make it up.
    templates: PathBuf,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
}

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "Targets".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut known = Map::new();
        for target in Target::ALL {
            let choices = match target {
                Target::Docs => generator.subschema_for::<Docs>(),
                Target::TypeScript => generator.subschema_for::<TypeScript>(),
                Target::Python => generator.subschema_for::<Python>(),
                _ => generator.subschema_for::<Rust>(),
            };
            known.insert(target.id().to_owned(), choices.to_value());
        }
        schemars::json_schema!({
            "type": "object",
            "properties": known,
            "additionalProperties": generator.subschema_for::<Custom>()
        })
    }
}
