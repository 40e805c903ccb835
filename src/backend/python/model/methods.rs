//! The contents of `methods.py`: wire names, and which side handles what.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde::Serialize;

use super::super::docs::{inline, sentence};
use super::super::{literals, names};
use super::scope::Scope;
use crate::ir::{Findings, Handler, Method, Namespace, Side, Things};
use crate::source::Location;

/// `methods.py`
#[derive(Debug, Default, Serialize)]
pub(crate) struct MethodsModule {
    /// The literal of the protocol's version, where the schema says it.
    pub(crate) version: Option<String>,
    pub(crate) constants: Vec<MethodConstant>,
    pub(crate) tables: Vec<MethodTable>,
}

/// A constant with its docstring.
#[derive(Debug, Serialize)]
pub(crate) struct MethodConstant {
    pub(crate) name: String,
    /// The wire name of the method.
    #[serde(skip)]
    pub(crate) wire: String,
    /// The value as a literal.
    pub(crate) value: String,
    pub(crate) doc: String,
}

/// A constant that lists others.
#[derive(Debug, Serialize)]
pub(crate) struct MethodTable {
    pub(crate) name: String,
    pub(crate) members: IndexSet<String>,
    pub(crate) doc: String,
}

/// The constant that holds the version of the protocol.
pub(crate) const VERSION: &str = "PROTOCOL_VERSION";

/// Decides the contents of `methods.py`, with the methods of these sides.
pub(super) fn methods_module(
    scope: &Scope<'_>,
    sides: &[Side],
    diagnostics: &mut Findings,
) -> MethodsModule {
    let protocol = scope.protocol;
    let mut namespace = Namespace::new(Things::Methods, "constants of `methods` in Python");
    let mut module = MethodsModule::default();
    let mut known: HashMap<String, &str> = HashMap::new();
    if let Some(version) = &protocol.version {
        namespace.claim(VERSION, "x-version", &Location::default(), diagnostics);
        let literal = literals::scalar(version);
        module.version = literal.or_else(|| Some(literals::string(&version.to_string())));
    }
    for method in &protocol.methods {
        let name = names::constant(&method.name);
        let wire = method.name.wire.as_str();
        if known.get(&name) == Some(&wire) {
            continue;
        }
        namespace.claim(&name, wire, &method.location, diagnostics);
        known.insert(name.clone(), wire);
        let (value, doc) = (literals::string(wire), sentence(&role(method), 0));
        module.constants.push(MethodConstant { name, wire: wire.to_owned(), value, doc });
    }
    for side in sides {
        let name = names::constant(&side.name);
        let handled = || protocol.handled_by(&side.name.wire);
        let text = format!("The methods that `{}` handles.", inline(&side.name.wire));
        module.tables.push(table(format!("{name}_METHODS"), &text, handled()));
        let text = format!("Those that `{}` need not handle.", inline(&side.name.wire));
        let optional = handled().filter(|method| method.optional);
        module.tables.push(table(format!("OPTIONAL_{name}_METHODS"), &text, optional));
    }
    let lifecycle = protocol.methods.iter().filter(|method| method.lifecycle);
    let text = "Methods that change what the connection is: never part of a batch.";
    module.tables.push(table(String::from("LIFECYCLE_METHODS"), text, lifecycle));
    for MethodTable { name, .. } in &module.tables {
        namespace.claim(name, name, &Location::default(), diagnostics);
    }
    module
}

fn role(method: &Method) -> String {
    let kind = if method.is_request() { "A request" } else { "A notification" };
    match &method.handler {
        Handler::Side { name } => format!("{kind} that `{}` handles.", inline(name)),
        Handler::Either => format!("{kind} that either side handles."),
        Handler::Protocol => format!("{kind} of the connection itself."),
    }
}

fn table<'m>(name: String, text: &str, methods: impl Iterator<Item = &'m Method>) -> MethodTable {
    let members = methods.map(|method| names::constant(&method.name)).collect();
    MethodTable { name, members, doc: sentence(text, 0) }
}
