//! Comparing A with B says of everything the opposite of what comparing B with A says.

use std::collections::BTreeMap;

use acp_bindgen::breaking::{Direction, Report, Verdict};

use super::pair::Pair;
use super::shown::{shown, verdict};

/// What a rule is about, and whether it adds (1), takes away (-1), or replaces (0). `None`: it
/// only tells what a schema looks like.
fn direction(rule: &str) -> Option<(&'static str, i32)> {
    Some(match rule {
        "method-added-request" | "method-added-notification" => ("method", 1),
        "method-removed" => ("method", -1),
        "method-renamed" => ("method name", 0),
        "method-side-moved" => ("method side", 0),
        "method-kind-changed" => ("method kind", 0),
        "method-result-null-to-object" => ("result", 0),
        "method-payload-type-swapped" => ("payload", 0),
        "method-became-optional" => ("handler", 1),
        "method-became-mandatory" => ("handler", -1),
        "capability-added" => ("capability", 1),
        "capability-removed" => ("capability", -1),
        "capability-changed" => ("capability", 0),
        "capabilities-moved" => ("capabilities", 0),
        "protocol-version-changed" => ("version", 0),
        "negotiation-changed" => ("negotiation", 0),
        "remote-added" => ("remote", 1),
        "remote-removed" => ("remote", -1),
        "remote-changed" => ("remote part", 0),
        "cancellation-changed" => ("cancellation", 0),
        "stream-changed" => ("stream", 0),
        "handle-changed" => ("handle", 0),
        "state-changed" => ("state", 0),
        "shorthand-changed" => ("shorthand", 0),
        "catalogue-changed" => ("catalogue", 0),
        "code-name-changed" => ("code name", 0),
        "lifecycle-changed" => ("lifecycle", 0),
        "deprecated" => ("deprecation", 1),
        "no-longer-deprecated" => ("deprecation", -1),
        "became-stable" => ("stability", 1),
        "became-unstable" => ("stability", -1),
        "not-judged" => ("conditions", 0),
        "type-added" => ("type", 1),
        "type-removed" => ("type", -1),
        "type-renamed" => ("type name", 0),
        "type-hoisted" | "object-to-singleton-union" => ("definition", 1),
        "type-inlined" => ("definition", -1),
        "scalar-newtype-hoisted" | "scalar-to-open-enum" => ("newtype", 1),
        "scalar-newtype-inlined" => ("newtype", -1),
        "property-added-optional" | "property-added-required" => ("property", 1),
        "property-removed-optional" | "property-removed-required" => ("property", -1),
        "property-renamed-required" | "property-renamed-optional" => ("property name", 0),
        "property-moved" => ("property place", 0),
        "property-became-optional" | "property-became-optional-with-default" => ("presence", 1),
        "property-became-required" => ("presence", -1),
        "type-widened"
        | "object-to-union-superset"
        | "property-became-nullable"
        | "union-opened" => ("values", 1),
        "type-narrowed" | "any-to-object" | "property-became-non-nullable" => ("values", -1),
        "type-changed" => ("values", 0),
        "enum-value-added-closed" | "enum-value-added-open" => ("enum value", 1),
        "enum-value-removed-closed" => ("enum value", -1),
        "enum-value-renamed" => ("enum value", 0),
        "enum-opened" => ("enum", 1),
        "enum-closed" => ("enum", -1),
        "union-variant-added-closed"
        | "union-variant-added-open"
        | "union-variant-added-absorbed" => ("variant", 1),
        "union-variant-removed" => ("variant", -1),
        "union-tag-value-renamed" => ("tag", 0),
        "union-tag-property-renamed" => ("tag property", 0),
        "discriminator-annotation-added" => ("discriminator", 1),
        "discriminator-annotation-removed" => ("discriminator", -1),
        "default-changed" | "default-removed" => ("default", 0),
        "constraint-loosened" => ("constraint", 1),
        "constraint-tightened" => ("constraint", -1),
        "format-added" => ("format", 0),
        "format-representation-changed" => ("format spelling", 0),
        "lenient-added" => ("leniency", 1),
        "lenient-removed" => ("leniency", -1),
        _ => return None,
    })
}

type Count = BTreeMap<(&'static str, i32), usize>;

/// How often each direction occurs, seen from the other end if `reversed`.
fn directions(report: &Report, reversed: bool) -> Count {
    let mut found = Count::new();
    for change in &report.changes {
        if let Some((what, sign)) = direction(change.rule.id) {
            // Of a constraint that is another one, who takes more is not known.
            let is_other = what == "constraint"
                && Direction::BOTH
                    .iter()
                    .all(|direction| change.wire.towards(*direction) == Verdict::Break);
            let sign = if is_other {
                0
            } else if reversed {
                -sign
            } else {
                sign
            };
            *found.entry((what, sign)).or_default() += 1 + change.also_types.len();
        }
    }
    found
}

/// What breaks each way, and what may be lost. A method that is gone is missed by those who call it; one that is new
/// is not called by those who do not know it: there the two differ, and so with what connects.
fn effects(report: &Report, reversed: bool) -> Vec<(&'static str, Direction, &'static str)> {
    let mut found = Vec::new();
    for change in &report.changes {
        let Some((what, _)) =
            direction(change.rule.id).filter(|(what, _)| !["method", "remote"].contains(what))
        else {
            continue;
        };
        for direction in Direction::BOTH {
            // Whether an old receiver takes the default at its word is not known; a new one that
            // must have the property does not.
            let formal = change.rule.id == "property-became-optional-with-default"
                && direction == Direction::NewToOld;
            let effect = if formal { Verdict::Break } else { change.wire.towards(direction) };
            if effect != Verdict::Ok {
                let other = if direction == Direction::OldToNew {
                    Direction::NewToOld
                } else {
                    Direction::OldToNew
                };
                let count = 1 + change.also_types.len();
                let direction = if reversed { other } else { direction };
                found.extend(vec![(what, direction, verdict(effect)); count]);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Asserts that a pair says the opposite when it is turned round.
pub(crate) fn assert_mirrors(pair: &Pair) {
    assert_mirrored(&pair.name, &pair.report(), &pair.reversed().report());
}

/// Asserts that the report of two schemas says the opposite of that of the same two turned round.
pub(crate) fn assert_mirrored(name: &str, there: &Report, back: &Report) {
    let said = || format!("{name}\n{}\nbut back\n{}", shown(there), shown(back));
    assert_eq!(directions(there, false), directions(back, true), "{}", said());
    assert_eq!(effects(there, false), effects(back, true), "{}", said());
}
