//! A second opinion: types made by `typify` accept what ours accept, and mean the same by it.
//!
//! `typify` cannot lower the bundled schema as a whole. A build script (`oracle/build.rs`) has it
//! make types of the definitions that it can take; random valid values then go through its types
//! and ours in one program.

#[path = "../wire/fitted.rs"]
mod fitted;
#[allow(dead_code, reason = "tests/wire uses all of it")]
#[path = "../wire/generate.rs"]
mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;

use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::ir::Protocol;
use acp_bindgen::output::FileSet;
use acp_bindgen::schema::bundled;
use generate::Generator;
use serde_json::{Value, json};

use crate::support;

/// How many random values are made of each schema.
const GENERATED: usize = 2000;

/// How many definitions of each schema are compared, at least.
const COMPARED: [(&str, usize); 4] =
    [("acp_v1", 110), ("acp_v2", 85), ("agent_communication", 10), ("shapes", 14)];

/// Types that lose the payload of a variant in `typify`: `optionId` of what was selected.
const DIFFERENT: [&str; 3] = ["RequestPermissionOutcome", "RequestPermissionResponse", "Tool"];

#[test]
fn typify_accepts_and_means_the_same() {
    let schemas = schemas();
    let lines: Vec<Value> = schemas.iter().flat_map(values).collect();
    let Some(answers) = answers(&schemas, &lines) else { return };
    assert_eq!(answers.len(), lines.len());
    let modelled: BTreeMap<&str, BTreeSet<String>> =
        schemas.iter().map(|(name, text, _)| (*name, modelled(text))).collect();
    let mut compared: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut complaints = String::new();
    for (line, answer) in lines.iter().zip(&answers) {
        let (schema, ty) = (line["schema"].as_str().unwrap(), line["type"].as_str().unwrap());
        let (ours, theirs) = (&answer["ours"], &answer["typify"]);
        assert!(ours["value"] != Value::Null || line["value"].is_null(), "{line}: {ours}");
        if theirs.is_null() || !modelled[schema].contains(ty) || DIFFERENT.contains(&ty) {
            continue;
        }
        compared.entry(schema).or_default().insert(ty);
        if theirs.get("error").is_some() || plain(&ours["value"]) != plain(&theirs["value"]) {
            writeln!(complaints, "{line}\n  ours   {ours}\n  typify {theirs}").unwrap();
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    for (schema, least) in COMPARED {
        let count = compared.get(schema).map_or(0, BTreeSet::len);
        assert!(count >= least, "only {count} definitions of {schema} were compared");
    }
}

/// Random values of a schema's types.
fn values((name, _, protocol): &(&'static str, String, Protocol)) -> Vec<Value> {
    let types: Vec<&str> =
        protocol.types.values().filter(|it| !it.inline).map(|it| it.name.wire.as_str()).collect();
    let mut generator = Generator::new(protocol, 23);
    (0..GENERATED)
        .map(|index| {
            let ty = types[index % types.len()];
            json!({ "schema": name, "type": ty, "value": generator.named(ty, 0) })
        })
        .collect()
}

/// The definitions that reach nothing of which `typify` makes something else than the schema says.
///
/// Of an `anyOf` it makes a struct of optional parts: it refuses what is no object, and drops what
/// no part knows. `date-time` is for it a type of `chrono`, while any string may be sent. It drops
/// the members of an object with a `not`, and those that `additionalProperties: true` allows beside
/// properties, and enforces
/// `propertyNames` and `patternProperties`, which ours say they do not. It knows no `prefixItems`.
fn modelled(schema: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let definitions = schema["$defs"].as_object().unwrap();
    let mut other: BTreeSet<&String> = BTreeSet::new();
    loop {
        let before = other.len();
        for (name, definition) in definitions {
            if is_other(definition, &other) {
                other.insert(name);
            }
        }
        if other.len() == before {
            return definitions.keys().filter(|name| !other.contains(name)).cloned().collect();
        }
    }
}

fn is_other(schema: &Value, other: &BTreeSet<&String>) -> bool {
    match schema {
        Value::Object(members) => {
            let is_nullable = |branches: &Value| {
                branches.as_array().is_some_and(|it| it.iter().any(|it| it["type"] == "null"))
            };
            let reference = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
            members.get("anyOf").is_some_and(|branches| !is_nullable(branches))
                || members.contains_key("not")
                || members.get("format").is_some_and(|format| format == "date-time")
                || members.contains_key("propertyNames")
                || members.contains_key("patternProperties")
                || members.contains_key("prefixItems")
                || members.contains_key("properties")
                    && members.get("additionalProperties") == Some(&Value::Bool(true))
                || other.iter().any(|name| reference == format!("#/$defs/{name}"))
                || members.values().any(|member| is_other(member, other))
        }
        Value::Array(items) => items.iter().any(|item| is_other(item, other)),
        _ => false,
    }
}

/// Name, text and model of each schema.
fn schemas() -> Vec<(&'static str, String, Protocol)> {
    let file = |path: &str| fs::read_to_string(support::root().join(path)).unwrap();
    let texts = [
        ("acp_v1", bundled::text("acp@v1").unwrap().0.text),
        ("acp_v2", bundled::text("acp@v2").unwrap().0.text),
        ("agent_communication", file("schema/agent-communication.json")),
        ("shapes", file("tests/wire/shapes.schema.json")),
    ];
    texts
        .into_iter()
        .map(|(name, text)| {
            let protocol = support::lowered(name, &text).protocol.unwrap();
            (name, text, protocol)
        })
        .collect()
}

/// Builds the program, and has it answer the lines. `None` where the crates cannot be had.
fn answers(schemas: &[(&str, String, Protocol)], lines: &[Value]) -> Option<Vec<Value>> {
    let mut files = FileSet::new();
    for (path, text) in [
        ("Cargo.toml", include_str!("oracle/Cargo.toml")),
        ("build.rs", include_str!("oracle/build.rs")),
        ("src/main.rs", include_str!("oracle/src/main.rs")),
    ] {
        files.insert(path, text.to_owned());
    }
    for (name, text, protocol) in schemas {
        files.insert(format!("schemas/{name}.json"), text.clone());
        let package = format!("ours_{name}");
        let options = Options::new(package.as_str(), DocsMode::Off, Runtime::None);
        let mut diagnostics = Diagnostics::new();
        files.insert_under(&package, Rust.emit(protocol, &options, &mut diagnostics));
        assert!(!diagnostics.has_errors());
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let input = lines.join("\n") + "\n";
    files.insert("input.jsonl", input);
    let folder = support::synced("typify-oracle", &files);
    let cargo = |arguments: &[&str]| {
        let mut command = support::cargo();
        command.args(arguments).arg("--quiet").current_dir(&folder);
        command.env("CARGO_TARGET_DIR", support::target().join("typify-oracle"));
        command
    };
    support::available("the crate `typify`", || support::try_run(&mut cargo(&["fetch"])))?;
    let input = fs::File::open(folder.join("input.jsonl")).unwrap();
    let output = support::run(cargo(&["run", "--offline"]).stdin(Stdio::from(input)));
    Some(output.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A value without what `typify` does not tell apart: absent, `null` and empty members.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, member)| (key.clone(), plain(member)))
            .filter(|(_, member)| !is_nothing(member))
            .collect(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
