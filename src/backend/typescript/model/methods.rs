//! The wire names of methods.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;

use crate::backend::DocsMode;
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals::{literal, object_key};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Docs, Handler, Method, Name, Side};

/// The methods' wire names.
#[derive(Debug, Serialize)]
pub(super) struct MethodsModel {
    /// Constants for each side, and for the protocol's own methods if it has any.
    pub(super) objects: Vec<MethodConstants>,
    /// The literal of the protocol's version.
    pub(super) version: Option<String>,
}

/// The wire names of what a side handles.
#[derive(Debug, Serialize)]
pub(super) struct MethodConstants {
    pub(super) name: String,
    /// The interface of the side. None for the protocol's own methods.
    pub(super) interface: Option<String>,
    pub(super) methods: Vec<MethodConstant>,
}

#[derive(Debug, Serialize)]
pub(super) struct MethodConstant {
    #[serde(skip)]
    pub(super) of: String,
    doc: Vec<String>,
    pub(super) key: String,
    pub(super) wire: String,
}

impl MethodsModel {
    /// The names of the methods of these sides.
    pub(super) fn new(scope: Scope<'_>, sides: &[Side]) -> Self {
        let protocol = scope.protocol;
        let mut objects = Vec::new();
        for side in sides {
            let methods = protocol.handled_by(&side.name.wire);
            objects.push(MethodConstants::new(&side.name, Some(names::side(side).name), methods));
        }
        let mut own = protocol.methods_of(&Handler::Protocol).peekable();
        if own.peek().is_some() {
            objects.push(MethodConstants::new(&Name::new("protocol"), None, own));
        }
        let version = protocol.version.as_ref().map(|version| match version.as_str() {
            Some(text) => literal(text),
            None => version.to_string(),
        });
        Self { objects, version }
    }
}

impl MethodConstants {
    fn new<'a>(
        owner: &Name,
        interface: Option<String>,
        methods: impl Iterator<Item = &'a Method>,
    ) -> Self {
        // A request and a notification can share a wire name, which then is one constant.
        let mut wires: IndexMap<&str, &Docs> = IndexMap::new();
        for method in methods {
            wires.entry(&method.name.wire).or_insert(&method.docs);
        }
        let mut taken: HashMap<String, usize> = HashMap::new();
        for wire in wires.keys() {
            *taken.entry(names::method_constant(wire)).or_default() += 1;
        }
        let constants = wires.iter().map(|(wire, docs)| {
            let key = names::method_constant(wire);
            // Only the wire names themselves can differ, not what is made of them: no name chosen
            // for code could keep them apart.
            let key = if taken.get(&key) == Some(&1) { key } else { object_key(wire) };
            let doc = Comment::new(docs, DocsMode::Off).block(2);
            MethodConstant { of: (*wire).to_owned(), doc, key, wire: literal(wire) }
        });
        let methods = constants.collect();
        Self { name: names::methods_constant(owner), interface, methods }
    }
}
