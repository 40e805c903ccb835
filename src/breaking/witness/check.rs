//! Peers: what a sender may send, and what a receiver makes of it.

use serde_json::Value;

use crate::decode::{DecodeError, DecodePlan, Decoder, Mode, PathStep, UnknownFields};
use crate::ir::{Protocol, Type};

/// A peer of a connection, going by its schema.
pub(super) struct Peer<'a> {
    protocol: &'a Protocol,
    pub(super) plan: DecodePlan,
}

impl<'a> Peer<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        Self { protocol, plan: DecodePlan::new(protocol, UnknownFields::Drop) }
    }

    /// Tells whether generated code sends the value as one of the type.
    pub(super) fn may_send(&self, ty: &Type, value: &Value) -> bool {
        self.decode(Mode::Strict, ty, value).is_ok()
    }

    /// Gives the reason for which the schema by itself refuses the value, if it does.
    pub(super) fn refusal(&self, ty: &Type, value: &Value) -> Option<DecodeError> {
        self.decode(Mode::Exact, ty, value).err()
    }

    /// Tells whether the schema, taken at its word, accepts the value.
    pub(super) fn accepts(&self, ty: &Type, value: &Value) -> bool {
        self.refusal(ty, value).is_none()
    }

    /// The value as a receiver understands it that forgives what its schema says it may.
    pub(super) fn forgive(&self, ty: &Type, value: &Value) -> Option<Value> {
        self.decode(Mode::Lenient, ty, value).ok()
    }

    fn decode(&self, mode: Mode, ty: &Type, value: &Value) -> Result<Value, DecodeError> {
        Decoder::new(self.protocol, &self.plan, mode).decode(ty, value)
    }
}

/// `` `lamp`: [0]: expected a string, found 1 ``
pub(super) fn why(error: &DecodeError) -> String {
    let steps = error.steps().map(shown);
    format!("{}expected {}, found {}", steps.collect::<String>(), error.expected, error.found)
}

/// A step, as it stands before a reason.
pub(super) fn shown(step: &PathStep) -> String {
    match step {
        PathStep::Key(key) => format!("`{key}`: "),
        PathStep::Index(index) => format!("[{index}]: "),
    }
}
