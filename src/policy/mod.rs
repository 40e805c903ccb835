//! The policy of a project: how much each rule counts, what a command fails on, and which findings
//! were agreed to for a while.
//!
//! `diff`, `lint` and `validate` share it. None of them is known here: a rule is data, a finding has
//! an id and counts or does not. The ways of printing that need to know no more than that are here
//! as well: [`github`], [`sarif`], [`prose`].

mod codes;
mod date;
pub mod github;
mod level;
mod outcome;
pub mod prose;
mod rule;
pub mod sarif;
mod waivers;

pub use codes::CODES;
pub use date::{Date, day_in, day_of, today};
pub use level::{Levels, RuleSeverity, Threshold};
pub use outcome::{FailOn, Outcome};
pub use rule::{Rule, Word, unknown_rule};
pub use waivers::{Waiver, read_waivers};

use indexmap::IndexMap;

use crate::diagnostic::Diagnostics;

/// The choices of a project about findings: `F` says what fails, `L` is the level of a rule.
///
/// ```
/// use std::path::Path;
///
/// use acp_bindgen::diagnostic::Diagnostics;
/// use acp_bindgen::policy::{Policy, RuleSeverity, Threshold, day_of, read_waivers};
/// use acp_bindgen::source::Sources;
///
/// let file = r#"
/// [[waiver]]
/// finding = "missing-description:*"
/// reason = "The descriptions are being written."
/// expires = 1970-12-31
/// "#;
/// let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
/// let waivers = read_waivers(Path::new("waivers.toml"), file, &mut sources, &mut diagnostics)
///     .ok_or("the file has errors")?;
/// let policy: Policy<Threshold, RuleSeverity> = Policy { waivers, ..Policy::default() };
///
/// let findings = || [("missing-description:Greeting", true)].into_iter();
/// let (first_day, year_later) = (day_of(0), day_of(365 * 86_400));
/// assert!(!policy.outcome(findings(), 0, first_day).fails);
/// assert!(policy.outcome(findings(), 0, year_later).fails);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy<F, L> {
    /// The findings that make a command fail.
    pub fail_on: F,
    /// The levels of rules.
    pub rules: Levels<L>,
    /// The accepted findings.
    pub waivers: Vec<Waiver>,
}

impl<F: Default, L> Default for Policy<F, L> {
    fn default() -> Self {
        Self { fail_on: F::default(), rules: Levels::new(), waivers: Vec::new() }
    }
}

impl<F: FailOn, L> Policy<F, L> {
    /// Reports `unknown-rule` for every level that is not given to one of the `known` rules.
    pub fn check_rules(&self, known: &[&'static str], diagnostics: &mut Diagnostics) {
        for name in self.rules.keys().filter(|name| !known.contains(&name.as_str())) {
            diagnostics.push(unknown_rule(name, known.iter().copied()));
        }
    }

    /// Applies the policy to findings on a day, and says whether they make a command fail.
    ///
    /// `findings`: the id of each, and whether it counts; those that count and that no waiver is
    /// for make it fail. `ignored`: how many more there were, whose rules are to be ignored.
    pub fn outcome<'f>(
        &self,
        findings: impl Iterator<Item = (&'f str, bool)>,
        ignored: usize,
        today: Date,
    ) -> Outcome<F> {
        let findings: IndexMap<&str, bool> = findings.collect();
        let first_match =
            |waiver: &Waiver| findings.keys().position(|finding| waiver.is_for(finding));
        let (mut waived, mut expired, mut unused) = (Vec::new(), Vec::new(), Vec::new());
        for waiver in &self.waivers {
            match first_match(waiver) {
                _ if waiver.expires < today => expired.push(waiver.clone()),
                Some(first) => waived.push((first, waiver.clone())),
                None => unused.push(waiver.clone()),
            }
        }
        waived.sort_by_key(|(first, _)| *first);
        let waived: Vec<Waiver> = waived.into_iter().map(|(_, waiver)| waiver).collect();
        let is_failing = |finding: &str, counts: bool| {
            counts && !waived.iter().any(|waiver| waiver.is_for(finding))
        };
        let failing =
            findings.iter().filter(|(finding, counts)| is_failing(finding, **counts)).count();
        Outcome {
            fail_on: self.fail_on,
            fails: failing > 0,
            failing,
            ignored,
            waived,
            expired,
            unused,
        }
    }
}
