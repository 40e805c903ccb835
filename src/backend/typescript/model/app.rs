//! The module that makes apps: handlers of a side, method by method.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;

use super::sides::{MethodModel, SidesModel};
use crate::backend::typescript::literals::{key, literal, object_key};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Handler, Name, Type, TypeKind};

/// The module.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct AppModel {
    /// The lines of the object with the wire names of all methods.
    methods: Vec<String>,
    /// The wire names, and how the object's members are called that hold them.
    #[serde(skip)]
    pub(super) paths: Vec<(String, String)>,
    pub(super) sides: Vec<AppSide>,
}

/// A side of which apps are made.
#[derive(Debug, Serialize)]
pub(super) struct AppSide {
    /// The function that makes apps of the side.
    pub(super) factory: String,
    /// The interface of its handlers, and the class of its connections.
    pub(super) name: String,
    pub(super) connection: String,
    /// The handlers of requests and of notifications: wire names as keys, names in the interface.
    requests: Vec<[String; 2]>,
    notifications: Vec<[String; 2]>,
    /// The request that an app answers by itself, if the side is asked for a version.
    pub(super) opening: Option<Opening>,
}

/// The request by which the ends agree on a version.
#[derive(Debug, Serialize)]
pub(super) struct Opening {
    /// Its wire name, and the property of its result that holds the version: literals.
    pub(super) method: String,
    pub(super) property: String,
    /// Its handler's name as a key.
    handler: String,
    /// The definition of its result.
    #[serde(skip)]
    pub(super) result: String,
    /// The property as a key.
    key: String,
    /// True if its result can have more than a version, and if it needs more.
    pub(super) has_more: bool,
    pub(super) needs_more: bool,
}

impl AppModel {
    /// Makes the module of a protocol that has sides, and methods which they handle.
    pub(super) fn new(scope: Scope<'_>, sides: &SidesModel) -> Option<Self> {
        let protocol = scope.protocol;
        let is_handled = |handler: &Handler| *handler != Handler::Protocol;
        let handled = protocol.methods.iter().filter(|method| is_handled(&method.handler));
        let mut tree = Tree::default();
        for method in handled {
            tree.insert(&method.name.wire);
        }
        if sides.sides.is_empty() || tree.children.is_empty() {
            return None;
        }
        let mut model = Self { methods: Vec::new(), paths: Vec::new(), sides: Vec::new() };
        tree.print("", "", &mut model);
        for (side, of) in sides.sides.iter().zip(&protocol.sides) {
            let handled = |is_request: bool| {
                let methods = side.methods.iter();
                let methods = methods.filter(|method| method.method.is_request == is_request);
                let named = methods.map(|it| [object_key(&it.method.of), literal(&it.name)]);
                named.collect::<Vec<_>>()
            };
            model.sides.push(AppSide {
                factory: names::factory(&of.name),
                name: side.names.name.clone(),
                connection: side.names.connection.clone(),
                requests: handled(true),
                notifications: handled(false),
                opening: Opening::new(scope, &of.name.wire, &side.methods),
            });
        }
        Some(model)
    }
}

impl Opening {
    fn new(scope: Scope<'_>, side: &str, handled: &[MethodModel]) -> Option<Self> {
        let protocol = scope.protocol;
        let negotiation = protocol.negotiation.as_ref()?;
        let method = protocol.request_of(side, &negotiation.method)?;
        let property = negotiation.result.wire.as_str();
        let Type::Named { name } = protocol.resolve(method.result()?) else { return None };
        let TypeKind::Record(record) = &protocol.type_def(name)?.kind else { return None };
        let others = record.fields.iter().filter(|field| field.name.wire != property);
        let mut requests = handled.iter().filter(|it| it.method.is_request);
        Some(Self {
            method: literal(&negotiation.method),
            property: literal(property),
            handler: key(&requests.find(|it| it.method.of == negotiation.method)?.name),
            result: name.clone(),
            key: key(property),
            has_more: others.clone().next().is_some(),
            needs_more: others.clone().any(|field| field.presence.is_required()),
        })
    }
}

/// Wire names by their parts.
#[derive(Default)]
struct Tree {
    /// The whole wire name, if one ends here.
    wire: Option<String>,
    children: IndexMap<String, Tree>,
}

impl Tree {
    fn insert(&mut self, wire: &str) {
        let mut at = self;
        for part in wire.split('/') {
            at = at.children.entry(part.to_owned()).or_default();
        }
        at.wire = Some(wire.to_owned());
    }

    /// Adds the lines of the object's members, and what each is called.
    fn print(&self, indent: &str, path: &str, model: &mut AppModel) {
        let indent = format!("{indent}  ");
        let leaf = |key: &str, wire: &str, model: &mut AppModel| {
            model.methods.push(format!("{indent}{key}: {},", literal(wire)));
            model.paths.push((wire.to_owned(), format!("{path}{key}")));
        };
        let keys = self.keys();
        if let Some(wire) = &self.wire {
            // A name that others begin with is told by the member `_`.
            let mut key = String::from("_");
            while keys.contains(&key) {
                key.push('_');
            }
            leaf(&key, wire, model);
        }
        for (key, child) in keys.iter().zip(self.children.values()) {
            match &child.wire {
                Some(wire) if child.children.is_empty() => leaf(key, wire, model),
                _ => {
                    model.methods.push(format!("{indent}{key}: {{"));
                    child.print(&indent, &format!("{path}{key}."), model);
                    model.methods.push(format!("{indent}}},"));
                }
            }
        }
    }

    /// The keys of the children: their words in camel case, where that keeps them apart.
    fn keys(&self) -> Vec<String> {
        let camel = |part: &str| names::member_key(&Name::new(part));
        let mut taken: HashMap<String, usize> = HashMap::new();
        for part in self.children.keys() {
            *taken.entry(camel(part)).or_default() += 1;
        }
        let key = |part: &String| {
            let name = camel(part);
            let is_alone = taken.get(&name) == Some(&1);
            if is_alone && !name.is_empty() { object_key(&name) } else { object_key(part) }
        };
        self.children.keys().map(key).collect()
    }
}
