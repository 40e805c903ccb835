//! The types that methods carry, as a picture for Mermaid.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use acp_bindgen::ir::{Method, Protocol, Type};
use indexmap::IndexSet;

use super::expression::handler_words;
use super::select::Item;

/// Draws methods, the types of their payloads, and the types that those mention. Everything, or
/// what is reached from the given items.
pub(super) fn picture(protocol: &Protocol, items: Option<&[Item<'_>]>) -> String {
    let mut methods: Vec<&Method> = Vec::new();
    let mut roots: Vec<&str> = Vec::new();
    match items {
        None => methods.extend(&protocol.methods),
        Some(items) => items.iter().for_each(|item| match item {
            Item::Method(method) => methods.push(method),
            Item::Type(def) => roots.push(&def.name.wire),
            Item::Side(side) => methods.extend(protocol.handled_by(&side.name.wire)),
        }),
    }
    let types = reached(protocol, &methods, roots);
    let mut text = String::from("flowchart LR\n");
    // Writing to a string cannot fail.
    for (number, handler) in protocol.handlers().enumerate() {
        let mut own =
            methods.iter().enumerate().filter(|(_, method)| method.handler == handler).peekable();
        if own.peek().is_none() {
            continue;
        }
        let _ = writeln!(
            text,
            "  subgraph s{number}[{}]",
            quoted(&format!("handled by {}", handler_words(&handler)))
        );
        for (index, method) in own {
            let _ = writeln!(text, "    m{index}([{}])", quoted(&method.name.wire));
        }
        text.push_str("  end\n");
    }
    for (index, name) in types.iter().enumerate() {
        let _ = writeln!(text, "  t{index}[{}]", quoted(name));
    }
    let number = |name: &str| types.get_index_of(name);
    for (index, method) in methods.iter().enumerate() {
        if let Some(params) = method.params().named().and_then(number) {
            let _ = writeln!(text, "  m{index} -->|params| t{params}");
        }
        if let Some(result) = method.result().and_then(Type::named).and_then(number) {
            let _ = writeln!(text, "  m{index} -->|result| t{result}");
        }
    }
    for (index, def) in types.iter().filter_map(|name| protocol.type_def(name)).enumerate() {
        let mentioned: BTreeSet<usize> =
            def.kind.references().into_iter().filter_map(number).collect();
        for mentioned in mentioned {
            let _ = writeln!(text, "  t{index} --> t{mentioned}");
        }
    }
    text
}

/// The names of all types that are reached, in the order in which they are.
fn reached<'a>(
    protocol: &'a Protocol,
    methods: &[&'a Method],
    roots: Vec<&'a str>,
) -> IndexSet<&'a str> {
    let payloads = methods.iter().flat_map(|method| {
        let result = method.result().and_then(Type::named);
        method.params().named().into_iter().chain(result)
    });
    let mut names: IndexSet<&str> = roots
        .into_iter()
        .chain(payloads)
        .filter(|name| protocol.type_def(name).is_some())
        .collect();
    let mut next = 0;
    while let Some(def) = names.get_index(next).and_then(|name| protocol.type_def(name)) {
        names.extend(def.kind.references());
        next += 1;
    }
    names
}

/// A label for Mermaid: in quotes, with everything that could end or style it as an entity.
fn quoted(text: &str) -> String {
    let mut label = String::from("\"");
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || " /_-.$:".contains(character) {
            label.push(character);
        } else {
            let _ = write!(label, "#{};", u32::from(character));
        }
    }
    label.push('"');
    label
}
