//! Filters that walk through the types of the protocol.

use std::sync::Arc;

use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind};

use super::value::{member, model};
use crate::ir::{Protocol, Type};

/// Adds the filters. `value` is the protocol as templates see it.
pub(super) fn extend(
    environment: &mut Environment<'static>,
    protocol: &Arc<Protocol>,
    value: &Value,
) {
    environment.add_filter("items", items);
    let types = value.clone();
    environment.add_filter("definition", move |reference: &Value| {
        let name = referred(reference)?;
        let found = definition(&types, &name);
        if found.is_undefined() { Err(missing(&name)) } else { Ok(found) }
    });
    let shared = Arc::clone(protocol);
    environment.add_filter("resolve", move |ty: Serde<Type>| model(shared.resolve(&ty.0)));
    let shared = Arc::clone(protocol);
    environment.add_test("nullable", move |ty: Serde<Type>| shared.admits_null(&ty.0));
    let shared = Arc::clone(protocol);
    environment.add_test("recursive", move |reference: &Value| {
        Ok::<_, Error>(shared.is_recursive(&referred(reference)?))
    });
    let (shared, types) = (Arc::clone(protocol), value.clone());
    environment.add_filter("references", move |reference: &Value| {
        let name = referred(reference)?;
        let def = shared.type_def(&name).ok_or_else(|| missing(&name))?;
        let mut names: Vec<&str> = Vec::new();
        for name in def.kind.references() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok::<_, Error>(definitions(&types, &names))
    });
    let (shared, types) = (Arc::clone(protocol), value.clone());
    environment.add_filter("reachable", move |start: &Value| {
        let names = match start.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                start.try_iter()?.map(|item| referred(&item)).collect::<Result<_, _>>()?
            }
            _ => vec![referred(start)?],
        };
        let reached =
            shared.reachable(names.iter().filter_map(|name| {
                shared.types.get_key_value(name).map(|(name, _)| name.as_str())
            }));
        Ok::<_, Error>(definitions(&types, &reached))
    });
    let (shared, types) = (Arc::clone(protocol), value.clone());
    environment.add_function("topological", move || definitions(&types, &shared.topological()));
}

/// minijinja's own, but for what is undefined: that is not the same as what is no map.
fn items(map: &Value) -> Result<Value, Error> {
    if map.is_undefined() {
        let message = "what goes into `items` is undefined";
        return Err(Error::new(ErrorKind::UndefinedError, message));
    }
    minijinja::filters::items(map)
}

/// The definition of this name; undefined if there is none.
pub(super) fn definition(protocol: &Value, name: &str) -> Value {
    member(&member(protocol, "types"), name)
}

fn definitions(protocol: &Value, names: &[&str]) -> Value {
    let types = member(protocol, "types");
    names.iter().map(|name| member(&types, name)).collect()
}

/// The definition's name that a value of the model comes down to: text, a definition, or a type
/// expression.
fn referred(value: &Value) -> Result<String, Error> {
    if let Some(name) = value.as_str() {
        return Ok(name.to_owned());
    }
    if let Some(name) = member(&member(value, "name"), "wire").as_str() {
        return Ok(name.to_owned());
    }
    let ty = serde_json::to_value(value)
        .ok()
        .and_then(|value| serde_json::from_value::<Type>(value).ok());
    ty.as_ref().and_then(Type::named).map(String::from).ok_or_else(|| {
        let message = "it is neither a definition, nor the name of one, nor a type that refers \
                       to one";
        Error::new(ErrorKind::InvalidOperation, message)
    })
}

fn missing(name: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("no type is called `{name}`"))
}
