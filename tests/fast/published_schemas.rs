//! The JSON Schemas in `schema/` that this project's own types describe: they are current
//! (`.ci/bless published_schemas` rewrites them), and true.

use std::fs;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::ir::Protocol;
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Inputs, Purpose, SchemaText, config, ir, load};
use serde_json::{Value, json};

use crate::support;

#[test]
fn that_of_the_model_is_current() {
    is_current("ir.schema.json", &ir::json_schema());
}

#[test]
fn that_of_the_configuration_is_current() {
    is_current("config.schema.json", &config::json_schema());
}

fn is_current(name: &str, schema: &Value) {
    let path = support::root().join("schema").join(name);
    let text = format!("{schema:#}\n");
    if support::is_blessing() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{name} is not current: .ci/bless published_schemas");
}

#[test]
fn every_property_of_the_model_is_explained() {
    let mut without = Vec::new();
    let schema = ir::json_schema();
    explained(&schema, "", &mut without);
    assert!(without.is_empty(), "{without:#?}");
}

/// Collects the properties and constants that have no description, `kind` apart: it is the tag
/// of what its parent describes.
fn explained(schema: &Value, at: &str, without: &mut Vec<String>) {
    let Some(members) = schema.as_object() else { return };
    for (key, member) in members {
        let at = format!("{at}/{key}");
        match (key.as_str(), member) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    if name != "kind" && property.get("description").is_none() {
                        without.push(format!("{at}/{name}"));
                    }
                    explained(property, &format!("{at}/{name}"), without);
                }
            }
            (_, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    explained(item, &format!("{at}/{index}"), without);
                }
            }
            _ => explained(member, &at, without),
        }
    }
}

#[cfg(feature = "bundled")]
#[test]
fn the_models_of_the_bundled_schemas_conform() {
    let validator = jsonschema::validator_for(&ir::json_schema()).unwrap();
    for name in acp_bindgen::schema::bundled::NAMES {
        let (schema, overlay) = acp_bindgen::schema::bundled::text(name).unwrap();
        conforms(&validator, name, &read(schema, vec![overlay]).unwrap());
    }
}

#[test]
fn the_models_of_all_cases_conform() {
    let validator = jsonschema::validator_for(&ir::json_schema()).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(support::root().join("tests/cases")).unwrap().flatten() {
        let path = entry.path().join("schema.json");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if let Some(protocol) = read(SchemaText::new("schema.json", text), Vec::new()) {
            conforms(&validator, &path.to_string_lossy(), &protocol);
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn what_is_no_model_does_not_conform() {
    let validator = jsonschema::validator_for(&ir::json_schema()).unwrap();
    let schema = json!({ "title": "T", "$defs": { "A": {
        "type": "object", "properties": { "x": { "type": "integer", "minimum": 0 } }
    } } });
    let protocol = read(SchemaText::from_value("t.json", &schema), Vec::new()).unwrap();
    let good = serde_json::to_value(&protocol).unwrap();
    assert!(validator.is_valid(&good));
    for (pointer, bad) in [
        ("/ir_version", json!(999)),
        ("/types/A/kind/kind", json!("thing")),
        ("/types/A/kind/fields/0/presence", json!("sometimes")),
        ("/types/A/kind/fields/0/ty", json!({ "kind": "array" })),
        ("/sides", json!(null)),
    ] {
        let mut model = good.clone();
        *model.pointer_mut(pointer).unwrap() = bad;
        assert!(!validator.is_valid(&model), "{pointer}");
    }
}

fn read(schema: SchemaText, overlays: Vec<SchemaText>) -> Option<Protocol> {
    load(Inputs::new(schema, overlays), Purpose::Generate).protocol
}

fn conforms(validator: &jsonschema::Validator, name: &str, protocol: &Protocol) {
    let model = serde_json::to_value(protocol).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(&model)
        .take(5)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{name}: {problems:#?}");
    // What is described can also be read again.
    assert_eq!(&serde_json::from_value::<Protocol>(model).unwrap(), protocol, "{name}");
}

#[test]
fn configurations_conform_exactly_when_they_are_read() {
    let validator = jsonschema::validator_for(&config::json_schema()).unwrap();
    let good = "schema = \"s.json\"\ntarget = [\"go\", \"rust\"]\ndocs = \"off\"\n\
                [targets.go]\ntemplates = \"t\"\n";
    for (text, expected) in [
        (good, true),
        ("", true),
        ("schema = 1", false),
        ("shcema = \"s\"", false),
        ("docs = \"some\"", false),
        ("[targets.go]\ntemplate = \"t\"", false),
        ("[targets.go]", false),
        ("[targets.go]\ntemplates = \"t\"\nformat = \"html\"", false),
        ("[targets.rust]", true),
        ("[targets.rust]\nformat = \"html\"", false),
        ("[targets.python.files]\n\"src/a/types.py\" = \"src/a/schema.py\"", true),
        ("[targets.typescript]\nfiles = { \"src/types.ts\" = \"src/a.ts\" }", true),
        ("[targets.rust.files]\n\"src/types.rs\" = \"src/a.rs\"", false),
        ("[targets.python]\nfiles = [\"src/a/types.py\"]", false),
        ("[targets.docs]\nformat = \"mdx\"", true),
        ("[targets.docs]\nformat = \"pdf\"", false),
        ("target = [\"Go\"]", false),
    ] {
        let value: Value =
            serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
        assert_eq!(validator.is_valid(&value), expected, "{text}");
        let mut diagnostics = Diagnostics::new();
        let path = std::path::Path::new("acp-bindgen.toml");
        let read = Config::from_toml(path, text, &mut Sources::default(), &mut diagnostics);
        assert_eq!(read.is_some(), expected, "{text}: {diagnostics:?}");
    }
}
