//! What `validate` says of the scripts' messages is what connections answer them with.

use std::collections::BTreeMap;

use acp_bindgen::diagnostic::{Diagnostics, Severity};
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::validate::{Finding, Options, validate};
use acp_bindgen::{Purpose, input, load};
use serde_json::{Value, json};

use super::pattern::Captures;
use super::peer::Program;
use super::protocol::{PROTOCOLS, Protocol};
use super::script::{Case, Step, cases};
use crate::support;

/// The rules that stand for each error code.
fn rules(code: i64) -> &'static [&'static str] {
    match code {
        -32700 => &["invalid-json", "message-not-a-line", "too-deep"],
        -32600 => &["not-a-message", "empty-batch", "params-no-structure"],
        -32601 => &["unknown-method", "extension-method", "wrong-direction", "wrong-kind"],
        -32602 => &["invalid-value", "missing-property", "params-no-structure"],
        _ => &[],
    }
}

/// The lines that steps write, each with the pattern of its answer, where the next step says it.
fn exchanges(case: &Case) -> Vec<(String, &Value)> {
    let pairs = case.steps.iter().zip(case.steps.iter().skip(1));
    let found = pairs.filter_map(|(sent, next)| {
        let text = match sent {
            Step::Send(message) => message.to_string(),
            // What was captured is only known when a script is played.
            Step::Raw(pieces) if !format!("{pieces:?}").contains("Captured") => {
                let bytes = pieces.writes(&Captures::new()).concat();
                String::from_utf8(bytes).ok()?
            }
            _ => return None,
        };
        let answer = match next {
            Step::Expect(pattern) | Step::Answer(pattern) => pattern,
            Step::Line(line) => &line.is,
            _ => return None,
        };
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let is_one = !line.contains('\n') && !line.contains("\"$use\"") && line.len() < LONGEST;
        (is_one && is_answer_of(line, answer)).then(|| (line.to_owned(), answer))
    });
    found.collect()
}

/// False if the answer has an id, and the line is a message with another one.
fn is_answer_of(line: &str, answer: &Value) -> bool {
    let message = serde_json::from_str::<Value>(line).unwrap_or_default();
    !answer["id"].is_number() || !message.is_object() || message["id"] == answer["id"]
}

/// The longest line that is judged: what is too long for a receiver is for the receiver to say.
const LONGEST: usize = 100_000;

/// What is said of a line that goes from one side to another.
fn findings(model: &acp_bindgen::Protocol, [from, to]: [&str; 2], line: &str) -> Vec<Finding> {
    let record = json!({ "from": from, "to": to, "message": line });
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("t.jsonl", format!("{record}\n")));
    validate(model, &sources, [file], &Options::default()).findings
}

#[test]
fn validate_says_what_connections_answer() {
    let mut complaints = Vec::new();
    let mut compared: BTreeMap<i64, usize> = BTreeMap::new();
    for name in PROTOCOLS {
        let protocol = Protocol::read(name);
        let path = support::root().join(&protocol.schema);
        let schema =
            if path.exists() { path.display().to_string() } else { protocol.schema.clone() };
        let inputs = input::read(&[schema], &[], None, &[], &mut Diagnostics::new()).unwrap();
        let model = load(inputs, Purpose::Generate).protocol.unwrap();
        let worker = model.side("client").and_then(|it| it.counterpart.clone()).unwrap();
        for program in [Program::Agent, Program::Client] {
            for case in cases(program, &protocol) {
                let sides = match program {
                    Program::Agent => ["client", case.side.as_deref().unwrap_or(&worker)],
                    Program::Client => [worker.as_str(), "client"],
                };
                for (line, answer) in exchanges(&case) {
                    let findings = findings(&model, sides, &line);
                    let said: Vec<&str> = findings.iter().map(|it| it.rule.id).collect();
                    let code = answer["error"]["$error"].as_i64();
                    let agrees = match code {
                        Some(code) if rules(code).is_empty() => continue,
                        Some(code) => {
                            // The programs leave out what they may.
                            let method = serde_json::from_str::<Value>(&line).ok();
                            let method =
                                method.and_then(|it| it["method"].as_str().map(str::to_owned));
                            let is_optional = model
                                .methods
                                .iter()
                                .any(|it| it.optional && Some(&it.name.wire) == method.as_ref());
                            code == -32601 && is_optional
                                || rules(code).iter().any(|rule| said.contains(rule))
                        }
                        None if answer.get("result").is_some() => {
                            findings.iter().all(|it| it.severity != Severity::Error)
                        }
                        None => continue,
                    };
                    *compared.entry(code.unwrap_or_default()).or_default() += 1;
                    if !agrees {
                        complaints.push(format!(
                            "{name}, {}: {line}\n  answer {answer}\n  {said:?}",
                            case.name
                        ));
                    }
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}\n{compared:?}", complaints.join("\n"));
    let enough = [0, -32700, -32600, -32601, -32602].map(|code| compared.get(&code).copied());
    assert!(enough.iter().all(|count| count.is_some_and(|count| count >= 5)), "{compared:?}");
}
