//! The report as annotations of a GitHub workflow.

use super::alike::{Alike, alike, listed};
use super::headline;
use super::prose::{effects, told, wire_facts};
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
    let alike = alike(told, view.outcome);
    let mut text: String = alike.iter().filter_map(|alike| finding(alike, view)).collect();
    let notes = view.report.notes.iter().cloned().chain(view.outcome.note());
    let summary = std::iter::once(headline(view.report)).chain(notes);
    let summary: Vec<String> = summary.map(|note| sentence(&plain(&note))).collect();
    text.push_str(&annotation(Severity::Info, None, "Schema changes", &summary));
    text
}

/// The annotation of a finding, or of those that say the same, at the place of the first.
fn finding(alike: &Alike<'_>, view: &View<'_>) -> Option<String> {
    let change: &Change = alike.changes.first()?;
    let waiver = view.outcome.waiver(&change.id);
    let severity = waiver.map_or(change.level.severity(), |_| Severity::Info);
    let file = |at: Option<At<'_, '_>>| {
        let (text, at) = at?;
        Some(FileLocation { path: text.path()?, line: at.line, column: at.column })
    };
    let [old, new] = view.locations(change).map(file);
    let places = alike.changes.iter().map(|change| listed(change)).collect::<Vec<_>>().join(", ");
    let what = if alike.is_many() {
        format!("{}, {} times: {places}", alike.said, alike.changes.len())
    } else {
        told(change)
    };
    let wire = wire_facts(change).into_iter().map(|(label, words)| match label {
        "wire" => words,
        other => format!("{other}: {words}"),
    });
    let mut lines = vec![
        sentence(&plain(&what)),
        change.rule.why.to_owned(),
        sentence(&plain(&wire.collect::<Vec<_>>().join("; "))),
        effects(change) + ".",
        format!("Remedy: {}", plain(&change.remedy)),
        format!("Finding: {}", plain(&change.id)),
    ];
    if let Some(waiver) = waiver {
        lines.push(format!("Waived {}", plain(&until(waiver))));
    }
    Some(annotation(severity, new.or(old), change.rule.id, &lines))
}
