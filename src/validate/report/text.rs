//! The report for people at a terminal.

use std::fmt::Write as _;

use super::{Report, View, direction, told};
use crate::diagnostic::Severity;
use crate::policy::prose::{count, plain};
use crate::validate::Finding;

/// The most places of one mistake that are listed.
const LISTED: usize = 5;

/// The report as text: what is wrong and what is forgiven in the order of the lines, then what the
/// schema does not know, then a line that counts. The same mistake in several messages is told
/// once, with the other lines.
pub fn text(view: &View<'_>) -> String {
    let groups = view.groups();
    let (worse, known): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|(finding, _)| finding.severity != Severity::Info);
    let mut out = String::new();
    for (finding, more) in worse.iter().chain(&known) {
        out.push_str(&entry(view, finding, more));
    }
    out + &headline(view.report) + &notes(view) + "\n"
}

/// The line that sums a report up.
pub fn headline(report: &Report) -> String {
    let counts = Severity::ALL.map(|severity| (report.count(severity), severity));
    let told = counts.into_iter().filter(|(number, _)| *number > 0);
    let told = told.map(|(number, severity)| match severity {
        Severity::Error => count(number, "error"),
        Severity::Warning => count(number, "warning"),
        Severity::Info => count(number, "note"),
    });
    let told: Vec<String> = told.collect();
    let told = if told.is_empty() { "nothing to say".to_owned() } else { told.join(", ") };
    format!("{}: {told}", count(report.messages, "message"))
}

/// The numbers of findings that the policy waives or ignores, if there are any.
fn notes(view: &View<'_>) -> String {
    let outcome = view.outcome;
    let counts = [(outcome.waived.len(), "waived"), (outcome.ignored, "ignored")];
    let told = counts.into_iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(number, what)| format!(", {number} {what}")).collect();
    told.concat()
}

fn entry(view: &View<'_>, finding: &Finding, more: &[&Finding]) -> String {
    let label = view.file(finding).map_or("", |file| file.label.as_str());
    let at = &finding.location;
    let waived = if view.outcome.waiver(&finding.id).is_some() { " (waived)" } else { "" };
    let parts = [
        Some(format!("{label}:{}:{}", at.line, at.column)),
        Some(format!("{}{waived}", word(finding.severity))),
        direction(finding),
        finding.method.clone(),
        Some(format!("{} [{}]", told(finding), finding.rule.id)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().map(|part| plain(&part)).collect();
    let mut out = parts.join("  ") + "\n";
    if let Some((text, schema)) = view.schema(finding) {
        let place = format!("{}:{}:{} #{}", text.label, schema.line, schema.column, schema.pointer);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    schema: {}", plain(&place));
    }
    if !more.is_empty() {
        let lines = more.iter().take(LISTED).map(|it| it.location.line.to_string());
        let lines: Vec<String> = lines.collect();
        let rest = match more.len().saturating_sub(LISTED) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let plural = if more.len() == 1 { "" } else { "s" };
        let _ = writeln!(out, "    also in line{plural} {}{rest}", lines.join(", "));
    }
    out
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
