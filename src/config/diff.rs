//! The policy of `diff`: the table `[diff]` of `acp-bindgen.toml`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::policy::PolicyTable;
use crate::breaking::policy::{FailOn, RuleLevel};
use crate::policy::Levels;

/// Choices for `acp-bindgen diff`. What is not chosen has a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DiffConfig {
    /// The findings that make it fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// The file of findings that were agreed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waivers: Option<PathBuf>,
    /// True if what is found about unstable parts is left out, and only counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_unstable: Option<bool>,
    /// Levels by the names of rules.
    #[serde(skip_serializing_if = "Levels::is_empty")]
    pub rules: Levels<RuleLevel>,
}

impl DiffConfig {
    /// The names of all choices, as keys.
    pub(crate) const KEYS: [&'static str; 4] = ["fail-on", "waivers", "ignore-unstable", "rules"];

    /// Tells whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes from another the choices that these leave open.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let ignore_unstable = self.ignore_unstable.or(other.ignore_unstable);
        Self { ignore_unstable, ..self.policy().or(other.policy()).into() }
    }

    /// The policy that is chosen.
    pub fn policy(self) -> PolicyTable<FailOn, RuleLevel> {
        let Self { fail_on, waivers, rules, .. } = self;
        PolicyTable { fail_on, waivers, rules }
    }
}

impl From<PolicyTable<FailOn, RuleLevel>> for DiffConfig {
    fn from(table: PolicyTable<FailOn, RuleLevel>) -> Self {
        let PolicyTable { fail_on, waivers, rules } = table;
        Self { fail_on, waivers, ignore_unstable: None, rules }
    }
}
