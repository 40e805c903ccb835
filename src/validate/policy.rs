//! The policy of a validation: how much each rule counts, and what it fails on.

use super::rules::RULES;
use crate::policy::{Outcome, Policy, RuleSeverity, Threshold};

/// The rules that a project looks at messages by.
pub type ValidatePolicy = Policy<Threshold, RuleSeverity>;

/// The outcome of applying a policy to a report.
pub type ValidateOutcome = Outcome<Threshold>;

/// The default threshold: errors make a validation fail, values that receivers forgive do not.
pub const FAIL_ON: Threshold = Threshold::Error;

/// The names of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> + Clone {
    RULES.iter().map(|rule| rule.id)
}
