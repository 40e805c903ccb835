//! Breaking changes of a schema: two protocols in, a [`Report`] out.
//!
//! Stages follow each other, and none changes what another has said: `compare` finds what differs,
//! `rules` says what each difference means, `witness` proves it with messages, `source` finds out
//! what it does to code, `policy` says how much it counts, `report` is the whole and prints it.
//!
//! The comparison looks at the model, not at JSON: an inline type and a reference to it, a
//! `oneOf` and an `anyOf`, a constant and an `enum` of one are the same. Each difference is a
//! [`Change`] of some [`Rule`], reported once however many messages it shows up in.

mod change;
mod compare;
pub mod policy;
mod reach;
mod relation;
pub(crate) mod release;
pub mod report;
mod rules;
mod shape;
mod softened;
pub mod source;
mod verdict;
mod witness;
mod words;

pub use change::{Affected, Change, SourceLocation};
pub use compare::{ChangedText, Subject};
pub use report::Report;
pub use rules::{RULES, Rule, rule};
pub use verdict::{Direction, Directions, Effect, Languages, Level, Source, Verdict, Wire};
pub use witness::Witness;
pub use words::WORDS;

use std::collections::HashMap;

use policy::RuleLevels;
use source::SourceComparison;

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The findings.
    pub report: Report,
    /// The generated public APIs.
    pub source: SourceComparison,
}

/// Compares two versions of a protocol.
///
/// ```
/// use acp_bindgen::breaking::policy::Policy;
/// use acp_bindgen::breaking::{compare, report::Bump};
/// use acp_bindgen::policy::today;
/// use acp_bindgen::{Protocol, Purpose, SchemaText, load};
///
/// let version = |required: &[&str]| -> Option<Protocol> {
///     let schema = serde_json::json!({ "$defs": { "WaveNotification": {
///         "type": "object",
///         "properties": { "hand": { "type": "string" } },
///         "required": required,
///         "x-method": "wave",
///         "x-side": "server",
///     } } });
///     load(SchemaText::from_value("hello.json", &schema), Purpose::Compare).protocol
/// };
/// let old = version(&[]).ok_or("the old schema has errors")?;
/// let new = version(&["hand"]).ok_or("the new schema has errors")?;
///
/// let report = compare(&old, &new);
/// assert_eq!(report.changes[0].rule.id, "property-became-required");
/// assert_eq!(report.verdict.suggested, Bump::Major);
/// let outcome = Policy::default().apply(&report.changes, report.ignored, today());
/// assert!(outcome.fails);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare<'a>(old: impl Into<Subject<'a>>, new: impl Into<Subject<'a>>) -> Report {
    compare_with(old.into(), new.into(), &CompareOptions::default()).report
}

/// The choices of a comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions {
    /// How much rules count.
    pub levels: RuleLevels,
    /// True if what is found about unstable parts is left out, and only counted.
    pub ignore_unstable: bool,
}

/// Compares only the messages of two versions of a protocol: the report says nothing of code, and
/// what is unstable counts in full, since peers that have it do not understand each other. This
/// takes a fraction of the time.
pub fn compare_messages(old: Subject<'_>, new: Subject<'_>) -> Report {
    let names = [compare::names(old.protocol), compare::names(new.protocol)];
    let (mut findings, _) = compare::findings(old, new, &names);
    compare::mark_unstable(&mut findings, [old.protocol, new.protocol]);
    let proofs = witness::prove(&findings, old, new);
    let mut ids = Ids::default();
    let weighed = findings.into_iter().zip(proofs).filter_map(|(finding, proof)| {
        let id = ids.id(&finding);
        let weight = policy::weigh(&finding, &proof, Source::OK, &RuleLevels::new())?;
        Some(Change::new(id, finding, proof, Source::OK, weight))
    });
    let notes = compare::notes(old.protocol, new.protocol);
    Report::new(old.protocol, new.protocol, notes, weighed.collect(), 0)
}

/// Compares two versions of a protocol as a project wants it.
pub fn compare_with(old: Subject<'_>, new: Subject<'_>, options: &CompareOptions) -> Comparison {
    let names = [compare::names(old.protocol), compare::names(new.protocol)];
    let (mut findings, partners) = compare::findings(old, new, &names);
    let mut proofs = witness::prove(&findings, old, new);
    let mut ids = Ids::default();
    let mut finding_ids: Vec<String> = findings.iter().map(|finding| ids.id(finding)).collect();
    let examined =
        source::examine(&findings, &finding_ids, &partners, [old.protocol, new.protocol]);
    finding_ids.extend(examined.unexplained.iter().map(|finding| ids.id(finding)));
    proofs.extend(examined.unexplained.iter().map(|_| witness::Proof::default()));
    findings.extend(examined.unexplained);
    compare::mark_unstable(&mut findings, [old.protocol, new.protocol]);
    let mut changes = Vec::new();
    let (mut ignored, mut left_out) = (0, 0);
    let proven =
        findings.into_iter().zip(proofs).zip(finding_ids.into_iter().zip(examined.verdicts));
    for ((finding, mut proof), (id, source)) in proven {
        if options.ignore_unstable && finding.is_unstable {
            left_out += 1;
            continue;
        }
        softened::by_stability(&mut proof, &finding, source);
        match policy::weigh(&finding, &proof, source, &options.levels) {
            Some(weight) => changes.push(Change::new(id, finding, proof, source, weight)),
            None => ignored += 1,
        }
    }
    let notes = compare::notes(old.protocol, new.protocol);
    let mut report = Report::new(old.protocol, new.protocol, notes, changes, ignored);
    report.leave_out(left_out);
    release::judge(&mut report, old, new, &options.levels);
    Comparison { report, source: examined.comparison }
}

/// The names of findings, numbered where two would have the same.
#[derive(Default)]
struct Ids {
    seen: HashMap<String, usize>,
}

impl Ids {
    fn id(&mut self, finding: &compare::Finding<'_>) -> String {
        let id = finding.id();
        let count = self.seen.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{id}#{count}") } else { id }
    }
}
