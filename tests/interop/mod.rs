//! Conversations between two programs over standard streams, and in `remote` over a network: ours
//! with the official SDKs of every language, in both roles, and with each other. `README.md` beside
//! this file says what they talk about.

mod conversation;
mod remote;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::support;

use conversation::{Conversation, acp, agent_communication, departures};

/// An SDK: its name, and the commands of its programs, or `None` where it cannot be had.
struct Sdk {
    name: &'static str,
    agent: Vec<OsString>,
    client: Vec<OsString>,
}

/// Every language of ours.
fn ours(sdk: &str, schema: &str) -> Vec<Sdk> {
    support::build_harness(sdk, schema);
    let harness = support::root().join("tests/harness");
    support::harness_languages()
        .into_iter()
        .map(|name| {
            let program = |program: &str| vec![harness.join(program).into(), name.into()];
            let mut client = program("client");
            client.push("--".into());
            Sdk { name, agent: program("agent"), client }
        })
        .collect()
}

fn official_rust() -> Option<Sdk> {
    let programs = support::rust_peers()?;
    let program = |name: &str| vec![programs.join(name).into()];
    Some(Sdk { name: "crate", agent: program("interop-agent"), client: program("interop-client") })
}

fn official_typescript(name: &'static str, entry: &str) -> Option<Sdk> {
    let entry = support::npm_peers()?.join(name).join(entry);
    let program =
        |file: &str| vec!["node".into(), source("typescript", file).into(), entry.clone().into()];
    Some(Sdk { name, agent: program("agent.mjs"), client: program("client.mjs") })
}

fn official_python() -> Option<Sdk> {
    let python = support::python_peer()?;
    let program =
        |file: &str| vec![python.clone().into(), "-B".into(), source("python", file).into()];
    Some(Sdk { name: "PyPI", agent: program("agent.py"), client: program("client.py") })
}

fn source(language: &str, file: &str) -> PathBuf {
    support::root().join("tests/interop").join(language).join(file)
}

/// Each of ours as an agent and as a client with another, and the other with itself: where that
/// fails, the fault is not ours.
fn converse(other: Option<Sdk>) {
    let Some(other) = other else { return };
    let talk = acp();
    let mut failures =
        departures(&talk, &other.client, &other.agent).map(|it| ("itself".to_owned(), it));
    if failures.is_none() {
        for ours in ours(talk.sdk, "bundled:acp@v1") {
            let pairs = [
                (format!("our {} agent", ours.name), &other.client, &ours.agent),
                (format!("our {} client", ours.name), &ours.client, &other.agent),
            ];
            for (who, client, agent) in pairs {
                failures = failures.or(departures(&talk, client, agent).map(|it| (who, it)));
            }
        }
    }
    if let Some((who, failure)) = failures {
        panic!("{} with {who}: {failure}", other.name);
    }
}

#[test]
fn with_the_official_rust_sdk() {
    converse(official_rust());
}

#[test]
fn with_the_official_typescript_sdk() {
    converse(official_typescript("acp-2.4.0", "dist/v1/stable/acp.js"));
}

#[test]
fn with_an_older_official_typescript_sdk() {
    converse(official_typescript("acp-0.29.0", "dist/acp.js"));
}

#[test]
fn with_the_official_python_sdk() {
    converse(official_python());
}

/// Every language of ours with every other.
fn converse_in_pairs(talk: &Conversation, schema: &str) {
    let ours = ours(talk.sdk, schema);
    for client in &ours {
        for agent in &ours {
            if let Some(failure) = departures(talk, &client.client, &agent.agent) {
                panic!("our {} client with our {} agent: {failure}", client.name, agent.name);
            }
        }
    }
}

#[test]
fn with_ourselves() {
    converse_in_pairs(&acp(), "bundled:acp@v1");
}

/// A program that prints what is no message before each that it sends, and what it reads.
const NOISY: &str = r#"exec 3>&1; echo "Loading the model ..."
while IFS= read -r line; do printf 'got: %s\n' "$line" >&3; printf '%s\n' "$line"; done |
"$@" | while IFS= read -r line; do printf 'noise\n%s\n' "$line"; done"#;

#[test]
fn with_ourselves_when_agents_print_what_is_no_message() {
    let talk = acp();
    let ours = ours(talk.sdk, "bundled:acp@v1");
    for client in &ours {
        for agent in &ours {
            let noisy = ["sh", "-c", NOISY, "sh"].map(OsString::from);
            let noisy = [&noisy, agent.agent.as_slice()].concat();
            if let Some(failure) = departures(&talk, &client.client, &noisy) {
                panic!("our {} client with our {} agent: {failure}", client.name, agent.name);
            }
        }
    }
}

#[test]
fn with_a_program_that_gives_back_what_it_reads() {
    let talk = acp();
    for client in ours(talk.sdk, "bundled:acp@v1") {
        let failure = departures(&talk, &client.client, &["cat".into()]).unwrap_or_default();
        let is_over = failure.contains("the client ended with");
        assert!(is_over && failure.contains("-32601"), "our {} client: {failure}", client.name);
    }
}

#[test]
fn with_ourselves_in_another_protocol() {
    converse_in_pairs(&agent_communication(), "schema/agent-communication.json");
}
