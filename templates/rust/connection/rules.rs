//! What a protocol says about all of its connections.

use super::gates::Gated;
use super::negotiation::Negotiation;
use super::turns::Turn;

/// What the protocol says about the connection itself, seen from one side.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) cancel: Option<(&'static str, &'static str)>,
    pub(super) handshake: Option<Told>,
    /// Where this end says what it can do.
    pub(super) own: Option<Told>,
    pub(super) negotiation: Option<Negotiation>,
    pub(super) turns: Vec<Turn>,
    pub(super) gates: Vec<Gated>,
    /// What this end must not say that it can do, as it does not have the method.
    pub(super) lacking: Vec<(&'static [&'static str], &'static str)>,
}

/// Where one end says what it can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) method: &'static str,
    pub(super) in_result: bool,
    pub(super) property: &'static str,
}

impl Told {
    /// Whether it is said in this payload.
    pub(super) fn is_in(&self, method: &str, in_result: bool) -> bool {
        self.in_result == in_result && self.method == method
    }
}

impl Rules {
    /// The notification that cancels a request, and the property of its params that holds the
    /// request's id.
    pub(crate) fn cancels_by(&mut self, method: &'static str, property: &'static str) {
        self.cancel = Some((method, property));
    }

    /// The peer's capabilities are a property of the params of this request, which it sends.
    pub(crate) fn learns_from_params(&mut self, method: &'static str, property: &'static str) {
        self.handshake = Some(told(method, false, property));
    }

    /// The peer's capabilities are a property of what it answers to this request.
    pub(crate) fn learns_from_result(&mut self, method: &'static str, property: &'static str) {
        self.handshake = Some(told(method, true, property));
    }

    /// This end's capabilities are a property of the params of this request, which it sends.
    pub(crate) fn tells_in_params(&mut self, method: &'static str, property: &'static str) {
        self.own = Some(told(method, false, property));
    }

    /// This end's capabilities are a property of what it answers to this request.
    pub(crate) fn tells_in_result(&mut self, method: &'static str, property: &'static str) {
        self.own = Some(told(method, true, property));
    }

    /// This end must not say that it can do this: it does not handle the method.
    pub(crate) fn lacks(&mut self, capability: &'static [&'static str], method: &'static str) {
        self.lacking.push((capability, method));
    }

    /// The version is agreed on in the payloads of a request.
    pub(crate) fn negotiates(&mut self, negotiation: Negotiation) {
        self.negotiation = Some(negotiation);
    }

    /// A message cancels requests.
    pub(crate) fn cancels(&mut self, turn: Turn) {
        self.turns.push(turn);
    }

    /// The peer has to allow parts of a payload.
    pub(crate) fn gates(&mut self, gated: Gated) {
        self.gates.push(gated);
    }

    /// The method, if what it results in tells something about the connection.
    pub(super) fn telling(&self, method: &str) -> Option<&'static str> {
        let handshake = self
            .handshake
            .as_ref()
            .filter(|told| told.is_in(method, true));
        let negotiation = self.negotiation.as_ref().filter(|it| it.method == method);
        handshake
            .map(|told| told.method)
            .or(negotiation.map(|it| it.method))
    }

    /// Whether something has to hold of a payload that this end sends.
    pub(super) fn is_checked(&self, method: &str, in_result: bool) -> bool {
        self.gates
            .iter()
            .any(|gated| gated.is_in(method, in_result))
            || (!self.lacking.is_empty()
                && self
                    .own
                    .as_ref()
                    .is_some_and(|told| told.is_in(method, in_result)))
    }

    /// Whether an answer of this end is not sent as its handler gave it, or may not be.
    pub(super) fn edits_result(&self, method: &str) -> bool {
        let is_negotiated = |it: &Negotiation| it.is_answered && it.method == method;
        self.negotiation.as_ref().is_some_and(is_negotiated) || self.is_checked(method, true)
    }
}

fn told(method: &'static str, in_result: bool, property: &'static str) -> Told {
    Told {
        method,
        in_result,
        property,
    }
}
