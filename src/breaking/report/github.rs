//! The report as annotations of a GitHub workflow.
//!
//! The form of the commands and of their escapes is that of GitHub's *Workflow commands for
//! GitHub Actions*: `::error file=…,line=…,col=…,title=…::message`, with `%`, line ends, and in
//! properties `:` and `,`, written as `%` and two hexadecimal digits.

use std::fmt::Write as _;

use super::headline;
use super::prose::{effects, plain, sentence, told, wire_words};
use super::view::{At, View, outcome_note, path_of};
use crate::breaking::change::Change;
use crate::breaking::verdict::Level;

/// Writes an annotation for every finding that is not merely good to know, and one for the whole,
/// which comes last.
///
/// A finding is shown at its location in the new schema; one of what is gone at its location in the
/// old schema, if that is a file.
pub fn github(view: &View<'_>) -> String {
    let mut text = String::new();
    for change in view.report.changes.iter().filter(|change| change.level != Level::Info) {
        annotation(change, view, &mut text);
    }
    let notes = view.report.notes.iter().cloned().chain(outcome_note(view.outcome));
    let summary = std::iter::once(headline(view.report)).chain(notes);
    let summary: Vec<String> = summary.map(|note| sentence(&plain(&note))).collect();
    let _ = writeln!(
        text,
        "::notice title={}::{}",
        property("Schema changes"),
        data(&summary.join("\n"))
    );
    text
}

fn annotation(change: &Change, view: &View<'_>, text: &mut String) {
    let waiver = view.outcome.waiver(change);
    let command = match (change.level, waiver) {
        (_, Some(_)) | (Level::Safe | Level::Info, _) => "notice",
        (Level::Breaking, None) => "error",
        (Level::Risky, None) => "warning",
    };
    let file =
        |at: Option<At<'_, '_>>| at.and_then(|(text, at)| Some((path_of(text)?, at.clone())));
    let [old, new] = view.locations(change).map(file);
    let _ = write!(text, "::{command} ");
    if let Some((path, at)) = new.or(old) {
        let _ = write!(text, "file={},line={},col={},", property(&path), at.line, at.column);
    }
    let mut lines = vec![
        sentence(&plain(&told(change))),
        change.rule.why.to_owned(),
        sentence(&wire_words(change.wire)),
        effects(change) + ".",
        format!("Remedy: {}", plain(&change.remedy)),
        format!("Finding: {}", plain(&change.id)),
    ];
    if let Some(waiver) = waiver {
        lines.push(format!("Waived until {}: {}", waiver.expires, plain(&waiver.reason)));
    }
    let _ = writeln!(text, "title={}::{}", property(change.rule.id), data(&lines.join("\n")));
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
