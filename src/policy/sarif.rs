//! The Static Analysis Results Interchange Format (OASIS SARIF 2.1.0).

use serde_json::{Value, json};

use super::prose::{percent_encoded, sentence, until};
use super::rule::Rule;
use super::waivers::Waiver;
use crate::diagnostic::Severity;
use crate::source::{SourceText, Span};

/// A log of one run, with a newline at the end.
///
/// Every rule is described, whether it has results or not, so that a viewer can tell what was
/// looked for.
pub fn log(rules: &[Value], results: &[Value], properties: &Value) -> String {
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
            "properties": properties,
        }],
    });
    // Serializing a JSON value cannot fail.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// The description of a rule.
pub fn descriptor(rule: &Rule) -> Value {
    let markdown = format!(
        "{}\n\n**Remedy:** {}\n\nBefore:\n\n```json\n{}\n```\n\nAfter:\n\n```json\n{}\n```\n",
        rule.why, rule.remedy, rule.before, rule.after
    );
    json!({
        "id": rule.id,
        "shortDescription": { "text": sentence(rule.summary) },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{} {}", rule.why, rule.remedy), "markdown": markdown },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

/// The word for a severity.
pub fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A location in a text. `pointer`: the JSON pointer of what is there.
pub fn location(text: &SourceText, span: Span, pointer: &str) -> Value {
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
        "logicalLocations": [{ "fullyQualifiedName": pointer, "kind": "value" }],
    })
}

/// The suppressions of a finding that a waiver is for.
pub fn suppressions(waiver: &Waiver) -> Value {
    json!([{ "kind": "external", "status": "accepted", "justification": until(waiver) }])
}

/// The text's location as a URI reference (RFC 3986): a path as it is, anything else under a scheme
/// of its own.
fn uri(text: &SourceText) -> String {
    match text.path() {
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
