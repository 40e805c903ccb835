//! What the tables of commands in `acp-bindgen.toml` have in common: a policy.

use std::path::PathBuf;

use crate::policy::Levels;

/// The policy that a table, or the flags of a command, choose. What is not chosen has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTable<F, L> {
    /// What makes the command fail.
    pub fail_on: Option<F>,
    /// The file of findings that were agreed to.
    pub waivers: Option<PathBuf>,
    /// Levels by the names of rules.
    pub rules: Levels<L>,
}

impl<F, L> PolicyTable<F, L> {
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
