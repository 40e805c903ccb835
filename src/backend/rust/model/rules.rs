//! The model of the rules of a side's connections.

use proc_macro2::Ident;

use crate::backend::rust::names;
use crate::ir::{
    Cancels, CapabilityLocation, Gate, Method, Negotiation, Payload, Position, Protocol, Side,
};

/// The rules of the connections of a side.
#[derive(Debug)]
pub(crate) struct RulesModel<'a> {
    /// The constant of the notification that cancels a request, and the property that holds the
    /// request's id.
    pub cancel: Option<(Ident, &'a str)>,
    /// The constant of the method in which the peer says what it can do, and where there.
    pub handshake: Option<(Ident, &'a CapabilityLocation)>,
    /// The constant and the location of the side's own capabilities, if it has to keep to them.
    pub own: Option<(Ident, &'a CapabilityLocation)>,
    /// The capabilities that stand for functions which may be left out.
    pub lacking: Vec<LackingModel>,
    pub negotiation: Option<NegotiationModel<'a>>,
    /// The messages that cancel requests which the side handles.
    pub turns: Vec<TurnModel<'a>>,
    /// The payloads that the side sends of which its peer must allow parts.
    pub gates: Vec<GatesModel>,
}

/// A capability, and the function and the method that it stands for.
#[derive(Debug)]
pub(crate) struct LackingModel {
    pub capability: Vec<String>,
    pub function: Ident,
    pub constant: Ident,
}

/// The agreement on a version.
#[derive(Debug)]
pub(crate) struct NegotiationModel<'a> {
    pub negotiation: &'a Negotiation,
    pub constant: Ident,
    /// True if the side answers.
    pub is_answered: bool,
    /// The names of the two ends.
    pub ends: [&'a str; 2],
}

/// A message that cancels a request.
#[derive(Debug)]
pub(crate) struct TurnModel<'a> {
    pub cancels: &'a Cancels,
    pub method: Ident,
    pub request: Ident,
}

/// The parts of a payload that have to be allowed.
#[derive(Debug)]
pub(crate) struct GatesModel {
    pub constant: Ident,
    pub position: Position,
    pub gates: Vec<Gate>,
}

impl RulesModel<'_> {
    /// Tells whether the protocol says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.cancel.is_none()
            && self.handshake.is_none()
            && self.lacking.is_empty()
            && self.negotiation.is_none()
            && self.turns.is_empty()
            && self.gates.is_empty()
    }
}

/// Decides the rules of a side.
pub(super) fn rules<'a>(protocol: &'a Protocol, side: &'a Side) -> RulesModel<'a> {
    let lacking = lacking(protocol, side);
    let own = side.capabilities.as_ref().filter(|_| !lacking.is_empty());
    let located = |it: &'a CapabilityLocation| Some((constant(protocol, &it.method)?, it));
    RulesModel {
        cancel: protocol
            .cancellation()
            .map(|(method, field)| (names::constant(&method.name), field.name.wire.as_str())),
        handshake: protocol.handshake(side).and_then(located),
        own: own.and_then(located),
        lacking: if own.is_some() { lacking } else { Vec::new() },
        negotiation: negotiation(protocol, side),
        turns: turns(protocol, side),
        gates: protocol.methods.iter().flat_map(|it| gates(protocol, side, it)).collect(),
    }
}

/// The constant of a method.
fn constant(protocol: &Protocol, wire: &str) -> Option<Ident> {
    let mut methods = protocol.methods.iter();
    methods.find(|method| method.name.wire == wire).map(|it| names::constant(&it.name))
}

fn lacking(protocol: &Protocol, side: &Side) -> Vec<LackingModel> {
    let mut lacking = Vec::new();
    for advertised in protocol.advertised(&side.name.wire) {
        let handled = protocol.handled_by(&side.name.wire);
        for method in handled.filter(|it| advertised.methods.contains(&it.name.wire)) {
            lacking.push(LackingModel {
                capability: advertised.capability.clone(),
                function: names::function(method.function()),
                constant: names::constant(&method.name),
            });
        }
    }
    lacking
}

fn negotiation<'a>(protocol: &'a Protocol, side: &'a Side) -> Option<NegotiationModel<'a>> {
    let negotiation = protocol.negotiation.as_ref()?;
    let method = protocol.request(&negotiation.method)?;
    let peer = side.counterpart.as_deref().unwrap_or("peer");
    Some(NegotiationModel {
        negotiation,
        constant: names::constant(&method.name),
        is_answered: method.is_handled_by(&side.name.wire),
        ends: [&side.name.wire, peer],
    })
}

fn turns<'a>(protocol: &'a Protocol, side: &Side) -> Vec<TurnModel<'a>> {
    let mut turns = Vec::new();
    for method in &protocol.methods {
        for cancels in &method.cancels {
            let mut handled = protocol.handled_by(&side.name.wire);
            let request = handled.find(|it| it.is_request() && it.name.wire == cancels.request);
            let Some(request) = request else { continue };
            let [method, request] = [method, request].map(|it| names::constant(&it.name));
            turns.push(TurnModel { cancels, method, request });
        }
    }
    turns
}

fn gates(protocol: &Protocol, side: &Side, method: &Method) -> Vec<GatesModel> {
    let payloads = protocol.payloads(method).into_iter();
    let sent = payloads.filter(|(Payload { sender, .. }, _)| *sender == side.name.wire);
    let gates = sent.map(|(payload, ty)| GatesModel {
        constant: names::constant(&method.name),
        position: payload.part.position(),
        gates: protocol.gates(&payload, ty),
    });
    gates.filter(|it| !it.gates.is_empty()).collect()
}
