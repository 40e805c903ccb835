//! The policy of `diff`: the table `[diff]` of `acp-bindgen.toml`.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::breaking::policy::{FailOn, RuleLevel};

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
    /// Levels by the names of rules.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub rules: IndexMap<String, RuleLevel>,
}

impl DiffConfig {
    /// The names of all choices, as keys.
    pub(crate) const KEYS: [&'static str; 3] = ["fail-on", "waivers", "rules"];

    /// Tells whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These choices, and those of another wherever these choose nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut rules = other.rules;
        rules.extend(self.rules);
        Self {
            fail_on: self.fail_on.or(other.fail_on),
            waivers: self.waivers.or(other.waivers),
            rules,
        }
    }
}
