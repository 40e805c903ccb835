//! Findings, once it is known how far they reach.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::Comparer;
use super::finding::Finding;
use super::fold::fold;
use crate::breaking::reach::Reach;
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Verdict, Wire};

/// The reason why a removed part is not missed.
const UNTOLD: &str =
    "nobody sends it unless the other side has told the capability, and it no longer does";

/// The reason why a new part disturbs nobody.
const UNKNOWN: &str =
    "nobody sends it unless the other side has told the capability, and no old peer does";

/// The reason why a removed part is hardly missed.
pub(in crate::breaking) const ANNOUNCED: &str =
    "it was deprecated, so that senders knew that it would go";

/// The reason why a malformed value does not spoil the message.
pub(in crate::breaking) const FORGIVEN: &str =
    "the schema lets receivers forgive malformed values on every way to it";

/// The reason why a value that the schema refuses does not spoil the message.
pub(in crate::breaking) const UNCHECKED: &str = "generated receivers do not look at it";

impl<'a> Comparer<'a> {
    /// All findings, in the order in which they were found.
    pub(super) fn findings(&mut self) -> Vec<Finding<'a>> {
        let (old, new) = (Reach::new(self.old), Reach::new(self.new));
        let mut findings = std::mem::take(&mut self.findings);
        for finding in &mut findings {
            self.locate(finding, &old, &new);
        }
        fold(findings)
    }

    /// Finds out how far a finding reaches, and what forgiving receivers make of it.
    fn locate(&self, finding: &mut Finding<'a>, old: &Reach<'a>, new: &Reach<'a>) {
        let (mut positions, mut reaches) = (BTreeSet::new(), IndexSet::new());
        let location = &finding.location;
        let ends = [(old, self.old, location.old.def), (new, self.new, location.new.def)];
        for (reach, protocol, def) in ends {
            let Some(def) = def else { continue };
            let found = reach.reached(def);
            positions.extend(found.payloads);
            let is_named = |name: &String| protocol.types.get(name).is_some_and(|def| !def.inline);
            reaches.extend(found.types.into_iter().filter(is_named));
        }
        reaches.shift_remove(location.ty);
        finding.reaches = reaches.into_iter().collect();
        if !finding.is_located {
            finding.positions = positions.into_iter().collect();
        }
        if is_transport(finding, old, new) && finding.wire != Wire::OK {
            finding.summary = format!("{}: {}", finding.rule.summary, finding.summary);
            finding.rule = &rules::ENVELOPE_RESTRUCTURED;
            finding.wire = Wire::OK;
        }
        finding.softened = finding
            .softened
            .or_else(|| gated(finding))
            .or_else(|| announced(finding))
            .or_else(|| unchecked(finding))
            .or_else(|| soften(finding, old, new).map(|wire| (wire, FORGIVEN)));
    }
}

/// Milder verdicts, and why they are.
type Softened = (Wire, &'static str);

/// The verdicts where nobody sends what the receiver has not said that it understands.
fn gated(finding: &Finding<'_>) -> Option<Softened> {
    let is_gated = finding.gate.as_ref().is_some_and(|gate| !gate.is_told);
    let direction = finding.only.filter(|_| is_gated)?;
    let why = if direction == Direction::OldToNew { UNTOLD } else { UNKNOWN };
    let wire = finding.wire.with(direction, Verdict::Ok);
    (wire != finding.wire).then_some((wire, why))
}

/// The verdicts where senders have known that something would go.
fn announced(finding: &Finding<'_>) -> Option<Softened> {
    let notified = match finding.wire.old_to_new {
        Verdict::Break => Verdict::Risk,
        Verdict::Risk | Verdict::Ok => Verdict::Ok,
    };
    let wire = finding.wire.with(Direction::OldToNew, notified);
    (finding.was_deprecated && wire != finding.wire).then_some((wire, ANNOUNCED))
}

/// The verdicts where receivers do not look at what the schema refuses.
fn unchecked(finding: &Finding<'_>) -> Option<Softened> {
    let broken = |direction: &Direction| finding.wire.towards(*direction) == Verdict::Break;
    let mut wire = finding.wire;
    for direction in finding.unchecked.iter().filter(|it| broken(it)) {
        wire = wire.with(*direction, Verdict::Risk);
    }
    (wire != finding.wire).then_some((wire, UNCHECKED))
}

/// Tells whether a finding is about something that only the JSON-RPC envelope contains.
fn is_transport<'a>(finding: &Finding<'a>, old: &Reach<'a>, new: &Reach<'a>) -> bool {
    let ends = [(old, finding.location.old.def), (new, finding.location.new.def)];
    let mut known = ends.iter().filter_map(|(reach, def)| def.map(|def| reach.is_transport(def)));
    let any = known.clone().next().is_some();
    any && known.all(|is_transport| is_transport)
}

/// The verdicts where receivers forgive what their schema says they do, if that is milder.
fn soften<'a>(finding: &Finding<'a>, old: &Reach<'a>, new: &Reach<'a>) -> Option<Wire> {
    let mut softened = finding.wire;
    for direction in Direction::BOTH {
        let (reach, end, null) = match direction {
            Direction::OldToNew => (new, &finding.location.new, finding.null_forgiven.1),
            Direction::NewToOld => (old, &finding.location.old, finding.null_forgiven.0),
        };
        if finding.wire.towards(direction) != Verdict::Break {
            continue;
        }
        let here = finding.is_about_value() && (end.forgives || null);
        // A definition that only one schema has is judged where the other one takes its place.
        let before = end.def.is_some_and(|def| !reach.invalidates_message(def));
        if here || before {
            softened = softened.with(direction, Verdict::Risk);
        }
    }
    (softened != finding.wire).then_some(softened)
}
