//! Findings, once it is known how far they reach.

use std::collections::{BTreeSet, HashMap};

use super::Comparer;
use super::draft::Draft;
use super::fold::fold;
use crate::breaking::change::{Change, Hurt, Payload, Spot, is_breaking, level};
use crate::breaking::reach::Reach;
use crate::breaking::rules;
use crate::breaking::verdict::{Verdict, Way, Wire};
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
        let drafts = std::mem::take(&mut self.drafts);
        let changes = drafts.into_iter().map(|draft| self.change(draft, &old, &new)).collect();
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

    fn change<'a>(&self, mut draft: Draft<'a>, old: &Reach<'a>, new: &Reach<'a>) -> Change {
        let (mut positions, mut reaches) = (BTreeSet::new(), Vec::new());
        let ends = [(old, self.old, draft.site.old.def), (new, self.new, draft.site.new.def)];
        for (reach, protocol, def) in ends {
            let Some(def) = def else { continue };
            let found = reach.reached(def);
            positions.extend(found.payloads);
            let named = found
                .types
                .into_iter()
                .filter(|name| protocol.types.get(name).is_some_and(|def| !def.inline));
            for name in named {
                if name != draft.site.ty && !reaches.contains(&name) {
                    reaches.push(name);
                }
            }
        }
        let positions: Vec<Payload> = match draft.positions.take() {
            Some(known) => known,
            None => positions.into_iter().collect(),
        };
        if is_transport(&draft, old, new) && draft.wire != Wire::OK {
            draft.summary = format!("{}: {}", draft.rule.summary, draft.summary);
            draft.rule = &rules::ENVELOPE_RESTRUCTURED;
            draft.wire = Wire::OK;
            draft.source = draft.rule.source;
        }
        let gated = draft.rule.id == rules::METHOD_REMOVED.id && draft.gated_by.is_some();
        let softened = if gated {
            Some(draft.wire.with(Way::OldToNew, Verdict::Ok))
        } else {
            soften(&draft, old, new)
        };
        let dot =
            if draft.site.path.is_empty() || draft.site.path.starts_with('<') { "" } else { "." };
        let value = match (&draft.site.focus, draft.site.path.is_empty()) {
            (Some(focus), true) => format!("={focus}"),
            _ => String::new(),
        };
        // A definition or method that one schema does not have has no place there; anything
        // inside a definition has that of the definition.
        let is_whole = draft.site.path.is_empty() && draft.site.focus.is_none()
            || draft.rule.id.starts_with("method-");
        Change {
            id: format!("{}:{}{dot}{}{value}", draft.rule.id, draft.site.ty, draft.site.path),
            rule: draft.rule,
            ty: draft.site.ty.to_owned(),
            also_types: Vec::new(),
            level: level(draft.rule, draft.wire, draft.source),
            breaking: is_breaking(draft.wire, draft.source),
            hurt: hurt(softened.unwrap_or(draft.wire), &positions),
            softened_by: softened.map(|_| if gated { UNGATED } else { FORGIVEN }.to_owned()),
            effective_wire: softened,
            wire: draft.wire,
            source: draft.source,
            positions,
            reaches,
            gated_by: draft.gated_by,
            witness: Vec::new(),
            remedy: draft.rule.remedy.to_owned(),
            old: spot(draft.site.old.place, !(is_whole && draft.only == Some(Way::NewToOld))),
            new: spot(draft.site.new.place, !(is_whole && draft.only == Some(Way::OldToNew))),
            summary: draft.summary,
            path: draft.site.path,
            probe: draft.probe,
        }
    }
}

fn spot(place: &Place, is_there: bool) -> Option<Spot> {
    (is_there && place.line > 0).then(|| place.into())
}

/// Whether a finding is about something that only the JSON-RPC envelope contains.
fn is_transport<'a>(draft: &Draft<'a>, old: &Reach<'a>, new: &Reach<'a>) -> bool {
    let ends = [(old, draft.site.old.def), (new, draft.site.new.def)];
    let mut known = ends.iter().filter_map(|(reach, def)| def.map(|def| reach.is_transport(def)));
    let any = known.clone().next().is_some();
    any && known.all(|is_transport| is_transport)
}

/// The verdicts where receivers forgive what their schema says they do, if that is milder.
fn soften<'a>(draft: &Draft<'a>, old: &Reach<'a>, new: &Reach<'a>) -> Option<Wire> {
    let mut softened = draft.wire;
    for way in Way::BOTH {
        let (reach, end, null) = match way {
            Way::OldToNew => (new, &draft.site.new, draft.null_forgiven.1),
            Way::NewToOld => (old, &draft.site.old, draft.null_forgiven.0),
        };
        if draft.wire.of(way) != Verdict::Break {
            continue;
        }
        let here = draft.about_value && (end.forgives || null);
        // A definition that only one schema has is judged where the other one takes its place.
        let before = end.def.is_some_and(|def| !reach.spoils(def));
        if here || before {
            softened = softened.with(way, Verdict::Risk);
        }
    }
    (softened != draft.wire).then_some(softened)
}

fn hurt(wire: Wire, positions: &[Payload]) -> Vec<Hurt> {
    let mut found = Vec::new();
    for way in Way::BOTH {
        let verdict = wire.of(way);
        if verdict == Verdict::Ok {
            continue;
        }
        for payload in positions {
            let hurt = Hurt {
                way,
                verdict,
                sender: payload.sender.clone(),
                receiver: payload.receiver.clone(),
            };
            if !found.contains(&hurt) {
                found.push(hurt);
            }
        }
    }
    found
}
