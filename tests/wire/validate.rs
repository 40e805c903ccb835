//! `validate` says of a message what the corpus says of the value in it.

use acp_bindgen::decode::UnknownFields;
use acp_bindgen::diagnostic::Severity;
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::validate::{Options, validate};
use serde_json::{Value, json};

use super::corpus::{self, Entry, Verdict};
use super::run::Answer;
use super::{corpora, interpret, support};

/// A schema in which each of these types is what a notification carries.
fn with_notifications(schema: &str, types: &[&str]) -> String {
    let mut schema: Value = serde_json::from_str(schema).expect("a schema is JSON");
    let sides = ["agent", "client"].map(|side| format!("\"x-side\":\"{side}\""));
    let text = schema.to_string();
    let side = if sides.iter().any(|side| text.contains(side)) { "agent" } else { "taker" };
    for (index, name) in types.iter().enumerate() {
        schema["$defs"][format!("Take{index}Notification")] = json!({
            "type": "object",
            "properties": { "value": { "$ref": format!("#/$defs/{name}") } },
            "required": ["value"],
            "x-side": side,
            "x-method": format!("take/{name}"),
        });
    }
    schema.to_string()
}

/// The path of the first error in a message that carries a value, if there is one.
fn refused(findings: &[acp_bindgen::validate::Finding]) -> Option<&str> {
    let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.next().map(|finding| finding.path.strip_prefix("params.value").unwrap_or("elsewhere"))
}

#[test]
fn validate_says_what_the_corpus_says() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for corpus in corpora() {
        let entries = corpus::entries(&corpus.name);
        let mut types: Vec<&str> = entries.iter().map(|entry| entry.type_name.as_str()).collect();
        types.sort_unstable();
        types.dedup();
        let lowered = support::lowered("t.json", &with_notifications(&corpus.schema, &types));
        let report = lowered.report();
        let protocol = lowered.protocol.unwrap_or_else(|| panic!("{report}"));
        for strict in [false, true] {
            let all: Vec<&Entry> = entries.iter().collect();
            let answers = interpret::answers(&corpus.protocol, UnknownFields::Drop, strict, &all);
            for (entry, answer) in entries.iter().zip(answers) {
                count += 1;
                let method = format!("take/{}", entry.type_name);
                let message = format!(
                    "{{\"jsonrpc\":\"2.0\",\"method\":{},\"params\":{{\"value\":{}}}}}\n",
                    Value::from(method),
                    entry.raw
                );
                let mut sources = Sources::default();
                let file = sources.add(SourceText::new("t.jsonl", message));
                let options = Options { strict, side: None };
                let report = validate(&protocol, &sources, [file], &options);
                if serde_json::from_str::<Value>(&entry.raw).is_err() {
                    // Nothing in it has a place.
                    if report.findings.is_empty() {
                        complaints.push(format!("{}: nothing is found in it", entry.name));
                    }
                    continue;
                }
                let found = refused(&report.findings);
                let found = found.map(|path| path.strip_prefix('.').unwrap_or(path).to_owned());
                let expected = match entry.verdict(strict) {
                    Verdict::Accept(_) => None,
                    Verdict::Reject(path) => Some(path.to_owned()),
                };
                let Answer { ok, path, .. } = answer;
                let interpreted = (!ok).then_some(path);
                if found != expected || found != interpreted {
                    let (name, ty) = (&entry.name, &entry.type_name);
                    complaints.push(format!(
                        "{} {name} ({ty}, strict: {strict}): validate {found:?}, interpreter \
                         {interpreted:?}, corpus {expected:?}",
                        corpus.name
                    ));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{} of {count}:\n{}", complaints.len(), complaints.join("\n"));
    assert!(count > 100, "{count}");
}
