//! What a change of a schema breaks: two protocols in, a [`Report`] out.
//!
//! One stage after the other, none of which changes what another has said: `compare` finds what
//! differs, `rules` says what each difference means, `witness` proves it with messages, `source`
//! finds out what it does to code, `policy` says how much it counts, `report` is the whole and
//! prints it.
//!
//! The comparison looks at the model, not at JSON: an inline type and a reference to it, a
//! `oneOf` and an `anyOf`, a constant and an `enum` of one are the same. Each difference is a
//! [`Change`] of some [`Rule`], reported once however many messages it shows up in.

mod change;
mod compare;
pub mod policy;
mod reach;
mod relation;
pub mod report;
mod rules;
mod shape;
pub mod source;
mod verdict;
mod witness;

pub use change::{Affected, Change, SourceLocation};
pub use compare::Subject;
pub use report::Report;
pub use rules::{RULES, Rule, rule};
pub use verdict::{Direction, Effect, Level, Source, Verdict, Wire};
pub use witness::Witness;

use std::collections::HashMap;

use policy::RuleLevels;

/// Compares two versions of a protocol.
pub fn compare<'a>(old: impl Into<Subject<'a>>, new: impl Into<Subject<'a>>) -> Report {
    compare_with(old.into(), new.into(), &RuleLevels::new())
}

/// Compares two versions of a protocol where rules count as much as a project says.
pub fn compare_with(old: Subject<'_>, new: Subject<'_>, levels: &RuleLevels) -> Report {
    let names = [compare::names(old.protocol), compare::names(new.protocol)];
    let mut findings = compare::findings(old, new, &names);
    let proofs = witness::prove(&findings, old.protocol, new.protocol);
    let sources: Vec<Source> = findings.iter().map(|finding| finding.rule.source).collect();
    let mut changes = Vec::new();
    let mut ignored = 0;
    for ((finding, proof), source) in findings.drain(..).zip(proofs).zip(sources) {
        match policy::weigh(finding.rule, finding.wire, source, levels) {
            Some(weight) => changes.push(Change::new(finding, proof, source, weight)),
            None => ignored += 1,
        }
    }
    tell_apart(&mut changes);
    let notes = compare::notes(old.protocol, new.protocol);
    Report::new(old.protocol, new.protocol, notes, changes, ignored)
}

/// Numbers changes that would have the same id.
fn tell_apart(changes: &mut [Change]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for change in changes {
        let count = seen.entry(change.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            change.id = format!("{}#{count}", change.id);
        }
    }
}
