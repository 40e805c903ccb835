//! Has `typify` make types of the definitions that it can take, of each schema in `schemas/`.
//!
//! It panics where there is something that it does not model, and of some definitions it makes types
//! without end. So each definition is tried in a process of its own, with what it refers to and with
//! limits; then those that it took are lowered together.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::{Map, Value, json};
use typify::{TypeSpace, TypeSpaceSettings};

/// Set in a process that lowers the definitions in this file and does nothing else.
const TRIAL: &str = "TYPIFY_TRIAL";

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(path) = env::var_os(TRIAL) {
        lowered(serde_json::from_str(&fs::read_to_string(path)?)?)?.to_stream();
        return Ok(());
    }
    println!("cargo:rerun-if-changed=schemas");
    let out = env::var("OUT_DIR")?;
    for name in ["acp_v1", "acp_v2", "agent_communication", "shapes"] {
        let text = fs::read_to_string(format!("schemas/{name}.json"))?;
        let schema: Value = serde_json::from_str(&text.replace("#/$defs/", "#/definitions/"))?;
        let definitions = schema["$defs"].as_object().ok_or("no definitions")?;
        fs::write(Path::new(&out).join(format!("{name}.rs")), module(definitions)?)?;
    }
    Ok(())
}

/// Whether these definitions can be lowered, in ten seconds and a gigabyte.
fn can_take(definitions: &Map<String, Value>) -> Result<bool, Box<dyn Error>> {
    let path = Path::new(&env::var("OUT_DIR")?).join("trial.json");
    fs::write(&path, serde_json::to_string(definitions)?)?;
    let mut trial = Command::new("sh");
    trial.args(["-c", "ulimit -v 1048576; ulimit -t 10; exec \"$0\""]);
    trial.arg(env::current_exe()?).env(TRIAL, path).env_remove("RUST_BACKTRACE");
    trial.stdout(Stdio::null()).stderr(Stdio::null());
    Ok(trial.status()?.success())
}

/// The types of all definitions that can be taken, and a function that finds them by name.
fn module(definitions: &Map<String, Value>) -> Result<String, Box<dyn Error>> {
    let mut taken = BTreeSet::new();
    for name in definitions.keys() {
        if can_take(&closure(definitions, name))? {
            taken.insert(name);
        }
    }
    let mut together: Map<String, Value> = definitions
        .iter()
        .filter(|(name, _)| closure(definitions, name).keys().all(|name| taken.contains(name)))
        .map(|(name, definition)| (name.clone(), definition.clone()))
        .collect();
    if !can_take(&together)? {
        println!("cargo:warning=typify does not take all of these together");
        together.clear();
    }
    let names: Vec<String> = together.keys().cloned().collect();
    let types = lowered(together)?;
    let by_name: BTreeMap<String, String> =
        types.iter_types().map(|ty| (plain(&ty.name()), ty.name())).collect();
    let types = prettyplease::unparse(&syn::parse2(types.to_stream())?);
    let mut code = format!("pub mod types {{\n{types}\n}}\n\n");
    code += "pub fn recode(name: &str, text: &str) -> Option<super::Outcome> {\n    match name {\n";
    for name in &names {
        if let Some(ty) = by_name.get(&plain(name)) {
            writeln!(code, "        {name:?} => Some(super::recode::<types::{ty}>(text)),")?;
        }
    }
    code += "        _ => None,\n    }\n}\n";
    Ok(code)
}

fn lowered(definitions: Map<String, Value>) -> Result<TypeSpace, Box<dyn Error>> {
    let mut types = TypeSpace::new(TypeSpaceSettings::default().with_struct_builder(false));
    types.add_root_schema(serde_json::from_value(json!({ "definitions": definitions }))?)?;
    Ok(types)
}

/// A name without what two spellings of it can differ in.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

/// A definition with all that it refers to.
fn closure(definitions: &Map<String, Value>, name: &str) -> Map<String, Value> {
    let (mut found, mut next) = (BTreeSet::new(), vec![name.to_owned()]);
    while let Some(name) = next.pop() {
        if let Some(definition) = definitions.get(&name)
            && found.insert(name)
        {
            references(definition, &mut next);
        }
    }
    let is_found = |(name, _): &(&String, &Value)| found.contains(*name);
    definitions.iter().filter(is_found).map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                found.extend(reference.strip_prefix("#/definitions/").map(str::to_owned));
            }
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
