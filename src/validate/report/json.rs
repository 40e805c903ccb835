//! The report for programs.

use serde_json::{Value, json};

use super::View;
use crate::diagnostic::Severity;
use crate::source::{Location, SourceText};
use crate::validate::Finding;

/// The report as one JSON object, with a line end: `schema`, `messages`, `tally`, `findings` and
/// `policy`.
pub fn json(view: &View<'_>) -> String {
    let count =
        |severity: Severity| (severity.name().to_owned(), view.report.count(severity).into());
    let tally: serde_json::Map<String, Value> = Severity::ALL.into_iter().map(count).collect();
    let report = json!({
        "schema": view.report.schema,
        "messages": view.report.messages,
        "tally": tally,
        "findings": view.report.findings.iter().map(|it| finding(view, it)).collect::<Vec<_>>(),
        "policy": view.outcome,
    });
    format!("{report:#}\n")
}

fn finding(view: &View<'_>, finding: &Finding) -> Value {
    json!({
        "id": finding.id,
        "rule": finding.rule.id,
        "severity": finding.severity,
        "message": finding.message,
        "method": finding.method,
        "from": finding.from,
        "to": finding.to,
        "path": finding.path,
        "at": view.file(finding).map(|file| place(file, &finding.location)),
        "schema": view.schema(finding).map(|(text, at)| place(text, at)),
        "waived": view.outcome.waiver(&finding.id).is_some(),
    })
}

fn place(text: &SourceText, at: &Location) -> Value {
    json!({ "file": text.label, "line": at.line, "column": at.column, "pointer": at.pointer })
}
