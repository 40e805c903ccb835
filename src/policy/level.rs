//! Levels: how much a finding counts.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::outcome::FailOn;
use crate::diagnostic::Severity;

/// Levels by the names of rules, where they differ from the rule's own.
pub type Levels<L> = IndexMap<String, L>;

/// The severity that a project gives a rule of `lint` or `validate`, whatever the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RuleSeverity {
    /// It is wrong.
    Error,
    /// It is probably not what was meant.
    Warning,
    /// It is good to know.
    Info,
    /// It is not reported.
    Ignore,
}

impl RuleSeverity {
    /// The severity, unless findings are to be ignored.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Ignore => None,
        }
    }
}

/// The mildest findings that make `lint` or `validate` fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Threshold {
    /// Errors.
    Error,
    /// Errors and warnings.
    #[default]
    Warning,
    /// Every finding.
    Info,
    /// Nothing.
    Never,
}

impl Threshold {
    /// Tells whether a finding of this severity makes it fail.
    pub fn counts(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity <= Severity::Error,
            Self::Warning => severity <= Severity::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

impl FailOn for Threshold {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Never => "never",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_takes_what_is_as_bad_or_worse() {
        let all = [Severity::Error, Severity::Warning, Severity::Info];
        let counting =
            |it: Threshold| all.into_iter().filter(|severity| it.counts(*severity)).count();
        assert_eq!(
            [Threshold::Error, Threshold::Warning, Threshold::Info, Threshold::Never].map(counting),
            [1, 2, 3, 0]
        );
    }
}
