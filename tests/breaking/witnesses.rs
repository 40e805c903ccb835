//! Every witness is what it claims to be, by the verdict of another judge.

use std::collections::HashMap;

use acp_bindgen::breaking::{Direction, Report, Verdict};

use super::judge::Judge;
use super::pair::Pair;

/// The rules about types with all that is in them.
const WHOLE: [&str; 4] =
    ["type-changed", "type-narrowed", "type-widened", "object-to-union-superset"];

/// Asserts that all witnesses of a pair are valid for their senders and rejected by their
/// receivers. Gives how many there are, and how many are missing.
pub(crate) fn assert_proven(pair: &Pair) -> (usize, usize) {
    assert_proven_by(pair, &pair.report())
}

/// The same, of a report that there is already.
pub(crate) fn assert_proven_by(pair: &Pair, report: &Report) -> (usize, usize) {
    let (old, _) = pair.old.read("old.json");
    let (new, _) = pair.new.read("new.json");
    let mut before = Judge::new(&pair.old.schema, &old);
    let mut after = Judge::new(&pair.new.schema, &new);
    let (mut proven, mut missing) = (0, 0);
    let mut reasons = HashMap::new();
    for change in &report.changes {
        for direction in Direction::BOTH {
            let witness = change.witness.iter().filter(|witness| witness.direction == direction);
            let wanted = usize::from(change.wire.towards(direction) == Verdict::Break);
            assert_eq!(witness.clone().count(), wanted, "{}: {}", pair.name, change.id);
            for witness in witness {
                let Some(message) = &witness.message else {
                    assert!(witness.missing.is_some(), "{}: {}", pair.name, change.id);
                    missing += 1;
                    continue;
                };
                proven += 1;
                let reason = (direction, message.to_string(), witness.rejected.clone());
                // Of a union's variants all may refuse a value for the same; and where a type is
                // another, that can be because of what is in it.
                let about = (&change.ty, &change.summary);
                if !WHOLE.contains(&change.rule.id) {
                    let known = *reasons.entry(reason).or_insert(about);
                    assert_eq!(known, about, "{}: {} has another's proof", pair.name, change.id);
                }
                let payload = witness.payload.as_ref().unwrap();
                let value = message.get("params").or(message.get("result")).unwrap();
                let (sender, receiver) = match direction {
                    Direction::OldToNew => (&mut before, &mut after),
                    Direction::NewToOld => (&mut after, &mut before),
                };
                let at = format!("{}: {} {}: {message}", pair.name, change.id, direction.arrow());
                assert_ne!(
                    sender.is_valid(payload, value),
                    Some(false),
                    "{at} is not what the sender sends"
                );
                let is_call = change.rule.id.starts_with("method-")
                    && change.rule.id != "method-result-null-to-object";
                if !is_call {
                    assert_ne!(receiver.is_valid(payload, value), Some(true), "{at} is accepted");
                }
            }
        }
    }
    (proven, missing)
}
