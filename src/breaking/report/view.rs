//! The view of a report that the formats for people and services print.

use super::prose::count;
use super::{Report, SourceVerdict};
use crate::breaking::change::SourceLocation;
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::source::CodeDiff;
use crate::breaking::verdict::{Verdict, Wire};
use crate::source::{SourceText, Sources, is_path};

/// A report, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The findings.
    pub report: &'a Report,
    /// The texts that the findings' places in the old schema point into.
    pub old: &'a Sources,
    /// The texts that the findings' places in the new schema point into.
    pub new: &'a Sources,
    /// The outcome of the project's policy.
    pub outcome: &'a PolicyOutcome,
    /// The changes of the generated code, if they were asked for.
    pub code: Option<&'a CodeDiff>,
}

impl<'a> View<'a> {
    /// The text that a place in the old schema is in.
    pub(super) fn old_text(&self, location_of: &SourceLocation) -> Option<&'a SourceText> {
        self.old.get(location_of.place.span.source)
    }

    /// The text that a place in the new schema is in.
    pub(super) fn new_text(&self, location_of: &SourceLocation) -> Option<&'a SourceText> {
        self.new.get(location_of.place.span.source)
    }
}

/// The path of a text that is a file, with `/` between folders.
pub(super) fn path_of(text: &SourceText) -> Option<String> {
    is_path(&text.label).then(|| text.label.replace('\\', "/"))
}

/// The outcome of the project's policy, in a sentence. `None` where there is nothing to say beyond
/// the verdict.
pub(super) fn outcome_note(outcome: &PolicyOutcome) -> Option<String> {
    let mut parts = Vec::new();
    if !outcome.waived.is_empty() {
        parts.push(count(outcome.waived.len(), "finding") + " waived");
    }
    if !outcome.expired.is_empty() {
        parts.push(count(outcome.expired.len(), "waiver") + " expired");
    }
    if !outcome.unused.is_empty() {
        parts.push(count(outcome.unused.len(), "waiver") + " unused");
    }
    if outcome.ignored > 0 {
        parts.push(count(outcome.ignored, "finding") + " ignored");
    }
    let is_usual = outcome.fail_on == crate::breaking::policy::FailOn::Any && parts.is_empty();
    (!is_usual).then(|| {
        let verdict = match outcome.failing {
            0 => "passes".to_owned(),
            failing => format!("fails on {}", count(failing, "finding")),
        };
        parts.insert(0, format!("with `--fail-on {}` this {verdict}", outcome.fail_on.name()));
        parts.join("; ")
    })
}

/// The word for a verdict on the wire.
pub(super) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Risk => "risk",
        Verdict::Break => "breaks",
    }
}

/// The word for what happens to all code of a language.
pub(super) fn source_word(verdict: SourceVerdict) -> &'static str {
    match verdict {
        SourceVerdict::Ok => "ok",
        SourceVerdict::Cond => "depends",
        SourceVerdict::Break => "breaks",
    }
}

/// The words for what happens to code, of one finding.
pub(super) fn effect_words(effect: crate::breaking::verdict::Effect) -> String {
    use crate::breaking::verdict::Effect;
    match effect {
        Effect::Ok => "ok".to_owned(),
        Effect::Conditional(written) => format!("depends ({})", written.replace(['-', '+'], " ")),
        Effect::Readers => "readers break".to_owned(),
        Effect::Builders => "builders break".to_owned(),
        Effect::Name => "a name is gone".to_owned(),
        Effect::Break => "breaks".to_owned(),
    }
}

/// Both ways in a few words.
pub(super) fn wire_words(wire: Wire) -> String {
    format!("old→new {}, new→old {}", verdict_word(wire.old_to_new), verdict_word(wire.new_to_old))
}
