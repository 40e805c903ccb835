//! The JSON-RPC envelope: the unions of all messages of one kind, and what they tell about sides
//! and roles.

use std::cmp::Reverse;
use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use super::Lowerer;
use crate::ir::{Docs, ExtensionDocs, Extensions, Name, Side, Type};
use crate::schema::SchemaObject;

/// The part of a payload in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Request,
    Response,
    Notification,
}

/// The ends of a result's name, where it is not that of a response.
const RESULT: &str = "Result";

/// The end of the name of params, where it does not tell a request from a notification.
const PARAMS: [&str; 2] = ["Params", "Arguments"];

impl Role {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Request, "Request"),
        (Self::Response, "Response"),
        (Self::Notification, "Notification"),
    ];

    /// The role that a type's name ends in, and what comes before.
    pub(super) fn of_name(name: &str) -> Option<(Self, &str)> {
        Self::ALL.into_iter().find_map(|(role, suffix)| Some((role, name.strip_suffix(suffix)?)))
    }

    /// The role that a payload's name says, and what comes before. `None` for the role: it is the
    /// params of a request, or of a notification if there is no result.
    pub(super) fn of_payload(name: &str) -> Option<(Option<Self>, &str)> {
        let other = || {
            let params = || PARAMS.iter().find_map(|suffix| name.strip_suffix(suffix));
            let result = name.strip_suffix(RESULT).map(|stem| (Some(Self::Response), stem));
            result.or_else(|| params().map(|stem| (None, stem)))
        };
        Self::of_name(name).map(|(role, stem)| (Some(role), stem)).or_else(other)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Notification => "notification",
        }
    }
}

/// The content of the message unions.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    /// The definitions that hold messages: the unions, and what is made of them.
    pub(super) definitions: IndexSet<String>,
    /// The role of each payload that a union lists.
    pub(super) roles: IndexMap<String, Role>,
    /// The docs that a union has of the method of a payload, by the payload's name: those of a
    /// result are not about the method.
    pub(super) docs: IndexMap<&'a str, &'a Docs>,
    pub(super) sides: Vec<Side>,
    pub(super) extensions: Option<Extensions>,
    /// The docs that unions have of messages whose methods they do not name, with the side that
    /// sends them.
    pub(super) extension_docs: Vec<(Name, Role, Docs)>,
    /// Every alternative of every message union.
    pub(super) listed: Vec<Listed<'a>>,
    /// The definitions beside payloads that the envelope's definitions hold.
    pub(super) transport: Vec<String>,
}

/// An alternative of a message union, as it stands there.
#[derive(Debug)]
pub(super) struct Listed<'a> {
    /// The beginning of the union's name: the side that sends such messages.
    pub(super) sender: &'a str,
    pub(super) role: Role,
    /// Its place in the union.
    pub(super) index: usize,
    pub(super) payload: Option<&'a str>,
    pub(super) title: Option<&'a str>,
    pub(super) is_null: bool,
}

/// An alternative of a message union.
struct Message<'a> {
    schema: &'a SchemaObject,
    /// The payload's definition; `None` for an inline schema.
    payload: Option<&'a str>,
    /// True if the payload belongs to no method: an extension's.
    unbound: bool,
}

impl<'a> Lowerer<'a> {
    /// Finds the message unions: definitions named for a kind of message, whose alternatives are
    /// payloads of methods or which the root schema lists.
    pub(super) fn envelope(&mut self) -> Envelope<'a> {
        let document = self.document;
        let rooted = root_references(&document.root);
        let mut envelope = Envelope::default();
        let mut declared: Vec<(String, Vec<Option<&str>>)> = Vec::new();
        for (name, schema) in &document.definitions {
            let Some((role, prefix)) = Role::of_name(name) else { continue };
            if schema.annotations.method.is_some() {
                continue;
            }
            let messages = self.messages(schema, role);
            let bound =
                messages.iter().any(|message| message.payload.is_some() && !message.unbound);
            let is_empty = messages.iter().all(|message| message.schema.is_null());
            if is_empty || !(bound || rooted.contains(&name.as_str())) {
                continue;
            }
            envelope.definitions.insert(name.clone());
            let mut sides = Vec::new();
            envelope.listed.extend(messages.iter().enumerate().map(|(index, message)| Listed {
                sender: prefix,
                role,
                index,
                payload: message.payload,
                title: message.schema.title.as_deref(),
                is_null: message.schema.is_null(),
            }));
            for message in messages.into_iter().filter(|message| !message.schema.is_null()) {
                if let Some(payload) = message.payload.filter(|_| !message.unbound) {
                    envelope.roles.insert(payload.to_owned(), role);
                    if role != Role::Response {
                        envelope.docs.insert(payload, &message.schema.docs);
                    }
                    sides.push(document.definitions[payload].annotations.side.as_deref());
                } else {
                    let sender = Name::new(prefix);
                    envelope.extension_docs.push((sender, role, message.schema.docs.clone()));
                    note_extension(&mut envelope.extensions, role, message.payload);
                }
            }
            if !declared.iter().any(|(side, _)| side == prefix) {
                declared.push((prefix.to_owned(), sides));
            }
        }
        self.describe_at_root(&mut envelope.docs);
        self.add_wrappers(&mut envelope.definitions);
        envelope.transport = self.transport(&envelope);
        envelope.sides = self.sides(&declared, &rooted);
        envelope
    }

    /// Adds the docs of message unions that stand in the root itself, not in a definition.
    fn describe_at_root(&self, docs: &mut IndexMap<&'a str, &'a Docs>) {
        for schema in self.document.root.branches() {
            for message in self.messages(schema, Role::Notification) {
                if let Some(payload) = message.payload.filter(|_| !message.unbound) {
                    docs.entry(payload).or_insert(&message.schema.docs);
                }
            }
        }
    }

    /// The definitions that the envelope and the root mention beside payloads.
    fn transport(&self, envelope: &Envelope<'_>) -> Vec<String> {
        let payloads: IndexSet<&str> =
            envelope.listed.iter().filter_map(|message| message.payload).collect();
        let definitions = &self.document.definitions;
        let holders = envelope.definitions.iter().filter_map(|name| definitions.get(name));
        let mut found: IndexSet<&str> = IndexSet::new();
        for name in holders.chain([&self.document.root]).flat_map(mentioned) {
            let is_bound = |schema: &SchemaObject| schema.annotations.method.is_some();
            if !payloads.contains(name)
                && !envelope.definitions.contains(name)
                && definitions.get(name).is_some_and(|schema| !is_bound(schema))
            {
                found.insert(name);
            }
        }
        found.into_iter().map(str::to_owned).collect()
    }

    /// The definitions of the envelope that the payload of a method holds: they are types as well.
    pub(super) fn held(&self, envelope: &IndexSet<String>) -> HashSet<&'a str> {
        let definitions = &self.document.definitions;
        let bound = definitions.values().filter(|schema| schema.annotations.method.is_some());
        let mut pending: Vec<&'a str> = bound.flat_map(mentioned).collect();
        let mut held = HashSet::new();
        while let Some(name) = pending.pop() {
            if envelope.contains(name) && held.insert(name) {
                pending.extend(definitions.get(name).into_iter().flat_map(mentioned));
            }
        }
        held
    }

    /// Adds the definitions that mention a message union: whole messages, and batches of them.
    fn add_wrappers(&self, envelope: &mut IndexSet<String>) {
        let definitions = &self.document.definitions;
        let mentions = definitions.iter().filter(|(_, schema)| schema.annotations.method.is_none());
        let mentions: Vec<(&String, Vec<&str>)> =
            mentions.map(|(name, schema)| (name, mentioned(schema))).collect();
        loop {
            let before = envelope.len();
            for (name, mentioned) in &mentions {
                if mentioned.iter().any(|other| envelope.contains(*other)) {
                    envelope.insert((*name).clone());
                }
            }
            if envelope.len() == before {
                return;
            }
        }
    }

    /// The sides that send a union of messages; if there are not enough unions, then those that
    /// methods name. More than two are in the order in which the root lists what they send, then
    /// in that of the number of their methods: the order of definitions says nothing.
    fn sides(&self, declared: &[(String, Vec<Option<&str>>)], rooted: &[&str]) -> Vec<Side> {
        let side = |wire: &str| Side {
            name: Name::new(wire),
            capabilities: None,
            counterpart: None,
            docs: Docs::default(),
            extensions: ExtensionDocs::default(),
        };
        let used: Vec<&str> = self
            .document
            .definitions
            .values()
            .filter_map(|schema| schema.annotations.side.as_deref())
            .filter(|side| !["both", "protocol"].contains(side))
            .collect();
        let mut sides: Vec<Side> = Vec::new();
        for (prefix, handlers) in declared {
            // The union of messages that belong to the protocol is sent by no side of its own.
            if !handlers.is_empty() && handlers.iter().all(|side| *side == Some("protocol")) {
                continue;
            }
            let words = Name::new(prefix).words;
            let spelled = used.iter().find(|side| Name::new(**side).words == words);
            sides.push(side(spelled.copied().unwrap_or(&prefix.to_lowercase())));
        }
        // A connection has two ends: with fewer unions than that, the handlers name the other.
        if sides.len() < 2 {
            for wire in &used {
                if !sides.iter().any(|side| side.name.wire == *wire) {
                    sides.push(side(wire));
                }
            }
        }
        if sides.len() > 2 {
            sides.sort_by_cached_key(|Side { name, .. }| {
                let is_own = |union: &&str| {
                    Role::of_name(union).is_some_and(|(_, of)| Name::new(of).words == name.words)
                };
                let place = rooted.iter().position(is_own).unwrap_or(rooted.len());
                let payloads = used.iter().filter(|side| **side == name.wire).count();
                (place, Reverse(payloads), name.wire.clone())
            });
        }
        sides
    }

    fn messages(&self, schema: &'a SchemaObject, role: Role) -> Vec<Message<'a>> {
        let property = match role {
            Role::Request | Role::Notification => "params",
            Role::Response => "result",
        };
        // The union itself; the payload property of an envelope; or that of one of the two
        // envelopes a response can be.
        let payload = std::iter::once(schema)
            .chain(schema.branches())
            .find_map(|schema| schema.properties.get(property));
        let mut branches: Vec<_> = payload.unwrap_or(schema).branches().iter().collect();
        // Payloads may be missing: that is no message of its own.
        if payload.is_some() && branches.iter().any(|branch| !branch.is_null()) {
            branches.retain(|branch| !branch.is_null());
        }
        if let [only] = branches.as_slice()
            && !only.branches().is_empty()
        {
            branches = only.branches().iter().collect();
        }
        let messages: Option<Vec<_>> =
            branches.into_iter().map(|branch| self.message(branch)).collect();
        messages.unwrap_or_default()
    }

    fn message(&self, branch: &'a SchemaObject) -> Option<Message<'a>> {
        if branch.is_unrestricted() || branch.is_null() {
            return Some(Message { schema: branch, payload: None, unbound: true });
        }
        let name = &branch.alias_target()?.name;
        let definition = self.document.definitions.get(name)?;
        let unbound = definition.annotations.method.is_none();
        Some(Message { schema: branch, payload: Some(name), unbound })
    }
}

/// Every definition that a schema refers to, at any depth.
fn mentioned(schema: &SchemaObject) -> Vec<&str> {
    let mut names = Vec::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        names.extend(schema.reference.as_ref().map(|reference| reference.name.as_str()));
        pending.extend(schema.parts());
    }
    names
}

/// The definitions that the root lists, in its order, at any depth.
fn root_references(root: &SchemaObject) -> Vec<&str> {
    let own = root.alias_target().map(|reference| reference.name.as_str());
    own.into_iter().chain(root.branches().iter().flat_map(root_references)).collect()
}

fn note_extension(extensions: &mut Option<Extensions>, role: Role, payload: Option<&str>) {
    let extensions = extensions.get_or_insert_with(Extensions::default);
    let slot = match role {
        Role::Request => &mut extensions.request,
        Role::Response => &mut extensions.result,
        Role::Notification => &mut extensions.notification,
    };
    if slot.is_none() {
        *slot = Some(payload.map_or(Type::Any, |name| Type::Named { name: name.to_owned() }));
    }
}
