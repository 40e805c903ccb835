//! Two protocols, and every difference between them.

mod annotations;
mod cause;
mod code_names;
mod enums;
mod fields;
mod finding;
mod fold;
mod gates;
mod methods;
mod moved;
mod pairing;
mod prose;
mod reached;
mod rewrites;
mod scalars;
mod similar;
mod states;
mod tuples;
mod types;
mod unions;
mod unmodelled;
mod unstable;
mod uses;
mod variants;

use std::collections::{HashMap, HashSet};

pub(super) use cause::Cause;
pub(super) use finding::{ComparedLocation, End, Finding, WitnessTarget};
pub use prose::ChangedText;
pub(super) use reached::{ANNOUNCED, FORGIVEN, UNCHECKED};
pub(super) use rewrites::{NOWHERE, ROOT};
pub(super) use unstable::mark as mark_unstable;

use super::relation::Relation;
use super::rules::Rule;
use crate::ir::{Protocol, Type};
use crate::source::Node;
use pairing::Pairing;

/// A protocol to compare.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The document it was read from, overlays applied. With it the report also tells what was
    /// only written in another way.
    pub document: Option<&'a Node>,
}

impl<'a> From<&'a Protocol> for Subject<'a> {
    fn from(protocol: &'a Protocol) -> Self {
        Self { protocol, document: None }
    }
}

/// Everything that differs between two protocols, in the order in which it was found, and the
/// definitions that stand for each other under different names.
///
/// Takes time in proportion to the size of the two; only types that replace others at the same
/// place are compared pair by pair.
pub(super) fn findings<'a>(
    old: Subject<'a>,
    new: Subject<'a>,
    names: &'a [Names; 2],
) -> (Vec<Finding<'a>>, Vec<(&'a str, &'a str)>) {
    let [before, after] = names;
    let mut comparer = Comparer::new(old.protocol, new.protocol, (before, after));
    let methods = comparer.match_methods();
    comparer.protocol();
    comparer.methods(&methods);
    comparer.definitions();
    comparer.envelope();
    comparer.moved();
    if let (Some(from), Some(to)) = (old.document, new.document) {
        comparer.rewrites(from, to);
    }
    (comparer.findings(), comparer.partners)
}

/// Definitions as types.
pub(super) type Names = HashMap<String, Type>;

/// The definitions of a protocol as types.
pub(super) fn names(protocol: &Protocol) -> Names {
    let named = |name: &String| (name.clone(), Type::Named { name: name.clone() });
    protocol.types.keys().map(named).collect()
}

/// The state of a comparison.
struct Comparer<'a> {
    old: &'a Protocol,
    new: &'a Protocol,
    /// Each definition as a type, by protocol.
    names: (&'a Names, &'a Names),
    pairing: Pairing<'a>,
    relation: Relation<'a>,
    findings: Vec<Finding<'a>>,
    /// Definitions that stand for each other under different names, inline ones included.
    partners: Vec<(&'a str, &'a str)>,
    /// Pairs of definitions that have been compared at their place.
    compared: HashSet<(Option<&'a str>, Option<&'a str>)>,
    /// Definitions of the old schema that are written out in the new.
    unwrapped: HashSet<&'a str>,
    /// Definitions of the new schema that were written out in the old.
    wrapped: HashSet<&'a str>,
}

impl<'a> Comparer<'a> {
    fn new(old: &'a Protocol, new: &'a Protocol, names: (&'a Names, &'a Names)) -> Self {
        Self {
            old,
            new,
            names,
            pairing: Pairing::by_name(old, new),
            relation: Relation::new(old, new),
            findings: Vec::new(),
            partners: Vec::new(),
            compared: HashSet::new(),
            unwrapped: HashSet::new(),
            wrapped: HashSet::new(),
        }
    }

    fn report(&mut self, finding: Finding<'a>) {
        self.findings.push(finding);
    }

    /// Reports that a rule fires, with all that it says.
    fn found(
        &mut self,
        rule: &'static Rule,
        at: &ComparedLocation<'a>,
        summary: impl std::fmt::Display,
    ) {
        self.report(Finding::new(rule, at, summary));
    }

    /// Reports that something is so now, or is no longer so: for either a rule and what it says.
    fn turned(
        &mut self,
        at: &ComparedLocation<'a>,
        (was, is): (bool, bool),
        now: (&'static Rule, &str),
        no_longer: (&'static Rule, &str),
    ) {
        if was != is {
            let (rule, summary) = if is { now } else { no_longer };
            self.found(rule, at, summary);
        }
    }

    /// Tells whether the definitions at a site are compared for the first time. A type can contain
    /// itself through an inline one.
    fn is_first_visit(&mut self, location: &ComparedLocation<'a>) -> bool {
        self.compared.insert((location.old.def, location.new.def))
    }
}

/// Remarks on the comparison itself.
pub(super) fn notes(old: &Protocol, new: &Protocol) -> Vec<String> {
    let mut notes = Vec::new();
    match (&old.version, &new.version) {
        (Some(from), Some(to)) if from != to => notes.push(format!(
            "the protocol's version goes from {from} to {to}: peers that agree on a version never \
             meet the differences; the verdicts hold for those that do not"
        )),
        _ => {}
    }
    for (which, protocol) in [("old", old), ("new", new)] {
        if protocol.methods.is_empty() {
            notes.push(format!(
                "the {which} schema binds no type to a method, so that who sends what is not known"
            ));
        }
    }
    notes
}
