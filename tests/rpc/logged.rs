//! What connections write down is a trace that `validate` reads, the same in every language.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support;

/// What an agent is sent, a line each. All but the last are answered.
const SENT: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}
nonsense
{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}}
{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":7,"prompt":[]}}
{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":null}}
"#;

#[test]
fn logs_are_traces() {
    support::build_harness("acp-v1", "bundled:acp@v1");
    let logs: BTreeMap<&str, PathBuf> =
        support::harness_languages().into_iter().map(|it| (it, logged(it))).collect();
    let mut first: Option<(&str, Vec<String>)> = None;
    for (language, log) in &logs {
        let records = records(log);
        let (of, expected) = first.get_or_insert_with(|| (*language, records.clone()));
        assert_eq!(records, *expected, "{language} and {of}");
        let judgement = judged(log);
        let path = log.display();
        for finding in [
            "error  client → agent  session/prompt  params.sessionId: expected a string, found 7",
            "error  client → agent  session/cancel  params.sessionId: expected a string, found null",
            "the text is no JSON [invalid-json]",
            "8 messages: 3 errors",
        ] {
            assert!(judgement.contains(finding), "{path}: {finding}: {judgement}");
        }
    }
}

/// The log of an agent that was sent all lines.
fn logged(language: &str) -> PathBuf {
    let log = support::scratch(&format!("logged-{language}")).join("acp.jsonl");
    let mut agent = Command::new(support::root().join("tests/harness/agent"));
    agent.arg(language).env("ACP_LOG", &log).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut agent = agent.spawn().expect("the agent can be started");
    let mut input = agent.stdin.take().expect("it is piped");
    input.write_all(SENT.as_bytes()).expect("the agent reads");
    let output = BufReader::new(agent.stdout.take().expect("it is piped"));
    let answers: Vec<String> = output.lines().take(4).map(Result::unwrap).collect();
    assert_eq!(answers.len(), 4, "{language}: {answers:?}");
    drop(input);
    assert!(agent.wait().expect("it ends").success(), "{language}");
    log
}

/// The records without their times, sorted: what goes one way does not wait for the other.
fn records(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).expect("there is a log");
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record is JSON");
        let members = record.as_object_mut().expect("a record is an object");
        let time = members.remove("time").expect("a record has a time");
        assert!(time.as_str().is_some_and(|it| it.ends_with('Z') && it.len() == 24), "{time}");
        // Each harness advertises what it has, and has its own words for what is wrong.
        if let Some(answer) = members["message"].as_object_mut() {
            answer.remove("result");
            answer.get_mut("error").and_then(|it| it.as_object_mut()).map(|it| it.remove("data"));
        }
        record.to_string()
    };
    let mut records: Vec<String> = text.lines().map(record).collect();
    records.sort();
    records
}

/// What `validate` says of a log.
fn judged(log: &Path) -> String {
    let mut validate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    validate.args(["validate", "--schema", "bundled:acp@v1"]).arg(log);
    let output = validate.output().expect("it can be started");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}
