//! Records of a trace: each has a message and its sender.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::ir::Protocol;
use crate::source::{Json, Member, Node, Span};

/// A message as a file has it.
#[derive(Debug)]
pub(in crate::validate) struct Said<'n> {
    /// The message, or the batch. `Err` with its place: a text that is no JSON.
    pub(in crate::validate) message: Result<Cow<'n, Node>, Span>,
    /// The JSON pointer of the message in its record: `/message`, or nothing.
    pub(in crate::validate) pointer: &'static str,
    /// The sender, as far as the record says.
    pub(in crate::validate) from: Sender,
    /// The side that gets it, if the record names both.
    pub(in crate::validate) to: Option<String>,
    /// The side whose log the record is of.
    pub(in crate::validate) by: Option<String>,
}

impl Said<'_> {
    /// Tells whether the message is in the log of its sender, too. `logging`: the sides with logs.
    pub(in crate::validate) fn is_twice(&self, logging: &BTreeSet<String>) -> bool {
        match &self.from {
            Sender::Side(from) => {
                self.by.as_ref().is_some_and(|by| by != from) && logging.contains(from)
            }
            _ => false,
        }
    }
}

/// The sender of a message, as a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::validate) enum Sender {
    /// The record does not say who.
    Unsaid,
    /// The side of this name sends it.
    Side(String),
    /// The side whose log the record is in.
    Own,
    /// The peer of the side whose log the record is in.
    Other,
    /// The record names a sender or a direction that is unknown.
    Unknown(Span),
}

/// The properties that say who sends a message, or gets it.
const SENDER: [&str; 3] = ["from", "sender", "side"];
const RECEIVER: [&str; 2] = ["to", "receiver"];
const DIRECTION: [&str; 2] = ["direction", "dir"];

/// The words for what the side whose log it is sends and gets.
const OUT: [&str; 7] = ["out", "outgoing", "outbound", "send", "sent", "write", ">"];
const IN: [&str; 8] = ["in", "incoming", "inbound", "receive", "received", "recv", "read", "<"];

/// Reads a value of a trace: a record of a message, or a message.
///
/// A record is an object with a `message` and without what a message has itself. Who sent it is in
/// `from` (or `to`, or `direction`: a word for sent or received, or `A->B`). A message that is a
/// string is taken as its text.
pub(in crate::validate) fn said<'n>(protocol: &Protocol, node: &'n Node) -> Said<'n> {
    let message = Ok(Cow::Borrowed(node));
    let bare = || Said { message, pointer: "", from: Sender::Unsaid, to: None, by: None };
    let Some(members) = node.as_object() else { return bare() };
    let is_message = ["jsonrpc", "method", "id"].iter().any(|key| members.contains_key(*key));
    let Some(message) = node.get("message").filter(|_| !is_message) else { return bare() };
    let first = |keys: &[&str]| keys.iter().find_map(|key| node.get(key));
    let from = match (first(&SENDER), first(&RECEIVER), first(&DIRECTION)) {
        (Some(sender), _, _) => side(protocol, sender),
        (None, Some(receiver), _) => match side(protocol, receiver) {
            Sender::Side(name) => other(protocol, &name).map_or(Sender::Unsaid, Sender::Side),
            from => from,
        },
        (None, None, Some(direction)) => way(protocol, direction),
        (None, None, None) => Sender::Unsaid,
    };
    let to = first(&RECEIVER).filter(|_| first(&SENDER).is_some());
    let to = to.and_then(|to| named(protocol, to.as_str()?));
    let by = node.get("by").and_then(|by| named(protocol, by.as_str()?));
    Said { message: text(message), pointer: "/message", from, to, by }
}

fn side(protocol: &Protocol, node: &Node) -> Sender {
    node.as_str()
        .and_then(|name| named(protocol, name))
        .map_or(Sender::Unknown(node.span), Sender::Side)
}

/// The side of this name, however its letters are cased.
fn named(protocol: &Protocol, name: &str) -> Option<String> {
    let name = name.trim();
    let mut sides = protocol.sides.iter().map(|side| side.name.wire.as_str());
    sides.find(|side| side.eq_ignore_ascii_case(name)).map(str::to_owned)
}

fn way(protocol: &Protocol, node: &Node) -> Sender {
    let said = node.as_str().unwrap_or_default();
    let word = said.to_ascii_lowercase();
    if OUT.contains(&word.as_str()) {
        return Sender::Own;
    }
    if IN.contains(&word.as_str()) {
        return Sender::Other;
    }
    let sender = ["->", "→", " to ", "_to_", "-to-"].into_iter().find_map(|arrow| {
        let (from, to) = said.split_once(arrow)?;
        named(protocol, to).and_then(|_| named(protocol, from))
    });
    sender.map_or(Sender::Unknown(node.span), Sender::Side)
}

/// The side at the other end of a side's connection, if there can only be one.
pub(in crate::validate) fn other(protocol: &Protocol, name: &str) -> Option<String> {
    protocol.side(name)?.counterpart.clone()
}

/// The message of a record: a value, or its text.
fn text(node: &Node) -> Result<Cow<'_, Node>, Span> {
    let Some(text) = node.as_str() else { return Ok(Cow::Borrowed(node)) };
    let value: Value = serde_json::from_str(text).map_err(|_| node.span)?;
    Ok(Cow::Owned(all_at(&value, node.span)))
}

/// A value all of which stands in one place.
fn all_at(value: &Value, span: Span) -> Node {
    let json = match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => Json::Number(number.clone()),
        Value::String(text) => Json::String(text.clone()),
        Value::Array(items) => Json::Array(items.iter().map(|item| all_at(item, span)).collect()),
        Value::Object(members) => {
            let member = |value: &Value| Member { key: span, value: all_at(value, span) };
            Json::Object(members.iter().map(|(key, value)| (key.clone(), member(value))).collect())
        }
    };
    Node { span, json }
}
