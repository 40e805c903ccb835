//! The report in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0).

use serde_json::{Value, json};

use super::prose::told;
use super::view::{At, View};
use crate::breaking::change::Change;
use crate::breaking::rules::{RULES, Rule};
use crate::policy::prose::{plain, sentence};
use crate::policy::sarif;

/// The report as a SARIF log of one run, with a newline at the end.
///
/// Every rule is described, whether it has results or not, so that a viewer can tell what was
/// looked for. The id of a finding is its fingerprint: a finding that is there in two runs is the
/// same one. A waived finding is a suppressed result.
pub fn sarif(view: &View<'_>) -> String {
    let rules: Vec<Value> = RULES.iter().map(|rule| descriptor(rule)).collect();
    let results: Vec<Value> =
        view.report.changes.iter().map(|change| result(change, view)).collect();
    let properties = json!({
        "old": view.report.old,
        "new": view.report.new,
        "verdict": view.report.verdict,
        "policy": view.outcome,
    });
    sarif::log(&rules, &results, &properties)
}

fn descriptor(rule: &Rule) -> Value {
    let mut descriptor = sarif::descriptor(&rule.into());
    descriptor["properties"] = json!({ "wire": rule.wire, "source": rule.source });
    descriptor
}

fn result(change: &Change, view: &View<'_>) -> Value {
    let index = RULES.iter().position(|rule| rule.id == change.rule.id);
    let [old, new] = view.locations(change).map(|at| at.map(location));
    let text = format!("{} {}", sentence(&plain(&told(change))), change.rule.why);
    let mut result = json!({
        "ruleId": change.rule.id,
        "ruleIndex": index,
        "level": sarif::level(change.level.severity()),
        "message": { "text": text },
        "partialFingerprints": { "changeId/v1": change.id },
        "properties": {
            "level": change.level,
            "breaking": change.breaking,
            "wire": change.wire,
            "effectiveWire": change.effective_wire,
            "softenedBy": change.softened_by,
            "source": change.source,
            "remedy": change.remedy,
            "positions": change.positions,
            "witness": change.witness,
        },
    });
    let first = new.clone().or_else(|| old.clone());
    result["locations"] = first.into_iter().collect();
    if let (Some(mut old), Some(_)) = (old, new) {
        old["id"] = json!(0);
        old["message"] = json!({ "text": "the old schema" });
        result["relatedLocations"] = json!([old]);
    }
    if let Some(waiver) = view.outcome.waiver(&change.id) {
        result["suppressions"] = sarif::suppressions(waiver);
    }
    result
}

fn location((text, at): At<'_, '_>) -> Value {
    sarif::location(text, at.location.span, &at.pointer)
}
