//! The report in the Static Analysis Results Interchange Format.

use serde_json::{Value, json};

use super::{View, direction, told};
use crate::policy::prose::{plain, sentence};
use crate::policy::sarif;
use crate::validate::{Finding, RULES};

/// The report as a SARIF log of one run. The place in the schema is a related location.
pub fn sarif(view: &View<'_>) -> String {
    let rules: Vec<Value> = RULES.iter().map(|rule| sarif::descriptor(rule)).collect();
    let results: Vec<Value> = view.report.findings.iter().map(|it| result(view, it)).collect();
    let properties = json!({
        "schema": view.report.schema,
        "messages": view.report.messages,
        "policy": view.outcome,
    });
    sarif::log(&rules, &results, &properties)
}

fn result(view: &View<'_>, finding: &Finding) -> Value {
    let index = RULES.iter().position(|rule| rule.id == finding.rule.id);
    let mut result = json!({
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": sarif::level(finding.severity),
        "message": { "text": sentence(&plain(&told(finding))) },
        "properties": {
            "finding": finding.id,
            "method": finding.method,
            "direction": direction(finding),
            "path": finding.path,
        },
    });
    let place = |text, at: &crate::source::Location| sarif::location(text, at.span, &at.pointer);
    let at = view.file(finding).map(|text| place(text, &finding.location));
    result["locations"] = at.into_iter().collect();
    if let Some((text, at)) = view.schema(finding) {
        let mut related = place(text, at);
        related["id"] = json!(0);
        related["message"] = json!({ "text": "the schema" });
        result["relatedLocations"] = json!([related]);
    }
    if let Some(waiver) = view.outcome.waiver(&finding.id) {
        result["suppressions"] = sarif::suppressions(waiver);
    }
    result
}
