//! The policy of `validate`: the table `[validate]` of `acp-bindgen.toml`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::policy::PolicyTable;
use crate::policy::{Levels, RuleSeverity, Threshold};

/// Choices for `acp-bindgen validate`. What is not chosen has a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ValidateConfig {
    /// The mildest findings that make it fail: `error` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<Threshold>,
    /// The file of findings that were agreed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waivers: Option<PathBuf>,
    /// Severities by the names of rules.
    #[serde(skip_serializing_if = "Levels::is_empty")]
    pub rules: Levels<RuleSeverity>,
}

impl ValidateConfig {
    /// The names of all choices, as keys.
    pub(crate) const KEYS: [&'static str; 3] = ["fail-on", "waivers", "rules"];

    /// Tells whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes from another the choices that these leave open.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let PolicyTable { fail_on, waivers, rules } = self.policy().or(other.policy());
        Self { fail_on, waivers, rules }
    }

    /// The policy that is chosen.
    pub fn policy(self) -> PolicyTable<Threshold, RuleSeverity> {
        let Self { fail_on, waivers, rules } = self;
        PolicyTable { fail_on, waivers, rules }
    }
}
