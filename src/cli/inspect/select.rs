//! Finding a method, a type or a side by what a person calls it.

use acp_bindgen::diagnostic::{Diagnostic, nearest};
use acp_bindgen::ir::{Method, Protocol, Side, TypeDef};

/// A part of a protocol that has a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'a> {
    /// A method.
    Method(&'a Method),
    /// A type.
    Type(&'a TypeDef),
    /// A side.
    Side(&'a Side),
}

/// All methods, types and sides of this name, as the wire or as code has it.
pub(super) fn find<'a>(protocol: &'a Protocol, name: &str) -> Result<Vec<Item<'a>>, Diagnostic> {
    let methods = || protocol.methods.iter();
    let exact: Vec<Item<'a>> = methods()
        .filter(|method| method.name.wire == name)
        .map(Item::Method)
        .chain(protocol.types.get(name).map(Item::Type))
        .chain(protocol.side(name).map(Item::Side))
        .collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let in_code: Vec<Item<'a>> = methods()
        .filter(|method| {
            [&method.name, method.function()]
                .iter()
                .any(|known| known.snake() == name || known.camel() == name)
        })
        .map(Item::Method)
        .chain(protocol.types.values().filter(|def| def.name.pascal() == name).map(Item::Type))
        .collect();
    if in_code.is_empty() { Err(unknown(protocol, name)) } else { Ok(in_code) }
}

fn unknown(protocol: &Protocol, name: &str) -> Diagnostic {
    let names = || {
        let methods = protocol.methods.iter().map(|method| method.name.wire.as_str());
        let sides = protocol.sides.iter().map(|side| side.name.wire.as_str());
        methods.chain(protocol.types.keys().map(String::as_str)).chain(sides)
    };
    let error =
        Diagnostic::error("unknown-name", format!("no method, type or side is called `{name}`"));
    if let Some(near) = nearest(name, names()) {
        return error.help(format!("did you mean `{near}`?"));
    }
    let part = name.to_lowercase();
    let similar: Vec<String> = names()
        .filter(|known| !part.is_empty() && known.to_lowercase().contains(&part))
        .take(5)
        .map(|known| format!("`{known}`"))
        .collect();
    if similar.is_empty() {
        return error.help("`acp-bindgen inspect` lists them all");
    }
    error.help(format!("there are {}", similar.join(", ")))
}
