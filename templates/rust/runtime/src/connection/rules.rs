//! The rules of the connections of a side, as the protocol states them.

use super::gates::Gated;
use super::negotiation::Negotiation;
use super::turns::Turn;

/// The rules of the connections of a side.
#[derive(Debug)]
pub struct Rules {
    /// The name of the side.
    pub near: &'static str,
    /// The name of the other end, if there is only one that it can be.
    pub far: Option<&'static str>,
    /// The notification that cancels a request by its id.
    pub cancel: Option<Cancel>,
    /// The messages that cancel requests which the side handles.
    pub cancels: &'static [Turn],
    /// Where the peer says what it can do.
    pub handshake: Option<CapabilityLocation>,
    /// Where this end says what it can do, and what it has to handle then.
    pub advertises: Option<Advertises>,
    /// How the two ends agree on a version.
    pub negotiation: Option<Negotiation>,
    /// The rules of calls.
    pub calls: &'static [CallRule],
    /// The parts of payloads that may be sent only if the peer allows it.
    pub gates: &'static [Gated],
}

/// A payload of a method: of a request its params or its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The params of a request.
    Params,
    /// The result of a request.
    Result,
    /// The params of a notification.
    Notification,
}

/// The notification that cancels a request by its id.
#[derive(Clone, Copy, Debug)]
pub struct Cancel {
    /// The notification.
    pub method: &'static str,
    /// The property of its params that holds the request's id.
    pub property: &'static str,
}

/// Where one end says what it can do.
#[derive(Clone, Copy, Debug)]
pub struct CapabilityLocation {
    /// The request.
    pub method: &'static str,
    /// Which of its payloads.
    pub part: Part,
    /// The property with the capabilities.
    pub property: &'static str,
}

/// Where this end says what it can do, and what it has to handle then.
#[derive(Clone, Copy, Debug)]
pub struct Advertises {
    /// Where it says so.
    pub location: CapabilityLocation,
    /// The capabilities that stand for methods.
    pub capabilities: &'static [Advertised],
}

/// A capability, and the methods that an end has to handle if it has it.
#[derive(Clone, Copy, Debug)]
pub struct Advertised {
    /// Where it is among the capabilities.
    pub capability: &'static [&'static str],
    /// The methods.
    pub methods: &'static [&'static str],
}

/// The rules of calls of a method.
#[derive(Clone, Copy, Debug)]
pub struct CallRule {
    /// The method.
    pub method: &'static str,
    /// Whether it is a request or a notification.
    pub part: Part,
    /// Whether it changes what the connection is, and must not be in a batch.
    pub lifecycle: bool,
    /// Where in the peer's capabilities it has to be allowed.
    pub capability: &'static [&'static str],
}

impl CapabilityLocation {
    /// Whether it is said in this payload.
    pub(super) fn is_in(&self, method: &str, part: Part) -> bool {
        self.part == part && self.method == method
    }
}

impl Rules {
    /// The rules of calls of a method.
    pub(super) fn call(&self, method: &str, part: Part) -> Option<&'static CallRule> {
        let mut calls = self.calls.iter();
        calls.find(|rule| rule.part == part && rule.method == method)
    }

    /// The method, if what it results in tells something about the connection.
    pub(super) fn telling(&self, method: &str) -> Option<&'static str> {
        let handshake = self.handshake.as_ref();
        let handshake = handshake.filter(|told| told.is_in(method, Part::Result));
        let negotiation = self.negotiation.as_ref().filter(|it| it.method == method);
        handshake
            .map(|told| told.method)
            .or(negotiation.map(|it| it.method))
    }

    /// Whether something has to hold of a payload that this end sends.
    pub(super) fn is_checked(&self, method: &str, part: Part) -> bool {
        let advertises = self.advertises.as_ref();
        self.gates.iter().any(|gated| gated.is_in(method, part))
            || advertises.is_some_and(|it| it.location.is_in(method, part))
    }

    /// Whether an answer of this end is not sent as its handler gave it, or may not be.
    pub(super) fn edits_result(&self, method: &str) -> bool {
        let is_negotiated = |it: &Negotiation| it.answers && it.method == method;
        let negotiation = self.negotiation.as_ref();
        negotiation.is_some_and(is_negotiated) || self.is_checked(method, Part::Result)
    }

    /// The capabilities that this end must not claim, as it does not handle their methods.
    pub(super) fn lacking(&self, handles: impl Fn(&str) -> bool) -> Vec<Lacking> {
        let advertised = self.advertises.iter().flat_map(|it| it.capabilities);
        let lacking = advertised.flat_map(|it| {
            let missing = it.methods.iter().filter(|method| !handles(method));
            missing.map(|method| Lacking {
                capability: it.capability,
                method,
            })
        });
        lacking.collect()
    }
}

/// A capability that this end must not claim, and the method that it does not handle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lacking {
    pub(super) capability: &'static [&'static str],
    pub(super) method: &'static str,
}
