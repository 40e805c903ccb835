//! Profiles: which rules a project goes by, and how much each counts.

use serde::{Deserialize, Serialize};

use super::rule::Rule;
use crate::diagnostic::Severity;
use crate::policy::{Levels, RuleSeverity};

/// The rules that a profile begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Extends {
    /// Those whose findings are worth acting on in most schemas.
    #[default]
    Recommended,
    /// All of them.
    All,
}

/// The rules that a project goes by.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The rules that it begins with.
    pub extends: Extends,
    /// The severities of rules that count in another way, or not at all.
    pub rules: Levels<RuleSeverity>,
}

impl Profile {
    /// The severity of a finding of a rule, which has `own` by itself. `None`: it is not reported.
    pub(super) fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        match self.rules.get(rule.id()) {
            Some(chosen) => chosen.severity(),
            None => (rule.recommended || self.extends == Extends::All).then_some(own),
        }
    }

    /// Tells whether the project asks for a rule to be ignored.
    pub(super) fn ignores(&self, rule: &Rule) -> bool {
        self.rules.get(rule.id()) == Some(&RuleSeverity::Ignore)
    }
}
