//! The schemas of everyday tools, which know nothing of JSON-RPC: what packages of `PyPI` ship.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use acp_bindgen::{ReferredText, SchemaText};
use serde_json::{Map, Value, json};

use super::install::installed;
use super::python::environment;
use super::{available, root, try_run};

/// A schema that a package ships.
#[derive(Clone, Debug)]
pub(crate) struct EverydaySchema {
    /// Its name: `github-workflows`.
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: PathBuf,
}

/// The schemas of CI systems, manifests and compose files that `check-jsonschema` ships, and that of
/// the Debug Adapter Protocol in `debugpy`; in the order of their names. `None` where they cannot be
/// had (see [`available`]). One is left out: it refers to a file that is not shipped.
pub(crate) fn everyday_schemas() -> Option<Vec<EverydaySchema>> {
    static FOUND: OnceLock<Result<Vec<EverydaySchema>, String>> = OnceLock::new();
    available("the schemas of everyday tools", || FOUND.get_or_init(found).clone())
}

fn found() -> Result<Vec<EverydaySchema>, String> {
    let python = environment("python")?.join("python");
    let pinned = root().join("tests/support/tools/everyday/requirements.txt");
    let folder = installed("everyday", &[&pinned], |folder| {
        let pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
        let wheels = ["--only-binary", ":all:", "--requirement", "requirements.txt"];
        try_run(Command::new(&python).args(pip).args(wheels).current_dir(folder))?;
        for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.extension().is_some_and(|it| it == "whl") {
                let unpack = Command::new(&python)
                    .args(["-m", "zipfile", "--extract"])
                    .args([path.as_path(), folder])
                    .current_dir(folder)
                    .output()
                    .map_err(|error| error.to_string())?;
                if !unpack.status.success() {
                    return Err(String::from_utf8_lossy(&unpack.stderr).into_owned());
                }
            }
        }
        Ok(())
    })?;
    let vendored = folder.join("check_jsonschema/builtin_schemas/vendor");
    let files =
        fs::read_dir(&vendored).map_err(|error| format!("{}: {error}", vendored.display()))?;
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.push(
        folder.join("debugpy/_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"),
    );
    paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
    paths.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let schemas = paths.into_iter().map(|path| EverydaySchema { name: name(&path), path });
    Ok(schemas.filter(|schema| schema.name != "drone-ci").collect())
}

/// Schemas that are left out: the largest, which would take as long as all others.
const LARGE: [&str; 5] = ["azure-pipelines", "circle-ci", "renovate", "snapcraft", "travis"];

/// The schemas of everyday tools as parameters of one protocol, with a recursive JSON value.
pub(crate) struct EverydayProtocol {
    pub(crate) document: Value,
    /// What its references lead to.
    pub(crate) referred: Vec<ReferredText>,
    /// The files of that: `URL=FILE`.
    pub(crate) files: Vec<String>,
}

/// One protocol of all schemas but the largest. `None` where they cannot be had.
pub(crate) fn everyday_protocol() -> Option<EverydayProtocol> {
    let schemas = everyday_schemas()?;
    let mut definitions = Map::new();
    let (mut referred, mut files) = (Vec::new(), Vec::new());
    let mut add = |name: &str, properties: Value| {
        let method = json!({ "type": "object", "x-side": "server", "x-method": name });
        let mut params = method.clone();
        params["properties"] = properties;
        let stem: String = name.split(['-', '.', '_']).map(capitalized).collect();
        definitions.insert(format!("{stem}Request"), params);
        definitions.insert(format!("{stem}Response"), method);
    };
    for schema in schemas.iter().filter(|it| !LARGE.contains(&it.name.as_str())) {
        let uri = format!("https://example.org/{}.json", schema.name);
        let text = fs::read_to_string(&schema.path).expect("a schema can be read");
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
        files.push(format!("{uri}={}", schema.path.display()));
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
    Some(EverydayProtocol { document, referred, files })
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
