//! What the bench needs of Rust: `schema` prints the bundled schema, `typify` prints what that
//! crate makes of a schema, and `definitions` which definitions it can take one by one.

use std::collections::BTreeSet;
use std::error::Error;
use std::panic;
use std::{env, fs, process};

use serde_json::{Map, Value, json};
use typify::{TypeSpace, TypeSpaceSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["schema"] => {
            let (schema, _) = acp_bindgen::schema::bundled::text("acp@v1").ok_or("no schema")?;
            println!("{}", schema.text);
        }
        ["typify", path] => println!("{}", code(&read(path)?)?),
        ["definitions", path] => definitions(&read(path)?),
        _ => {
            eprintln!("generate-bench schema | typify FILE | definitions FILE");
            process::exit(2);
        }
    }
    Ok(())
}

/// A schema with its definitions where this crate looks for them.
fn read(path: &str) -> Result<Value, Box<dyn Error>> {
    let text = fs::read_to_string(path)?.replace("#/$defs/", "#/definitions/");
    let mut schema: Value = serde_json::from_str(&text)?;
    if let Some(members) = schema.as_object_mut()
        && let Some(definitions) = members.remove("$defs")
    {
        members.insert("definitions".to_owned(), definitions);
    }
    Ok(schema)
}

/// What `typify` makes of a schema. It panics where there is something that it does not model.
fn code(schema: &Value) -> Result<String, Box<dyn Error>> {
    let mut types = TypeSpace::new(TypeSpaceSettings::default().with_struct_builder(false));
    types.add_root_schema(serde_json::from_value(schema.clone())?)?;
    Ok(prettyplease::unparse(&syn::parse2(types.to_stream())?))
}

/// Prints of each definition, with what it refers to, whether `typify` can take it.
fn definitions(schema: &Value) {
    let Some(definitions) = schema["definitions"].as_object() else { return };
    panic::set_hook(Box::new(|_| {}));
    for name in definitions.keys() {
        let document = json!({ "definitions": closure(definitions, name) });
        let taken = panic::catch_unwind(|| code(&document).is_ok()).unwrap_or(false);
        println!("{} {name}", if taken { "taken" } else { "refused" });
    }
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
