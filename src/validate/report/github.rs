//! The report as annotations of a GitHub workflow.

use super::{View, direction, headline, told};
use crate::diagnostic::Severity;
use crate::policy::github::{FileLocation, annotation};
use crate::policy::prose::{plain, sentence, until};
use crate::source::SourceText;
use crate::validate::Finding;

/// Writes an annotation for every mistake that is not merely good to know, and one for the whole,
/// which comes last.
pub fn github(view: &View<'_>) -> String {
    let groups = view.groups().into_iter();
    let told = groups.filter(|(finding, _)| finding.severity != Severity::Info);
    let mut text: String = told.map(|(finding, more)| one(view, finding, more.len())).collect();
    let summary = [sentence(&headline(view.report))];
    text.push_str(&annotation(Severity::Info, None, "Messages", &summary));
    text
}

fn one(view: &View<'_>, finding: &Finding, more: usize) -> String {
    let waiver = view.outcome.waiver(&finding.id);
    let severity = waiver.map_or(finding.severity, |_| Severity::Info);
    let at = &finding.location;
    let file = view.file(finding).and_then(SourceText::path);
    let file = file.map(|path| FileLocation { path, line: at.line, column: at.column });
    let whose: Vec<String> = direction(finding).into_iter().chain(finding.method.clone()).collect();
    let whose = if whose.is_empty() { String::new() } else { format!("{}: ", whose.join(", ")) };
    let mut lines = vec![
        sentence(&plain(&format!("{whose}{}", told(finding)))),
        finding.rule.why.to_owned(),
        format!("Remedy: {}", finding.rule.remedy),
        format!("Finding: {}", plain(&finding.id)),
    ];
    if more > 0 {
        lines.push(format!("The same in {more} more."));
    }
    if let Some(waiver) = waiver {
        lines.push(format!("Waived {}", plain(&until(waiver))));
    }
    annotation(severity, file, finding.rule.id, &lines)
}
