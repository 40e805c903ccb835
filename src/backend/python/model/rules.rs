//! The rules of a side's connections and of the payloads of methods, as arguments in Python.

use super::super::expression::Expression;
use super::scope::Scope;
use crate::ir::{Cancels, CapabilityLocation, Gate, Method, Negotiation, Part};
use crate::ir::{Position, Protocol, Side, Step};

/// An argument by keyword.
pub(super) type Argument = (String, Expression);

/// The rules of a side's connections: which messages cancel requests, and how ends agree.
pub(super) fn of_side(protocol: &Protocol, side: &Side) -> Vec<Argument> {
    let rules = [("cancels", cancels(protocol, side)), ("terms", said(protocol, side))];
    rules.into_iter().filter_map(|(name, rule)| Some((name.to_owned(), rule?))).collect()
}

/// The rules of agreement: where the two ends tell their capabilities and their versions.
fn said(protocol: &Protocol, side: &Side) -> Option<Expression> {
    let advertised = advertised(protocol, side);
    let said = [
        ("handshake", protocol.handshake(side).map(told)),
        ("negotiation", protocol.negotiation.as_ref().map(|it| negotiation(protocol, side, it))),
        ("told", advertised.as_ref().and(side.capabilities.as_ref()).map(told)),
        ("advertised", advertised.filter(|_| side.capabilities.is_some())),
    ];
    let said: Vec<_> = said.into_iter().filter_map(|(name, it)| Some((name, it?))).collect();
    (!said.is_empty()).then(|| call("_agreement.Said", said))
}

/// The parts of a method's payloads that only a capability of the other end allows.
pub(super) fn gates(scope: &Scope<'_>, method: &Method) -> Vec<Argument> {
    let payloads = scope.protocol.payloads(method).into_iter();
    let arguments = payloads.filter_map(|(payload, ty)| {
        let gates = scope.protocol.gates(&payload, ty);
        let name = if payload.part == Part::Result { "result_gates" } else { "gates" };
        Some((name.to_owned(), list(gates.iter().map(gate))?))
    });
    arguments.collect()
}

fn negotiation(protocol: &Protocol, side: &Side, negotiation: &Negotiation) -> Expression {
    let far = far_end(protocol, side);
    let text = |text: &str| Expression::string(text);
    let arguments = [
        ("method", text(&negotiation.method)),
        ("asked", text(&negotiation.params.wire)),
        ("answered", text(&negotiation.result.wire)),
        ("versions", tuple(negotiation.versions.iter().map(Expression::json).collect())),
        ("near", text(&side.name.wire)),
        ("far", text(far)),
    ];
    call("_agreement.Negotiation", arguments)
}

/// The name of the other end of a side's connections.
fn far_end<'p>(protocol: &'p Protocol, side: &'p Side) -> &'p str {
    match &side.counterpart {
        Some(name) => name,
        None if protocol.sides.len() == 1 => &side.name.wire,
        None => "peer",
    }
}

/// The requests that a side handles and messages cancel.
fn cancels(protocol: &Protocol, side: &Side) -> Option<Expression> {
    let is_handled = |cancels: &&Cancels| {
        let mut handled = protocol.handled_by(&side.name.wire);
        handled.any(|method| method.is_request() && method.name.wire == cancels.request)
    };
    let entries = protocol.methods.iter().flat_map(|method| {
        method.cancels.iter().filter(is_handled).map(|cancels| {
            let result = cancels.result.as_ref().map(|it| ("result", Expression::json(it)));
            let of = [
                ("method", Expression::string(&method.name.wire)),
                ("request", Expression::string(&cancels.request)),
                ("key", Expression::string(&cancels.key)),
            ];
            call("_rpc.Cancels", of.into_iter().chain(result))
        })
    });
    list(entries)
}

/// Where a side says what it can do.
fn told(location: &CapabilityLocation) -> Expression {
    let is_in_result = location.position == Position::Result;
    let handshake = [
        ("method", Expression::string(&location.method)),
        ("property", Expression::string(&location.property.wire)),
        ("is_in_result", Expression::atom(if is_in_result { "True" } else { "False" })),
    ];
    call("_agreement.Handshake", handshake)
}

/// The methods that a side has to handle if it tells that it has a capability.
fn advertised(protocol: &Protocol, side: &Side) -> Option<Expression> {
    let all = protocol.advertised(&side.name.wire);
    list(all.iter().map(|it| {
        let of = [("capability", strings(&it.capability)), ("methods", strings(&it.methods))];
        call("_agreement.Advertised", of)
    }))
}

/// A list, unless it is empty.
fn list(items: impl Iterator<Item = Expression>) -> Option<Expression> {
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then_some(Expression::List(items))
}

fn gate(gate: &Gate) -> Expression {
    let steps = gate.path.iter().map(|step| match step {
        Step::Property(name) => Expression::string(name),
        Step::Items | Step::Values => Expression::atom("_agreement.EACH"),
        Step::Tag(property, tag) => tuple([property, tag].map(|it| Expression::string(it)).into()),
    });
    Expression::apply("_agreement.Gate", [tuple(steps.collect()), strings(&gate.capability)])
}

fn strings(texts: &[String]) -> Expression {
    tuple(texts.iter().map(|text| Expression::string(text)).collect())
}

fn tuple(items: Vec<Expression>) -> Expression {
    Expression::Tuple(items)
}

fn call<'n>(head: &str, arguments: impl IntoIterator<Item = (&'n str, Expression)>) -> Expression {
    Expression::call(head, arguments.into_iter().map(|(name, value)| (name.to_owned(), value)))
}
