//! The report as annotations of a GitHub workflow.

use super::headline;
use super::prose::{effects, told, wire_words};
use super::view::{At, View};
use crate::breaking::change::Change;
use crate::breaking::verdict::Level;
use crate::diagnostic::Severity;
use crate::policy::github::{FileLocation, annotation};
use crate::policy::prose::{plain, sentence, until};

/// Writes an annotation for every finding that is not merely good to know, and one for the whole,
/// which comes last.
///
/// A finding is shown at its location in the new schema; one of what is gone at its location in the
/// old schema, if that is a file.
pub fn github(view: &View<'_>) -> String {
    let told = view.report.changes.iter().filter(|change| change.level != Level::Info);
    let mut text: String = told.map(|change| finding(change, view)).collect();
    let notes = view.report.notes.iter().cloned().chain(view.outcome.note());
    let summary = std::iter::once(headline(view.report)).chain(notes);
    let summary: Vec<String> = summary.map(|note| sentence(&plain(&note))).collect();
    text.push_str(&annotation(Severity::Info, None, "Schema changes", &summary));
    text
}

fn finding(change: &Change, view: &View<'_>) -> String {
    let waiver = view.outcome.waiver(&change.id);
    let severity = waiver.map_or(change.level.severity(), |_| Severity::Info);
    let file = |at: Option<At<'_, '_>>| {
        let (text, at) = at?;
        Some(FileLocation { path: text.path()?, line: at.line, column: at.column })
    };
    let [old, new] = view.locations(change).map(file);
    let mut lines = vec![
        sentence(&plain(&told(change))),
        change.rule.why.to_owned(),
        sentence(&wire_words(change.wire)),
        effects(change) + ".",
        format!("Remedy: {}", plain(&change.remedy)),
        format!("Finding: {}", plain(&change.id)),
    ];
    if let Some(waiver) = waiver {
        lines.push(format!("Waived {}", plain(&until(waiver))));
    }
    annotation(severity, new.or(old), change.rule.id, &lines)
}
