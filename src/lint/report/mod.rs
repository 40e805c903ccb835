//! The report of `lint` in its formats.

mod json;

pub use json::json;

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::{Finding, Linted, rules};
use crate::diagnostic::{Diagnostics, Severity, Style, render, tally};
use crate::policy::github::{FileLocation, annotation};
use crate::policy::prose::{plain, sentence, until};
use crate::policy::{Outcome, Threshold, sarif};
use crate::source::Sources;

/// Findings, and what goes with them.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The findings.
    pub linted: &'a Linted,
    /// The texts that they point into.
    pub sources: &'a Sources,
    /// The name of the schema.
    pub schema: &'a str,
    /// The outcome of the project's policy.
    pub outcome: &'a Outcome<Threshold>,
}

impl View<'_> {
    /// The findings that no waiver is for.
    fn standing(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.linted.findings.iter();
        findings.filter(|finding| self.outcome.waiver(&finding.id).is_none())
    }

    /// The findings in a sentence without a full stop.
    fn headline(&self) -> String {
        let mut diagnostics = Diagnostics::new();
        self.standing().for_each(|finding| diagnostics.push(finding.diagnostic()));
        let tally = tally(&diagnostics);
        let tally = if tally.is_empty() { "nothing found".to_owned() } else { tally };
        format!("{tally} in {}", plain(self.schema))
    }
}

/// The findings with their places in the text, for people: each that no waiver is for, then how many
/// there are of each rule. Excerpts are made for so many columns.
pub fn text(view: &View<'_>, columns: usize) -> String {
    let mut diagnostics = Diagnostics::new();
    let mut rules: IndexMap<&str, (Severity, usize)> = IndexMap::new();
    for finding in view.standing() {
        diagnostics.push(finding.diagnostic());
        rules.entry(finding.rule.id()).or_insert((finding.severity, 0)).1 += 1;
    }
    let mut text = render(&diagnostics, view.sources, Style::Colored(columns));
    text.push_str(&view.headline());
    text.push('\n');
    rules.sort_by(|_, one, _, other| (one.0, other.1).cmp(&(other.0, one.1)));
    for (rule, (severity, count)) in rules {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:>6}  {:<8} {rule}", severity.name());
    }
    if let Some(note) = view.outcome.note() {
        let _ = writeln!(text, "{}", sentence(&plain(&note)));
    }
    text
}

/// An annotation of a GitHub workflow for each finding, and one for the whole, which comes last.
pub fn github(view: &View<'_>) -> String {
    let mut text: String =
        view.linted.findings.iter().map(|finding| github_finding(finding, view)).collect();
    let summary = std::iter::once(view.headline()).chain(view.outcome.note());
    let summary: Vec<String> = summary.map(|note| sentence(&plain(&note))).collect();
    text.push_str(&annotation(Severity::Info, None, "Schema", &summary));
    text
}

fn github_finding(finding: &Finding, view: &View<'_>) -> String {
    let waiver = view.outcome.waiver(&finding.id);
    let severity = waiver.map_or(finding.severity, |_| Severity::Info);
    let source = view.sources.get(finding.location.span.source);
    let at = source.and_then(|source| {
        let (line, column) = (finding.location.line, finding.location.column);
        Some(FileLocation { path: source.path()?, line, column })
    });
    let mut lines = vec![
        sentence(&plain(&finding.message)),
        finding.rule.about.why.to_owned(),
        format!("Remedy: {}", plain(&finding.remedy)),
        format!("Finding: {}", plain(&finding.id)),
    ];
    if let Some(waiver) = waiver {
        lines.push(format!("Waived {}", plain(&until(waiver))));
    }
    annotation(severity, at, finding.rule.id(), &lines)
}

/// A SARIF log of one run, with a newline at the end. The id of a finding is its fingerprint; a
/// waived finding is a suppressed result.
pub fn sarif(view: &View<'_>) -> String {
    let rules: Vec<Value> = rules().map(|rule| sarif::descriptor(&rule.about)).collect();
    let results: Vec<Value> =
        view.linted.findings.iter().map(|finding| result(finding, view)).collect();
    sarif::log(&rules, &results, &json!({ "schema": view.schema, "policy": view.outcome }))
}

fn result(finding: &Finding, view: &View<'_>) -> Value {
    let location = |at: &crate::source::Location| {
        let text = view.sources.get(at.span.source)?;
        Some(sarif::location(text, at.span, &at.pointer))
    };
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": rules().position(|rule| rule.id() == finding.rule.id()),
        "level": sarif::level(finding.severity),
        "message": { "text": format!("{} {}", sentence(&plain(&finding.message)), finding.rule.about.why) },
        "partialFingerprints": { "findingId/v1": finding.id },
        "locations": location(&finding.location).into_iter().collect::<Vec<Value>>(),
        "properties": { "remedy": finding.remedy },
    });
    let related = finding.related.as_ref();
    if let Some((mut other, label)) = related.and_then(|(at, label)| Some((location(at)?, label))) {
        other["id"] = json!(0);
        other["message"] = json!({ "text": label });
        result["relatedLocations"] = json!([other]);
    }
    if let Some(waiver) = view.outcome.waiver(&finding.id) {
        result["suppressions"] = sarif::suppressions(waiver);
    }
    result
}
