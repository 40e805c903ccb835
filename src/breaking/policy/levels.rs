//! Levels: how much a finding counts.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::breaking::rules::Rule;
use crate::breaking::verdict::{Level, Source, Verdict, Wire};

/// Levels by the names of rules, where they differ from the rule's own.
pub type RuleLevels = IndexMap<String, RuleLevel>;

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
    fn level(self) -> Option<Level> {
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
/// A level of the project's own decides both, whatever the finding breaks: what happens to
/// messages and code stays as it is, these are facts.
pub(in crate::breaking) fn weigh(
    rule: &Rule,
    wire: Wire,
    source: Source,
    levels: &RuleLevels,
) -> Option<(Level, bool)> {
    if let Some(chosen) = levels.get(rule.id) {
        let level = chosen.level()?;
        return Some((level, level == Level::Breaking));
    }
    let breaking = wire.worst() == Verdict::Break || source.is_breaking();
    let level = match wire.worst() {
        _ if breaking => Level::Breaking,
        Verdict::Risk => Level::Risky,
        _ => rule.level.max(Level::Safe),
    };
    Some((level, breaking))
}
