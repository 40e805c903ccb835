//! Findings, once it is known how far they reach.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;

use super::Comparer;
use super::finding::Finding;
use super::fold::fold;
use crate::breaking::change::{Affected, Change, SourceLocation, is_breaking, level};
use crate::breaking::reach::Reach;
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Verdict, Wire};
use crate::ir::Payload;
use crate::source::Place;

/// Why a method that is gone is not missed.
const UNGATED: &str =
    "nobody calls it unless the other side has told the capability, and it no longer does";

/// Why a malformed value does not spoil the message.
const FORGIVEN: &str = "the schema lets receivers forgive malformed values on every way to it";

impl Comparer<'_> {
    /// Everything that was found, in the order in which it was found.
    pub(super) fn changes(&mut self) -> Vec<Change> {
        let (old, new) = (Reach::of(self.old), Reach::of(self.new));
        let findings = std::mem::take(&mut self.findings);
        let changes =
            findings.into_iter().map(|finding| self.change(finding, &old, &new)).collect();
        let mut changes = fold(changes);
        let mut seen: HashMap<String, usize> = HashMap::new();
        for change in &mut changes {
            let count = seen.entry(change.id.clone()).or_default();
            *count += 1;
            if *count > 1 {
                change.id = format!("{}#{count}", change.id);
            }
        }
        changes
    }

    fn change<'a>(&self, mut finding: Finding<'a>, old: &Reach<'a>, new: &Reach<'a>) -> Change {
        let (mut positions, mut reaches) = (BTreeSet::new(), IndexSet::new());
        let ends =
            [(old, self.old, finding.location.old.def), (new, self.new, finding.location.new.def)];
        for (reach, protocol, def) in ends {
            let Some(def) = def else { continue };
            let found = reach.reached(def);
            positions.extend(found.payloads);
            let named = found
                .types
                .into_iter()
                .filter(|name| protocol.types.get(name).is_some_and(|def| !def.inline));
            for name in named {
                if name != finding.location.ty {
                    reaches.insert(name);
                }
            }
        }
        let positions: Vec<Payload> = match finding.positions.take() {
            Some(known) => known,
            None => positions.into_iter().collect(),
        };
        if is_transport(&finding, old, new) && finding.wire != Wire::OK {
            finding.summary = format!("{}: {}", finding.rule.summary, finding.summary);
            finding.rule = &rules::ENVELOPE_RESTRUCTURED;
            finding.wire = Wire::OK;
            finding.source = finding.rule.source;
        }
        let gated = finding.rule.id == rules::METHOD_REMOVED.id && finding.gated_by.is_some();
        let softened = if gated {
            Some(finding.wire.with(Direction::OldToNew, Verdict::Ok))
        } else {
            soften(&finding, old, new)
        };
        let dot = if finding.location.path.is_empty() || finding.location.path.starts_with('<') {
            ""
        } else {
            "."
        };
        let value = match (&finding.location.focus, finding.location.path.is_empty()) {
            (Some(focus), true) => format!("={focus}"),
            _ => String::new(),
        };
        // A definition or method that one schema does not have has no place there; anything
        // inside a definition has that of the definition.
        let is_whole = finding.location.path.is_empty() && finding.location.focus.is_none()
            || finding.rule.id.starts_with("method-");
        Change {
            id: format!(
                "{}:{}{dot}{}{value}",
                finding.rule.id, finding.location.ty, finding.location.path
            ),
            rule: finding.rule,
            ty: finding.location.ty.to_owned(),
            also_types: Vec::new(),
            level: level(finding.rule, finding.wire, finding.source),
            breaking: is_breaking(finding.wire, finding.source),
            affected: affected(softened.unwrap_or(finding.wire), &positions),
            softened_by: softened.map(|_| if gated { UNGATED } else { FORGIVEN }.to_owned()),
            effective_wire: softened,
            wire: finding.wire,
            source: finding.source,
            positions,
            reaches: reaches.into_iter().collect(),
            gated_by: finding.gated_by,
            witness: Vec::new(),
            remedy: finding.rule.remedy.to_owned(),
            old: location_of(
                finding.location.old.place,
                !(is_whole && finding.only == Some(Direction::NewToOld)),
            ),
            new: location_of(
                finding.location.new.place,
                !(is_whole && finding.only == Some(Direction::OldToNew)),
            ),
            summary: finding.summary,
            path: finding.location.path,
            target: finding.target,
        }
    }
}

fn location_of(place: &Place, is_there: bool) -> Option<SourceLocation> {
    (is_there && place.line > 0).then(|| place.into())
}

/// Whether a finding is about something that only the JSON-RPC envelope contains.
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
        if finding.wire.of(direction) != Verdict::Break {
            continue;
        }
        let here = finding.about_value && (end.forgives || null);
        // A definition that only one schema has is judged where the other one takes its place.
        let before = end.def.is_some_and(|def| !reach.invalidates_message(def));
        if here || before {
            softened = softened.with(direction, Verdict::Risk);
        }
    }
    (softened != finding.wire).then_some(softened)
}

fn affected(wire: Wire, positions: &[Payload]) -> Vec<Affected> {
    let mut found = Vec::new();
    for direction in Direction::BOTH {
        let verdict = wire.of(direction);
        if verdict == Verdict::Ok {
            continue;
        }
        for payload in positions {
            let affected = Affected {
                direction,
                verdict,
                sender: payload.sender.clone(),
                receiver: payload.receiver.clone(),
            };
            if !found.contains(&affected) {
                found.push(affected);
            }
        }
    }
    found
}
