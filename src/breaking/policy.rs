//! The policy of a comparison: which breaks it fails on, and how much each rule counts.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::compare::Finding;
use super::rules::RULES;
use super::softened::{counted, counted_source};
use super::verdict::{Level, Source, Verdict, Wire};
use super::witness::Proof;
use crate::diagnostic::Diagnostics;
use crate::policy::{self, Date, Levels};

/// The rules that a project looks at a comparison by.
pub type Policy = policy::Policy<FailOn, RuleLevel>;

/// The outcome of applying a policy to a report.
pub type PolicyOutcome = policy::Outcome<FailOn>;

/// Levels by the names of rules, where they differ from the rule's own.
pub type RuleLevels = Levels<RuleLevel>;

/// The breaks that make a comparison fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Messages that are rejected by the schemas alone.
    Wire,
    /// Messages that are rejected by receivers that forgive what the schema says they may.
    Effective,
    /// Code that does not compile any more, but for what is unstable.
    Source,
    /// Messages that are rejected where nothing in the schema softens it, or code.
    #[default]
    Any,
    /// Nothing.
    Never,
}

impl policy::FailOn for FailOn {
    fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Effective => "effective",
            Self::Source => "source",
            Self::Any => "any",
            Self::Never => "never",
        }
    }
}

/// The level that a project gives a rule, whatever the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// It breaks somebody, and counts as such.
    Breaking,
    /// It is worth a look.
    Risky,
    /// It disturbs nobody.
    Safe,
    /// It is good to know.
    Info,
    /// It is not reported.
    Ignore,
}

impl RuleLevel {
    /// The level, unless findings are to be ignored.
    pub(super) fn level(self) -> Option<Level> {
        match self {
            Self::Breaking => Some(Level::Breaking),
            Self::Risky => Some(Level::Risky),
            Self::Safe => Some(Level::Safe),
            Self::Info => Some(Level::Info),
            Self::Ignore => None,
        }
    }
}

/// The level of a finding, and whether it counts as breaking. `None`: it is to be ignored.
///
/// A level of the project's own decides both, whatever the finding breaks: what happens to messages
/// and code stays as it is, these are facts.
pub(in crate::breaking) fn weigh(
    finding: &Finding<'_>,
    proof: &Proof,
    source: Source,
    levels: &RuleLevels,
) -> Option<(Level, bool)> {
    let rule = finding.rule;
    if let Some(chosen) = levels.get(rule.id) {
        let level = chosen.level()?;
        return Some((level, level == Level::Breaking));
    }
    let wire = counted(finding.wire, proof.effective);
    let counted_source = counted_source(source, finding.is_unstable);
    let breaking = wire.worst() == Verdict::Break || counted_source.is_breaking();
    let level = match wire.worst() {
        _ if breaking => Level::Breaking,
        // What comes is known to those who send it: not every addition is a risk.
        Verdict::Risk if rule.wire.worst() == Verdict::Risk => rule.level.max(Level::Risky),
        Verdict::Risk => Level::Risky,
        // Only code of what is unstable breaks.
        _ if source.is_breaking() => Level::Risky,
        _ => rule.level.max(Level::Safe),
    };
    Some((level, breaking))
}

impl Policy {
    /// Reports `unknown-rule` for every level that is not given to a rule.
    pub fn check(&self, diagnostics: &mut Diagnostics) {
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        self.check_rules(&rules, diagnostics);
    }

    /// Looks at the changes of a comparison with these levels, on a day, and says whether it
    /// fails. `ignored`: how many more there were, whose rules are to be ignored.
    pub fn apply(&self, changes: &[Change], ignored: usize, today: Date) -> PolicyOutcome {
        let findings = changes.iter().map(|change| (change.id.as_str(), self.counts(change)));
        self.outcome(findings, ignored, today)
    }

    /// Tells whether a change makes a comparison fail, unless it is waived.
    pub fn counts(&self, change: &Change) -> bool {
        let breaks = |wire: Wire| wire.worst() == Verdict::Break;
        let wire = breaks(change.wire);
        let source = change.counted_source().is_breaking();
        // What does not count by itself does so because the project says so.
        let chosen = change.breaking && !breaks(change.counted_wire()) && !source;
        // The project says that it breaks nobody.
        let is_played_down = !change.breaking && self.rules.contains_key(change.rule.id);
        match self.fail_on {
            _ if is_played_down => false,
            FailOn::Wire => wire || chosen,
            FailOn::Effective => breaks(change.effective_wire.unwrap_or(change.wire)) || chosen,
            FailOn::Source => source || chosen,
            FailOn::Any => change.breaking,
            FailOn::Never => false,
        }
    }
}
