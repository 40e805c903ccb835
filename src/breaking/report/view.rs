//! The view of a report that the formats for people and services print.

use super::Report;
use super::prose::count;
use crate::breaking::change::{Change, SourceLocation};
use crate::breaking::policy::{FailOn, PolicyOutcome};
use crate::breaking::source::CodeDiff;
use crate::source::{SourceText, Sources, is_path};

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

/// The path of a text that is a file, with `/` between folders.
pub(super) fn path_of(text: &SourceText) -> Option<String> {
    is_path(&text.label).then(|| text.label.replace('\\', "/"))
}

/// The outcome of the project's policy, in a sentence. `None` where there is nothing to say beyond
/// the verdict.
pub(super) fn outcome_note(outcome: &PolicyOutcome) -> Option<String> {
    let counts = [
        (outcome.waived.len(), "finding", "waived"),
        (outcome.expired.len(), "waiver", "expired"),
        (outcome.unused.len(), "waiver", "unused"),
        (outcome.ignored, "finding", "ignored"),
    ];
    let told = counts.into_iter().filter(|(number, ..)| *number > 0);
    let mut parts: Vec<String> =
        told.map(|(number, noun, what)| format!("{} {what}", count(number, noun))).collect();
    let is_usual = outcome.fail_on == FailOn::Any && parts.is_empty();
    (!is_usual).then(|| {
        let verdict = match outcome.failing {
            0 => "passes".to_owned(),
            failing => format!("fails on {}", count(failing, "finding")),
        };
        parts.insert(0, format!("with `--fail-on {}` this {verdict}", outcome.fail_on.name()));
        parts.join("; ")
    })
}
