//! The report in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0).

use serde_json::{Value, json};

use super::prose::{percent_encoded, plain, sentence, told, until};
use super::view::{At, View, path_of};
use crate::breaking::change::Change;
use crate::breaking::rules::{RULES, Rule};
use crate::breaking::verdict::Level;
use crate::source::SourceText;

/// The report as a SARIF log of one run, with a newline at the end.
///
/// Every rule is described, whether it has results or not, so that a viewer can tell what was
/// looked for. The id of a finding is its fingerprint: a finding that is there in two runs is the
/// same one. A waived finding is a suppressed result.
pub fn sarif(view: &View<'_>) -> String {
    let rules: Vec<Value> = RULES.iter().map(|rule| descriptor(rule)).collect();
    let results: Vec<Value> =
        view.report.changes.iter().map(|change| result(change, view)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "acp-bindgen",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "old": view.report.old,
                "new": view.report.new,
                "verdict": view.report.verdict,
                "policy": view.outcome,
            },
        }],
    });
    // Serializing a JSON value cannot fail.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn descriptor(rule: &Rule) -> Value {
    let markdown = format!(
        "{}\n\n**Remedy:** {}\n\nBefore:\n\n```json\n{}\n```\n\nAfter:\n\n```json\n{}\n```\n",
        rule.why, rule.remedy, rule.before, rule.after
    );
    json!({
        "id": rule.id,
        "shortDescription": { "text": sentence(rule.summary) },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{} {}", rule.why, rule.remedy), "markdown": markdown },
        "defaultConfiguration": { "level": level(rule.level) },
        "properties": { "wire": rule.wire, "source": rule.source },
    })
}

fn result(change: &Change, view: &View<'_>) -> Value {
    let index = RULES.iter().position(|rule| rule.id == change.rule.id);
    let [old, new] = view.locations(change).map(|at| at.map(location));
    let text = format!("{} {}", sentence(&plain(&told(change))), change.rule.why);
    let mut result = json!({
        "ruleId": change.rule.id,
        "ruleIndex": index,
        "level": level(change.level),
        "message": { "text": text },
        "partialFingerprints": { "changeId/v1": change.id },
        "properties": {
            "level": change.level,
            "breaking": change.breaking,
            "wire": change.wire,
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
    if let Some(waiver) = view.outcome.waiver(change) {
        result["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": until(waiver) }]);
    }
    result
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Breaking => "error",
        Level::Risky => "warning",
        Level::Safe | Level::Info => "note",
    }
}

fn location((text, at): At<'_, '_>) -> Value {
    let span = at.location.span;
    let (start_line, start_column) = text.line_column(span.start);
    let (end_line, end_column) = text.line_column(span.end.max(span.start));
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(text) },
            "region": {
                "startLine": start_line,
                "startColumn": start_column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        },
        "logicalLocations": [{ "fullyQualifiedName": at.pointer, "kind": "value" }],
    })
}

/// The text's location as a URI reference (RFC 3986): a path as it is, anything else under a scheme
/// of its own.
fn uri(text: &SourceText) -> String {
    match path_of(text) {
        Some(path) if path.starts_with('/') => format!("file://{}", percent_encoded(&path, "/")),
        Some(path) => percent_encoded(path.strip_prefix("./").unwrap_or(&path), "/"),
        None if text.label.starts_with('<') => "stdin:".to_owned(),
        None => percent_encoded(&text.label, "/:@"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_files_have_a_scheme() {
        let uri = |label: &str| uri(&SourceText::new(label, ""));
        assert_eq!(uri("./a b/c.json"), "a%20b/c.json");
        assert_eq!(uri("/a/b.json"), "file:///a/b.json");
        assert_eq!(uri("bundled:acp@v1"), "bundled:acp@v1");
        assert_eq!(uri("git:HEAD~1:a.json"), "git:HEAD~1:a.json");
        assert_eq!(uri("<stdin>"), "stdin:");
    }
}
