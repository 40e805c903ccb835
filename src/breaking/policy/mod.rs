//! The policy of a project: which findings it fails on, how much each rule counts, and what it has
//! agreed to for a while.

mod date;
mod levels;
mod waivers;

pub use date::{Date, day_of, today};
pub(super) use levels::weigh;
pub use levels::{RuleLevel, RuleLevels};
pub use waivers::{Waiver, read_waivers};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::rules::{RULES, rule};
use super::verdict::Verdict;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};

/// The breaks that make a comparison fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Messages that are rejected.
    Wire,
    /// Code that does not compile any more.
    Source,
    /// Either of them.
    #[default]
    Any,
    /// Nothing.
    Never,
}

impl FailOn {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Source => "source",
            Self::Any => "any",
            Self::Never => "never",
        }
    }
}

/// The rules that a project looks at a comparison by.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The breaks that make it fail.
    pub fail_on: FailOn,
    /// The levels of rules.
    pub rules: RuleLevels,
    /// The accepted findings.
    pub waivers: Vec<Waiver>,
}

/// The outcome of applying a policy to a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PolicyOutcome {
    /// The breaks that made it fail.
    pub fail_on: FailOn,
    /// True if it fails.
    pub fails: bool,
    /// The number of findings that make it fail.
    pub failing: usize,
    /// The number of findings that are not reported, because their rules are to be ignored.
    pub ignored: usize,
    /// Waivers that hold, in the order of the findings.
    pub waived: Vec<Waiver>,
    /// Waivers whose day has passed: they have no effect.
    pub expired: Vec<Waiver>,
    /// Waivers that still hold, for findings that are not there.
    pub unused: Vec<Waiver>,
}

impl PolicyOutcome {
    /// The waiver of a finding, if there is one that holds.
    pub fn waiver(&self, change: &Change) -> Option<&Waiver> {
        self.waived.iter().find(|waiver| waiver.finding == change.id)
    }

    /// Warnings for waivers without effect, to be shown with the waiver file.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        for waiver in &self.expired {
            let message = format!("a waiver has expired on {}", waiver.expires);
            diagnostics.push(
                Diagnostic::warning("expired-waiver", message)
                    .at(waiver.location.clone())
                    .help("give it a later date, or repair what it is for"),
            );
        }
        for waiver in &self.unused {
            diagnostics.push(
                Diagnostic::warning("unused-waiver", "a waiver is for a finding that is not there")
                    .at(waiver.location.clone())
                    .help("remove it, or correct the finding's id"),
            );
        }
        diagnostics
    }
}

impl Policy {
    /// Reports `unknown-rule` for every level that is not given to a rule.
    pub fn check(&self, diagnostics: &mut Diagnostics) {
        for name in self.rules.keys().filter(|name| rule(name).is_none()) {
            diagnostics.push(unknown_rule(name));
        }
    }

    /// Looks at the changes of a comparison with these levels, on a day, and says whether it
    /// fails. `ignored`: how many more there were, whose rules are to be ignored.
    pub fn apply(&self, changes: &[Change], ignored: usize, today: Date) -> PolicyOutcome {
        let mut outcome =
            PolicyOutcome { fail_on: self.fail_on, ignored, ..PolicyOutcome::default() };
        let ids: IndexMap<&str, ()> = changes.iter().map(|c| (c.id.as_str(), ())).collect();
        for waiver in &self.waivers {
            let into = if waiver.expires < today {
                &mut outcome.expired
            } else if ids.contains_key(waiver.finding.as_str()) {
                &mut outcome.waived
            } else {
                &mut outcome.unused
            };
            into.push(waiver.clone());
        }
        outcome.waived.sort_by_key(|waiver| ids.get_index_of(waiver.finding.as_str()));
        let failing = |change: &&Change| self.counts(change) && outcome.waiver(change).is_none();
        outcome.failing = changes.iter().filter(failing).count();
        outcome.fails = outcome.failing > 0;
        outcome
    }

    fn counts(&self, change: &Change) -> bool {
        let wire = change.wire.worst() == Verdict::Break;
        let source = change.source.is_breaking();
        // What breaks nothing by itself counts because the project says so.
        let chosen = !wire && !source;
        change.breaking
            && match self.fail_on {
                FailOn::Wire => wire || chosen,
                FailOn::Source => source || chosen,
                FailOn::Any => true,
                FailOn::Never => false,
            }
    }
}

/// Says that no rule has this name.
pub fn unknown_rule(name: &str) -> Diagnostic {
    Diagnostic::error("unknown-rule", format!("there is no rule `{name}`")).near(
        nearest(name, RULES.iter().map(|rule| rule.id)),
        "`acp-bindgen explain` lists all rules",
    )
}
