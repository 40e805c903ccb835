//! The policy: the part that the tables of commands in `acp-bindgen.toml` have in common.

use std::path::PathBuf;

use crate::policy::Levels;

/// The policy that a table, or the flags of a command, choose. What is not chosen has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTable<F, L> {
    /// The findings that make the command fail.
    pub fail_on: Option<F>,
    /// The file of waivers: findings that the project accepts.
    pub waivers: Option<PathBuf>,
    /// The levels of rules, by the rules' names.
    pub rules: Levels<L>,
}

impl<F, L> PolicyTable<F, L> {
    /// Takes from another the choices that these leave open.
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
