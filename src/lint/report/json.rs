//! The report of `lint` as JSON.

use serde::Serialize;

use super::View;
use crate::diagnostic::Severity;
use crate::lint::Finding;
use crate::policy::{Outcome, Threshold};
use crate::source::{Location, Sources};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'a str,
    findings: Vec<Shown<'a>>,
    policy: &'a Outcome<Threshold>,
}

/// A finding.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    rule: &'static str,
    severity: Severity,
    message: &'a str,
    remedy: &'a str,
    location: Place<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    related: Option<Place<'a>>,
    waived: bool,
}

/// A location.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    pointer: &'a str,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

/// The findings as one JSON object, with a newline at the end.
pub fn json(view: &View<'_>) -> String {
    let findings = view.linted.findings.iter().map(|finding| shown(finding, view)).collect();
    let report = Report { schema: view.schema, findings, policy: view.outcome };
    // A report has only string keys and finite numbers, so that serializing cannot fail.
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

fn shown<'a>(finding: &'a Finding, view: &View<'a>) -> Shown<'a> {
    let related = finding.related.as_ref();
    Shown {
        id: &finding.id,
        rule: finding.rule.id(),
        severity: finding.severity,
        message: &finding.message,
        remedy: &finding.remedy,
        location: place(&finding.location, None, view.sources),
        related: related.map(|(at, label)| place(at, Some(label), view.sources)),
        waived: view.outcome.waiver(&finding.id).is_some(),
    }
}

fn place<'a>(at: &'a Location, label: Option<&'a str>, sources: &'a Sources) -> Place<'a> {
    let source = sources.get(at.span.source);
    Place {
        file: source.map_or("", |source| &source.label),
        pointer: &at.pointer,
        line: at.line,
        column: at.column,
        label,
    }
}
