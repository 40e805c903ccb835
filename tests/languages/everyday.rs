//! The schemas of everyday tools and a recursive JSON value, as parameters of one protocol: what
//! comes out compiles in each language, and is formatted.

use std::sync::OnceLock;

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::{Diagnostics, Severity};
use acp_bindgen::ir::Protocol;
use acp_bindgen::output::FileSet;
use acp_bindgen::{Inputs, ReferredText, SchemaText};
use serde_json::{Map, Value, json};

use crate::support;

/// Schemas that are left out: the largest, which would take as long as all others.
const LARGE: [&str; 5] = ["azure-pipelines", "circle-ci", "renovate", "snapcraft", "travis"];

#[test]
fn rust_compiles() {
    let Some(folder) = written(&Rust) else { return };
    let manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"everyday\"]\n";
    support::write_files(&folder, [("Cargo.toml", manifest)]);
    support::compile_rust(&folder);
}

#[test]
fn typescript_compiles() {
    let Some(node) = support::node() else { return };
    let Some(folder) = written(&TypeScript) else { return };
    support::compile_typescript(&node, &folder);
    let mut prettier = node.prettier();
    prettier.args(["--check", "--log-level", "warn", "--no-editorconfig", "everyday/src"]);
    support::run(prettier.args(["--ignore-path", "/dev/null"]).current_dir(&folder));
}

#[test]
fn python_compiles() {
    let Some(python) = support::python() else { return };
    let Some(folder) = written(&Python) else { return };
    support::compile_python(&python, &folder, &[folder.join("everyday")]);
    let mut ruff = python.ruff();
    support::run(
        ruff.args(["format", "--check", "--isolated", "--quiet", "."]).current_dir(&folder),
    );
}

/// The folder with the package of a language.
fn written(language: &dyn Backend) -> Option<std::path::PathBuf> {
    static PROTOCOL: OnceLock<Option<Protocol>> = OnceLock::new();
    let protocol = PROTOCOL.get_or_init(protocol).as_ref()?;
    let options = Options::new("everyday", DocsMode::Full, Runtime::None);
    let mut diagnostics = Diagnostics::new();
    let files = language.emit(protocol, &options, &mut diagnostics);
    assert_eq!(diagnostics.count(Severity::Error), 0, "{diagnostics:?}");
    let mut all = FileSet::new();
    all.insert_under("everyday", files);
    Some(support::synced(&format!("everyday-{}", language.id()), &all))
}

fn protocol() -> Option<Protocol> {
    let schemas = support::everyday_schemas()?;
    let mut definitions = Map::new();
    let mut referred = Vec::new();
    let mut add = |name: &str, properties: Value| {
        let method = json!({ "type": "object", "x-side": "server", "x-method": name });
        let mut params = method.clone();
        params["properties"] = properties;
        definitions.insert(format!("{name}Request"), params);
        definitions.insert(format!("{name}Response"), method);
    };
    for schema in schemas.iter().filter(|it| !LARGE.contains(&it.name.as_str())) {
        let uri = format!("https://example.org/{}.json", schema.name);
        let text = std::fs::read_to_string(&schema.path).expect("a schema can be read");
        let whole: Value = serde_json::from_str(&text).expect("it is JSON");
        let parts: Vec<&String> = match whole["definitions"].as_object() {
            Some(all) if schema.name == "debugProtocol" => all.keys().collect(),
            _ => Vec::new(),
        };
        let refer = |name: &&String| {
            ((*name).clone(), json!({ "$ref": format!("{uri}#/definitions/{name}") }))
        };
        let properties = match parts.as_slice() {
            [] => json!({ "value": { "$ref": uri } }),
            parts => parts.iter().map(refer).collect::<Value>(),
        };
        add(&schema.name, properties);
        let text = Ok(SchemaText::new(format!("{}.json", schema.name), text));
        referred.push(ReferredText { uri, text });
    }
    assert!(referred.len() >= 21, "{} schemas", referred.len());
    add("anything", json!({ "value": { "$ref": "#/$defs/Anything" } }));
    let anything = json!({ "$ref": "#/$defs/Anything" });
    let scalars =
        ["string", "integer", "number", "boolean", "null"].map(|it| json!({ "type": it }));
    let parts = ["Object", "List"].map(|it| json!({ "$ref": format!("#/$defs/Any{it}") }));
    let alternatives: Vec<Value> = parts.into_iter().chain(scalars).collect();
    definitions.insert("Anything".to_owned(), json!({ "anyOf": alternatives }));
    let list = json!({ "type": "array", "items": anything });
    let object = json!({ "type": "object", "additionalProperties": anything });
    definitions.extend([("AnyList".to_owned(), list), ("AnyObject".to_owned(), object)]);
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    let document = json!({ "title": "Everyday", "$schema": dialect, "$defs": definitions });
    let mut inputs = Inputs::from(SchemaText::from_value("everyday.json", &document));
    inputs.referred = referred;
    let lowered = support::lowered_from(inputs);
    assert!(lowered.protocol.is_some(), "{}", lowered.report());
    lowered.protocol
}
