//! For each finding that rejects messages, a message that is rejected.

use serde_json::{Value, json};

use super::Witness;
use super::build::{Builder, LARGEST};
use super::check::Peer;
use super::letter::Letter;
use super::path::{Root, Routes, Step, required_properties};
use crate::breaking::compare::{FORGIVEN, Finding, Subject, UNCHECKED, WitnessTarget};
use crate::breaking::verdict::{Direction, Directions, Verdict, Wire};
use crate::decode::pattern;
use crate::ir::{Field, Kind, Method, Part, Payload, Protocol, Type};

/// The messages that prove what a finding breaks, and what forgiving receivers make of them.
#[derive(Clone, Debug, Default)]
pub(in crate::breaking) struct Proof {
    pub(in crate::breaking) witness: Vec<Witness>,
    /// The verdict where receivers forgive what their schema says, and why it is milder than
    /// the strict one. `None`: it is not.
    pub(in crate::breaking) effective: Option<(Wire, &'static str)>,
}

/// Finds a witness for each direction in which a finding breaks, or says why there is none; and
/// holds what is said of forgiving receivers against it. Gives one proof for each finding.
pub(in crate::breaking) fn prove(
    findings: &[Finding<'_>],
    old: Subject<'_>,
    new: Subject<'_>,
) -> Vec<Proof> {
    let unproven = |finding: &Finding<'_>| Proof { witness: vec![], effective: finding.softened };
    let mut proofs: Vec<Proof> = findings.iter().map(unproven).collect();
    if findings.iter().all(|finding| finding.wire.worst() != Verdict::Break) {
        return proofs;
    }
    let senders = Directions { old_to_new: old, new_to_old: new };
    for direction in Direction::BOTH {
        let sending = senders.of(direction);
        let (sender, receiver) = (sending.protocol, senders.of(direction.reversed()).protocol);
        let prover = Prover {
            direction,
            letter: sending.document.map(Letter::new),
            sender,
            receiver,
            sends: Peer::new(sender),
            receives: Peer::new(receiver),
            routes: Routes::new(sender, receiver),
        };
        let breaking = findings.iter().zip(&mut proofs);
        for (finding, proof) in
            breaking.filter(|(finding, _)| finding.wire.of(direction) == Verdict::Break)
        {
            let witness = prover.witness(finding);
            proof.effective = effective(finding, proof.effective, direction, &witness);
            proof.witness.push(witness);
        }
    }
    proofs
}

/// The reason where one schema has a location that the other does not know, and no message of the
/// other's gets to.
const UNCARRIED: &str = "no message that both schemas know holds it";

/// The verdict of forgiving receivers, once there is a witness. One message that is forgiven does
/// not speak for all; one that is not does.
fn effective(
    finding: &Finding<'_>,
    claimed: Option<(Wire, &'static str)>,
    direction: Direction,
    witness: &Witness,
) -> Option<(Wire, &'static str)> {
    let wire = claimed.map_or(finding.wire, |(wire, _)| wire);
    if witness.missing.as_deref() == Some(UNCARRIED) {
        return Some((wire.with(direction, Verdict::Ok), UNCARRIED));
    }
    let is_refused = witness.message.is_some() && witness.forgiven.is_none();
    // What nobody sends is not sent, whatever would become of it.
    if !is_refused || claimed.is_some_and(|(_, why)| ![FORGIVEN, UNCHECKED].contains(&why)) {
        return claimed;
    }
    let wire = wire.with(direction, Verdict::Break);
    claimed.map(|(_, why)| (wire, why)).filter(|_| wire != finding.wire)
}

/// The longest text or list that is made to be too long.
const LONGEST: u64 = 1000;

struct Prover<'a> {
    direction: Direction,
    sender: &'a Protocol,
    receiver: &'a Protocol,
    /// The sender's schema, if its text is known.
    letter: Option<Letter<'a>>,
    sends: Peer<'a>,
    receives: Peer<'a>,
    routes: Routes<'a>,
}

/// A value that shows the break, and the message that holds it.
struct Found {
    payload: Option<Payload>,
    value: Value,
    message: Value,
    rejected: String,
    forgiven: Option<Value>,
}

/// The reason why there is no message around a value.
enum NoMessage {
    /// It would be larger than any that is shown.
    TooLarge,
    /// It is no message of the sender's, or the receiver takes it.
    Unfit,
}

impl Prover<'_> {
    fn witness(&self, finding: &Finding<'_>) -> Witness {
        let mut witness = Witness {
            direction: self.direction,
            verdict: Verdict::Break,
            payload: None,
            message: None,
            value: None,
            rejected: None,
            forgiven: None,
            missing: None,
        };
        match self.search(finding) {
            Ok(found) => {
                witness.payload = found.payload;
                witness.value = Some(found.value);
                witness.message = Some(found.message);
                witness.rejected = Some(found.rejected);
                witness.forgiven = found.forgiven;
            }
            Err((value, reason)) => {
                witness.value = value;
                witness.missing = Some(reason);
            }
        }
        witness
    }

    fn search(&self, finding: &Finding<'_>) -> Result<Found, (Option<Value>, String)> {
        let none = |reason: &str| Err((None, reason.to_owned()));
        let Some(target) = &finding.target else {
            return none("no message shows it to a generated receiver");
        };
        if finding.rule.id.starts_with("method-") && target.focus.is_none() && !is_payload(finding)
        {
            return self.call(target);
        }
        let (sent, expected) = match self.direction {
            Direction::OldToNew => (&target.old, &target.new),
            Direction::NewToOld => (&target.new, &target.old),
        };
        let (Some(sent), Some(expected)) = (sent, expected) else {
            return none("only one of the schemas has it");
        };
        let focus = match self.direction {
            Direction::OldToNew => target.focus.as_deref(),
            Direction::NewToOld => target.renamed.as_deref().or(target.focus.as_deref()),
        };
        let mut builder = Builder::new(self.sender, &self.sends.plan);
        builder.lengths = self.outside(expected, focus);
        let shows =
            |value: &Value| self.may_send(sent, value) && !self.receives.accepts(expected, value);
        let mut values =
            builder.variations(sent, focus, required_properties(self.receiver, expected));
        if let Some(focus) = focus {
            for value in &mut values {
                self.agree(sent, expected, focus, value);
            }
        }
        values.retain(shows);
        if values.is_empty() && target.focus.is_some() {
            // What is looked at may be something that only the receiver knows.
            values = builder.variations(sent, None, required_properties(self.receiver, expected));
            values.retain(|value| value.is_object() && shows(value));
        }
        // Best one that is rejected for what is looked at; then the smallest.
        let looked_at = focus.map(|focus| format!("`{focus}`"));
        values.sort_by_cached_key(|value| {
            let problem = self.receives.rejection(expected, value).unwrap_or_default();
            let is_other = looked_at.as_ref().is_some_and(|name| !problem.starts_with(name));
            let text = value.to_string();
            (is_other, text.len(), text)
        });
        let Some(first) = values.first().cloned() else {
            return none(&self.why_not(sent, expected));
        };
        let roots = self.routes(sent, expected, target);
        if roots.is_empty() {
            let reason = if self.sender.methods.is_empty() || self.receiver.methods.is_empty() {
                "which messages hold it is not known: the schema binds no methods"
            } else {
                UNCARRIED
            };
            return Err((Some(first), reason.to_owned()));
        }
        // Where receivers are not said to forgive it, best a message that they do not.
        let claimed =
            finding.softened.is_some_and(|(wire, _)| wire.of(self.direction) != Verdict::Break);
        let mut best: Option<(u8, Found)> = None;
        let mut too_large = vec![false; roots.len()];
        'search: for value in values.iter().take(8) {
            let problem = self.receives.rejection(expected, value).unwrap_or_default();
            for ((root, steps), too_large) in roots.iter().zip(&mut too_large) {
                // What stands around another value is as large.
                if *too_large {
                    continue;
                }
                let found = match self.message(root, steps, value) {
                    Ok(found) => found,
                    Err(NoMessage::TooLarge) => {
                        *too_large = true;
                        continue;
                    }
                    Err(NoMessage::Unfit) => continue,
                };
                let fitting = u8::from(found.rejected.ends_with(&problem)) * 2
                    + u8::from(found.forgiven.is_some() == claimed);
                if best.as_ref().is_none_or(|(known, _)| fitting > *known) {
                    best = Some((fitting, found));
                }
                if fitting == 3 {
                    break 'search;
                }
            }
        }
        if let Some((_, found)) = best {
            return Ok(found);
        }
        let reason = if too_large.contains(&true) {
            format!("a message around it would hold more than {LARGEST} values")
        } else {
            "every message around it is rejected or accepted for another reason".to_owned()
        };
        Err((Some(first), reason))
    }

    /// The lengths next to those that the receiver takes: of what is looked at, or of its property.
    fn outside(&self, expected: &Type, focus: Option<&str>) -> Vec<usize> {
        let fields = self.receiver.fields(expected).iter();
        let property = fields.filter(|field| focus == Some(&field.name.wire)).map(|it| &it.ty);
        let mut lengths = Vec::new();
        for ty in property.chain([expected]) {
            let (low, high) = match self.receiver.resolved(ty).kind {
                Kind::Array(array) => (array.min_items, array.max_items),
                Kind::String(string) => (string.min_length, string.max_length),
                _ => (None, None),
            };
            let below = low.and_then(|low| low.checked_sub(1));
            let above = high.and_then(|high| high.checked_add(1));
            let outside = below.into_iter().chain(above);
            lengths.extend(
                outside.filter(|it| *it <= LONGEST).filter_map(|it| usize::try_from(it).ok()),
            );
        }
        lengths
    }

    fn routes(
        &self,
        sent: &Type,
        expected: &Type,
        target: &WitnessTarget,
    ) -> Vec<(&Root<'_>, Vec<&Step<'_>>)> {
        if let Some(payload) = &target.payload {
            let is_meant = |root: &&Root<'_>| {
                root.payload.method == payload.method && root.payload.part == payload.part
            };
            let roots = self.routes.roots.iter().filter(is_meant);
            return roots.map(|root| (root, Vec::new())).collect();
        }
        self.routes.to(sent, expected)
    }

    /// Builds the message around a value, and makes sure that it is valid for the sender and
    /// rejected by the receiver.
    fn message(
        &self,
        root: &Root<'_>,
        steps: &[&Step<'_>],
        value: &Value,
    ) -> Result<Found, NoMessage> {
        let mut builder = Builder::of_message(self.sender, &self.sends.plan);
        let mut current = value.clone();
        for step in steps.iter().rev() {
            let around = match step {
                Step::Field(ty, name, other) => {
                    let wanted = required_properties(self.receiver, other);
                    let object = builder.with_member(ty, name, &current, wanted);
                    object.map(|mut object| {
                        self.agree(ty, other, name, &mut object);
                        object
                    })
                }
                Step::Item(count) => builder.repeated(current, *count),
                Step::MapValue => Some(json!({ "key": current })),
                Step::Stay => Some(current),
                Step::Variant(union, tag) => builder.in_variant(union, tag.as_deref(), current),
            };
            let is_spent = builder.is_spent();
            current =
                around.ok_or(if is_spent { NoMessage::TooLarge } else { NoMessage::Unfit })?;
        }
        self.may_send(root.sender, &current).then_some(()).ok_or(NoMessage::Unfit)?;
        let rejected = self.receives.rejection(root.receiver, &current).ok_or(NoMessage::Unfit)?;
        let forgiven = self.receives.forgive(root.receiver, &current);
        let message = message(root.payload.part, &root.payload.method, &current);
        let payload = Some(root.payload.clone());
        Ok(Found { payload, value: value.clone(), message, rejected, forgiven })
    }

    /// Tells whether the sender's code sends a value, and its schema allows it.
    fn may_send(&self, ty: &Type, value: &Value) -> bool {
        self.sends.may_send(ty, value).is_ok()
            && self.sends.accepts(ty, value)
            && !self.is_forbidden(ty, value)
    }

    /// Tells whether the sender's schema forbids a value by its letter.
    fn is_forbidden(&self, ty: &Type, value: &Value) -> bool {
        let name = ty.named();
        self.letter.as_ref().zip(name).is_some_and(|(letter, name)| letter.forbids(name, value))
    }

    /// Gives the other properties of an object values that the receiver takes, where there are
    /// such, so that only the one that is looked at is wrong.
    fn agree(&self, sent: &Type, expected: &Type, but: &str, object: &mut Value) {
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

    /// A call of a method that the receiver does not handle so.
    fn call(&self, target: &WitnessTarget) -> Result<Found, (Option<Value>, String)> {
        let params = match self.direction {
            Direction::OldToNew => &target.old,
            Direction::NewToOld => &target.new,
        };
        let method = self.sender.methods.iter().find(|method| {
            params.as_ref() == Some(method.params())
                && !self.receiver.methods.iter().any(|other| is_same_call(method, other))
        });
        let Some(method) = method else {
            return Err((None, "the sender does not know the method".to_owned()));
        };
        let mut builder = Builder::of_message(self.sender, &self.sends.plan);
        let smallest = builder.smallest(method.params());
        let others = || {
            Builder::new(self.sender, &self.sends.plan).variations(
                method.params(),
                None,
                Vec::new(),
            )
        };
        let value = smallest.filter(|value| self.may_send(method.params(), value));
        let value =
            value.or_else(|| others().into_iter().find(|it| self.may_send(method.params(), it)));
        let Some(value) = value else {
            return Err((None, "no small value of the params can be built".to_owned()));
        };
        let wire = &method.name.wire;
        let known = self.receiver.methods.iter().find(|other| other.name.wire == *wire);
        let rejected = match known {
            None => format!("there is no method `{wire}`"),
            Some(other) if other.is_request() != method.is_request() => {
                let kind = if other.is_request() { "a request" } else { "a notification" };
                format!("`{wire}` is {kind}")
            }
            Some(_) => format!("`{wire}` is not handled by this side"),
        };
        let message = message(Part::of(method), wire, &value);
        let payload = Payload::of(self.sender, method, Part::of(method));
        Ok(Found { payload, value, message, rejected, forgiven: None })
    }

    fn why_not(&self, sent: &Type, expected: &Type) -> String {
        let has_other = |protocol: &Protocol, ty: &Type| {
            let def = ty.named().and_then(|name| protocol.type_def(name));
            let text = serde_json::to_value(def).unwrap_or_default();
            patterns(&text).iter().any(|it| pattern::matches(it, "").is_none())
        };
        if has_other(self.sender, sent) || has_other(self.receiver, expected) {
            return "which texts a pattern with look-around matches is not judged".to_owned();
        }
        "no small value that shows it was found".to_owned()
    }
}

/// The patterns in the JSON form of a definition.
fn patterns(def: &Value) -> Vec<&str> {
    match def {
        Value::Object(members) => {
            let own = members.get("pattern").and_then(Value::as_str);
            own.into_iter().chain(members.values().flat_map(patterns)).collect()
        }
        Value::Array(items) => items.iter().flat_map(patterns).collect(),
        _ => Vec::new(),
    }
}

/// A message with a payload of a method.
fn message(part: Part, method: &str, payload: &Value) -> Value {
    match part {
        Part::Params => json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": payload }),
        Part::Notification => json!({ "jsonrpc": "2.0", "method": method, "params": payload }),
        Part::Result => json!({ "jsonrpc": "2.0", "id": 1, "result": payload }),
    }
}

/// Tells whether a finding of a method's is about what it carries, not about the method.
fn is_payload(finding: &Finding<'_>) -> bool {
    ["method-result-null-to-object", "method-payload-type-swapped"].contains(&finding.rule.id)
}

fn is_same_call(method: &Method, other: &Method) -> bool {
    method.name.wire == other.name.wire
        && method.handler == other.handler
        && method.is_request() == other.is_request()
}
