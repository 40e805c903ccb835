//! The view of a report that the formats for people and services print.

use super::Report;
use crate::breaking::change::{Change, SourceLocation};
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::source::CodeDiff;
use crate::source::{SourceText, Sources};

/// A report, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The findings.
    pub report: &'a Report,
    /// The texts that the findings' locations in the old schema point into.
    pub old: &'a Sources,
    /// The texts that the findings' locations in the new schema point into.
    pub new: &'a Sources,
    /// The outcome of the project's policy.
    pub outcome: &'a PolicyOutcome,
    /// The changes of the generated code, if they were asked for.
    pub code: Option<&'a CodeDiff>,
}

impl<'a> View<'a> {
    /// The locations of a finding with their texts: in the old schema, and in the new.
    pub(super) fn locations<'c>(&self, change: &'c Change) -> [Option<At<'a, 'c>>; 2] {
        [(self.old, &change.old), (self.new, &change.new)].map(|(sources, location)| {
            let location = location.as_ref()?;
            Some((sources.get(location.location.span.source)?, location))
        })
    }
}

/// A location, and the text that it is in.
pub(super) type At<'a, 'c> = (&'a SourceText, &'c SourceLocation);
