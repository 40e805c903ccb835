//! For each finding that rejects messages, a message that is rejected.

use serde_json::Value;

use super::Witness;
use super::around::{Candidate, NoMessage};
use super::build::{Builder, LARGEST};
use super::check::{Peer, why};
use super::path::{Root, Routes, Step, required_properties};
use super::prover::{Found, Prover};
use super::reason::{Place, Reason};
use crate::breaking::compare::{Cause, FORGIVEN, Finding, Subject, UNCHECKED, WitnessTarget};
use crate::breaking::verdict::{Direction, Directions, Verdict, Wire};
use crate::decode::PathStep;
use crate::ir::{Kind, Protocol, Type};
use crate::pattern;
use crate::schema_validator::SchemaValidator;

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
        let sending = senders.towards(direction);
        let (sender, receiver) = (sending.protocol, senders.towards(direction.reversed()).protocol);
        let prover = Prover {
            direction,
            schema: sending.document.map(SchemaValidator::new),
            sender,
            receiver,
            sends: Peer::new(sender),
            receives: Peer::new(receiver),
            routes: Routes::new(sender, receiver),
        };
        let breaking = findings.iter().zip(&mut proofs);
        for (finding, proof) in
            breaking.filter(|(finding, _)| finding.wire.towards(direction) == Verdict::Break)
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
        let (values, accepted) = self.candidates(finding, target, [sent, expected]);
        let Some(first) = values.first().map(|candidate| candidate.value.clone()) else {
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
        let claimed = finding
            .softened
            .is_some_and(|(wire, _)| wire.towards(self.direction) != Verdict::Break);
        self.best(&values, accepted.as_ref(), &roots, claimed)
            .map_err(|reason| (Some(first), reason))
    }

    /// The values that may show a break, the best first, and one that breaks nothing.
    fn candidates(
        &self,
        finding: &Finding<'_>,
        target: &WitnessTarget,
        [sent, expected]: [&Type; 2],
    ) -> (Vec<Candidate>, Option<Value>) {
        let focus = match self.direction {
            Direction::OldToNew => target.focus.as_deref(),
            Direction::NewToOld => target.renamed.as_deref().or(target.focus.as_deref()),
        };
        let open = match (&finding.cause, self.sender.resolved(sent).kind) {
            (Cause::Unknown, Kind::Union(union)) => union.open.as_ref(),
            _ => None,
        };
        let focus = focus.or(open.map(|open| open.name.wire.as_str()));
        let mut builder = Builder::new(self.sender, &self.sends.plan);
        builder.lengths = self.outside(expected, focus, target.hops.len());
        let place = Place::new(
            finding,
            target,
            self.direction,
            [(self.sender, sent), (self.receiver, expected)],
        );
        let shows = |value: Value| -> Option<Candidate> {
            let is_sent = self.may_send(sent, &value) && !self.receives.accepts(expected, &value);
            is_sent.then(|| self.candidate(expected, place.as_ref(), value)).flatten()
        };
        let mut values =
            builder.variations(sent, focus, required_properties(self.receiver, expected));
        if let Some(focus) = focus {
            for value in &mut values {
                self.agree(sent, expected, focus, value);
            }
        }
        let is_accepted =
            |value: &&Value| self.may_send(sent, value) && self.receives.accepts(expected, value);
        let accepted = values.iter().find(is_accepted).cloned();
        let mut values: Vec<Candidate> = values.into_iter().filter_map(shows).collect();
        if values.is_empty() && target.focus.is_some() {
            // What is looked at may be something that only the receiver knows.
            let wanted = required_properties(self.receiver, expected);
            let others = builder.variations(sent, None, wanted).into_iter();
            values = others.filter(Value::is_object).filter_map(shows).collect();
        }
        // Best one that is surely rejected for what is looked at; then the smallest.
        values.sort_by_cached_key(|candidate| {
            let text = candidate.value.to_string();
            (candidate.reason, candidate.depth, text.len(), text)
        });
        (values, accepted)
    }

    /// The message around one of several values that proves most.
    fn best(
        &self,
        values: &[Candidate],
        accepted: Option<&Value>,
        roots: &[(&Root<'_>, Vec<&Step<'_>>)],
        claimed: bool,
    ) -> Result<Found, String> {
        let mut best: Option<(u8, Found)> = None;
        let mut too_large = vec![false; roots.len()];
        'search: for candidate in values.iter().take(8) {
            for ((root, steps), too_large) in roots.iter().zip(&mut too_large) {
                // What stands around another value is as large.
                if *too_large {
                    continue;
                }
                let found = match self.message(root, steps, candidate, accepted) {
                    Ok(found) => found,
                    Err(NoMessage::TooLarge) => {
                        *too_large = true;
                        continue;
                    }
                    Err(NoMessage::Unfit) => continue,
                };
                let fitting = u8::from(found.rejected.ends_with(&candidate.problem)) * 2
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
        Err(if too_large.contains(&true) {
            format!("a message around it would hold more than {LARGEST} values")
        } else {
            "every message around it is rejected or accepted for another reason".to_owned()
        })
    }

    /// A value as the proof of a finding that has this place, if it is refused for that or may be.
    /// Puts right what else is wrong with an object, property by property.
    fn candidate(
        &self,
        expected: &Type,
        place: Option<&Place<'_>>,
        value: Value,
    ) -> Option<Candidate> {
        let mut repaired = value.clone();
        let mut known: Vec<String> = Vec::new();
        loop {
            let refusal = self.receives.refusal(expected, &repaired)?;
            let reason = place.map_or(Reason::Unknown, |place| place.reason(&repaired, &refusal));
            if reason != Reason::Other {
                let (problem, depth) = (why(&refusal), refusal.steps().count());
                return Some(Candidate { value, repaired, reason, problem, depth });
            }
            let Some(PathStep::Key(key)) = refusal.steps().next() else { return None };
            if known.contains(key) || place.is_some_and(|place| place.is_about(key)) {
                return None;
            }
            let mut fields = self.receiver.fields(expected).iter();
            let ty = &fields.find(|field| field.name.wire == *key)?.ty;
            let smallest = Builder::of_message(self.receiver, &self.receives.plan).smallest(ty)?;
            known.push(key.clone());
            repaired.as_object_mut()?.insert(key.clone(), smallest);
        }
    }

    /// The lengths next to those that the receiver takes: of what is looked at, or of its property,
    /// and of what these hold, as many levels down as this.
    fn outside(&self, expected: &Type, focus: Option<&str>, levels: usize) -> Vec<usize> {
        let fields = self.receiver.fields(expected).iter();
        let property = fields.filter(|field| focus == Some(&field.name.wire)).map(|it| &it.ty);
        let mut lengths = Vec::new();
        let mut pending: Vec<(&Type, usize)> =
            property.chain([expected]).map(|ty| (ty, 0)).collect();
        while let Some((ty, level)) = pending.pop() {
            let (low, high, inner) = match self.receiver.resolved(ty).kind {
                Kind::Array(array) => (array.min_items, array.max_items, vec![&*array.items]),
                Kind::Tuple(tuple) => (Some(tuple.least()), tuple.most(), tuple.types().collect()),
                Kind::Map(map) => {
                    (map.keys.min_properties, map.keys.max_properties, vec![&*map.values])
                }
                Kind::Record(record) => {
                    (record.keys.min_properties, record.keys.max_properties, Vec::new())
                }
                Kind::String(string) => (string.min_length, string.max_length, Vec::new()),
                _ => (None, None, Vec::new()),
            };
            let inner = inner.into_iter().filter(|_| level < levels);
            pending.extend(inner.map(|inner| (inner, level + 1)));
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

/// Tells whether a finding of a method's is about what it carries, not about the method.
fn is_payload(finding: &Finding<'_>) -> bool {
    ["method-result-null-to-object", "method-payload-type-swapped"].contains(&finding.rule.id)
}
