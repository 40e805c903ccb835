//! The means by which proofs are found: both ends, and what one may send to the other.

use serde_json::{Value, json};

use super::build::Builder;
use super::check::Peer;
use super::path::Routes;
use crate::breaking::verdict::Direction;
use crate::ir::{Field, Part, Payload, Protocol, Type};
use crate::schema_validator::SchemaValidator;

/// Both ends of a direction.
pub(super) struct Prover<'a> {
    pub(super) direction: Direction,
    pub(super) sender: &'a Protocol,
    pub(super) receiver: &'a Protocol,
    /// The sender's schema, if its text is known.
    pub(super) schema: Option<SchemaValidator>,
    pub(super) sends: Peer<'a>,
    pub(super) receives: Peer<'a>,
    pub(super) routes: Routes<'a>,
}

/// A value that shows the break, and the message that holds it.
pub(super) struct Found {
    pub(super) payload: Option<Payload>,
    pub(super) value: Value,
    pub(super) message: Value,
    pub(super) rejected: String,
    pub(super) forgiven: Option<Value>,
}

impl Prover<'_> {
    /// Tells whether the sender's code sends a value, and its schema allows it.
    pub(super) fn may_send(&self, ty: &Type, value: &Value) -> bool {
        self.sends.may_send(ty, value)
            && self.sends.accepts(ty, value)
            && !self.is_forbidden(ty, value)
    }

    /// Tells whether the sender's schema forbids a value, by more than the model says. Where that
    /// cannot be judged it does not.
    fn is_forbidden(&self, ty: &Type, value: &Value) -> bool {
        let takes = |schema: &SchemaValidator| schema.takes(ty.named()?, value);
        self.schema.as_ref().and_then(takes) == Some(false)
    }

    /// Gives the other properties of an object values that the receiver takes, where there are
    /// such, so that only the one that is looked at is wrong.
    pub(super) fn agree(&self, sent: &Type, expected: &Type, but: &str, object: &mut Value) {
        let (before, after) = (self.sender.fields(sent), self.receiver.fields(expected));
        let Some(members) = object.as_object_mut() else { return };
        for (name, value) in members.iter_mut().filter(|(name, _)| *name != but) {
            let is_twin = |field: &&Field| field.name.wire == *name;
            let twins = before.iter().find(is_twin).zip(after.iter().find(is_twin));
            let Some((Field { ty: from, .. }, Field { ty: to, .. })) = twins else { continue };
            if value.is_null() || self.receives.accepts(to, value) {
                continue;
            }
            let mut others = Builder::of_message(self.sender, &self.sends.plan).variations(
                from,
                None,
                Vec::new(),
            );
            others.retain(|other| self.may_send(from, other) && self.receives.accepts(to, other));
            if let Some(other) = others.into_iter().min_by_key(|other| other.to_string().len()) {
                *value = other;
            }
        }
    }
}

/// A message with a payload of a method.
pub(super) fn message(part: Part, method: &str, payload: &Value) -> Value {
    match part {
        Part::Params => json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": payload }),
        Part::Notification => json!({ "jsonrpc": "2.0", "method": method, "params": payload }),
        Part::Result => json!({ "jsonrpc": "2.0", "id": 1, "result": payload }),
    }
}
