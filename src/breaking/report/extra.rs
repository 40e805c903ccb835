//! Additions to a report in the formats for terminals and programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::Report;
use super::view::View;
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::source::{CodeDiff, Fate};
use crate::policy::prose::{count, plain, sentence};

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    policy: &'a PolicyOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a CodeDiff>,
}

/// The report's JSON form with `policy`, what the project makes of it, and `code`, if that was
/// asked for; with a newline at the end.
pub fn json_with(view: &View<'_>) -> String {
    let whole = Whole { report: view.report, policy: view.outcome, code: view.code };
    // A report has only string keys and finite numbers, so that serializing cannot fail.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

/// Writes what follows the report at a terminal: what the project's policy makes of it, and how the
/// generated code changes. Empty where there is nothing of this.
///
/// Headings begin at the margin, lines of code after two spaces with `+`, `-` or a space.
pub fn code_text(view: &View<'_>) -> String {
    let mut text = String::new();
    if let Some(note) = view.outcome.note() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}", sentence(&plain(&note)));
    }
    for waiver in &view.outcome.waived {
        let (finding, reason) = (plain(&waiver.finding), plain(&waiver.reason));
        let _ = writeln!(text, "    waived until {}: {finding} ({reason})", waiver.expires);
    }
    for language in view.code.iter().flat_map(|code| &code.languages) {
        let declarations = count(language.declarations.len(), "declaration");
        let _ = writeln!(text, "\n{}: {declarations} changed", language.name);
        for declaration in &language.declarations {
            let fate = match declaration.fate {
                Fate::Added => "new",
                Fate::Removed => "gone",
                Fate::Changed => "changed",
            };
            let _ = writeln!(text, "\n    {} ({fate})", plain(&declaration.name));
            for line in &declaration.lines {
                let _ = match line.mark {
                    '…' => writeln!(text, "   …"),
                    mark => writeln!(text, "  {mark}{}", plain(&line.text)),
                };
            }
        }
    }
    text
}
