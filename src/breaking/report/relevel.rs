//! A report whose findings count as much as a project says.

use super::{Report, tally, verdict};
use crate::breaking::change::Change;
use crate::breaking::policy::RuleLevel;
use crate::breaking::verdict::Level;

impl Report {
    /// The report with the levels that were chosen for some findings, without those that are to
    /// be ignored, summed up anew.
    ///
    /// A finding that was given the level `breaking` is breaking, and one that was given any
    /// other is not.
    #[must_use]
    pub(crate) fn releveled(mut self, chosen: impl Fn(&Change) -> Option<RuleLevel>) -> Self {
        self.changes.retain_mut(|change| {
            let Some(chosen) = chosen(change) else { return true };
            let Some(level) = chosen.level() else { return false };
            change.level = level;
            change.breaking = level == Level::Breaking;
            true
        });
        self.changes.sort_by_key(|change| change.level);
        self.tally = tally(&self.changes);
        self.verdict = verdict(&self.changes);
        self
    }
}
