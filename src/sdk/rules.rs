//! The constants that say what holds of connections.

use super::Data;
use crate::ir::{
    AdvertisedRule, CallRule, CapabilityRule, ConnectionRules, EndpointRules, Gate, GatedRule,
    NegotiationRule, Part, RemoteSession, Step, TurnRule, VersionRule,
};

/// The rules of a side's connections.
pub(crate) fn rules(rules: &ConnectionRules) -> Data {
    let cancel = rules.cancel.as_ref().map(|rule| {
        let fields =
            [("method", Data::text(&rule.method)), ("property", Data::text(&rule.property))];
        Data::record("Cancel", fields)
    });
    Data::record(
        "Rules",
        [
            ("near", Data::text(&rules.near)),
            ("far", text_or_nothing(rules.far.as_ref())),
            ("cancel", Data::optional(cancel)),
            ("cancels", list(&rules.cancels, turn)),
            ("handshake", Data::optional(rules.handshake.as_ref().map(location))),
            ("advertises", Data::optional(rules.advertises.as_ref().map(advertises))),
            ("negotiation", Data::optional(rules.negotiation.as_ref().map(negotiation))),
            ("calls", list(&rules.calls, call)),
            ("gates", list(&rules.gates, gated)),
        ],
    )
}

/// How connections go over a network.
pub(crate) fn endpoint(rules: &EndpointRules) -> Data {
    Data::record(
        "Endpoint",
        [
            ("path", Data::text(&rules.path)),
            ("opens", text_or_nothing(rules.opens.as_ref())),
            ("connection", text_or_nothing(rules.connection.as_ref())),
            ("version", Data::optional(rules.version.as_ref().map(version))),
            ("session", Data::optional(rules.session.as_ref().map(session))),
        ],
    )
}

fn turn(rule: &TurnRule) -> Data {
    let result = rule.result.as_ref().map(|result| Data::Text(result.to_string()));
    Data::record(
        "Turn",
        [
            ("method", Data::text(&rule.method)),
            ("request", Data::text(&rule.request)),
            ("key", Data::text(&rule.key)),
            ("result", Data::optional(result)),
        ],
    )
}

fn location(rule: &CapabilityRule) -> Data {
    Data::record(
        "CapabilityLocation",
        [
            ("method", Data::text(&rule.method)),
            ("part", part(rule.part)),
            ("property", Data::text(&rule.property)),
        ],
    )
}

fn advertises(rule: &AdvertisedRule) -> Data {
    let capabilities = list(&rule.capabilities, |it| {
        Data::record(
            "Advertised",
            [("capability", Data::texts(&it.capability)), ("methods", Data::texts(&it.methods))],
        )
    });
    Data::record(
        "Advertises",
        [("location", location(&rule.location)), ("capabilities", capabilities)],
    )
}

fn negotiation(rule: &NegotiationRule) -> Data {
    Data::record(
        "Negotiation",
        [
            ("method", Data::text(&rule.method)),
            ("params", Data::text(&rule.params)),
            ("result", Data::text(&rule.result)),
            ("versions", list(&rule.versions, |version| Data::Json(version.clone()))),
            ("answers", Data::Flag(rule.answers)),
        ],
    )
}

fn call(rule: &CallRule) -> Data {
    Data::record(
        "CallRule",
        [
            ("method", Data::text(&rule.method)),
            ("part", part(rule.part)),
            ("lifecycle", Data::Flag(rule.lifecycle)),
            ("capability", Data::texts(&rule.capability)),
        ],
    )
}

fn gated(rule: &GatedRule) -> Data {
    let gates = list(&rule.gates, |Gate { path, capability }| {
        let fields = [("path", list(path, step)), ("capability", Data::texts(capability))];
        Data::record("Gate", fields)
    });
    Data::record(
        "Gated",
        [("method", Data::text(&rule.method)), ("part", part(rule.part)), ("gates", gates)],
    )
}

fn step(step: &Step) -> Data {
    let (form, parts): (_, &[&String]) = match step {
        Step::Property(name) => ("Property", &[name]),
        Step::Each => ("Each", &[]),
        Step::Tag(property, tag) => ("Tag", &[property, tag]),
    };
    Data::Choice("Step", form, parts.iter().map(|part| Data::text(part)).collect())
}

fn part(part: Part) -> Data {
    let word = match part {
        Part::Params => "params",
        Part::Result => "result",
        Part::Notification => "notification",
    };
    Data::Word("Part", word)
}

fn version(rule: &VersionRule) -> Data {
    Data::record(
        "VersionHeader",
        [
            ("header", Data::text(&rule.header)),
            ("property", text_or_nothing(rule.property.as_ref())),
            ("value", text_or_nothing(rule.value.as_ref())),
        ],
    )
}

fn session(session: &RemoteSession) -> Data {
    Data::record(
        "Sessions",
        [
            ("property", Data::text(&session.property)),
            ("header", Data::text(&session.header)),
            ("opened_by", Data::texts(&session.opened_by)),
            ("reopened_by", Data::texts(&session.reopened_by)),
            ("closed_by", Data::texts(&session.closed_by)),
        ],
    )
}

fn text_or_nothing(text: Option<&String>) -> Data {
    Data::optional(text.map(|text| Data::text(text)))
}

fn list<T>(items: &[T], data: impl Fn(&T) -> Data) -> Data {
    Data::List(items.iter().map(data).collect())
}
