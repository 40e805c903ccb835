//! What an agent must do, and whether agents that are written as the READMEs say do it.
//!
//! `PROTOCOL/*.json` are scripts in the form of `tests/rpc`, each with the section of the
//! specification that it is about. They are played against the agents in this project's README and
//! in that of each language's package, as they stand there, and against one in each language that
//! has every method: all files of `LANGUAGE/full_VERSION`.

mod agents;

use std::path::Path;

use crate::rpc::peer::Program;
use crate::rpc::play::{Order, play};
use crate::rpc::protocol::Protocol;
use crate::rpc::script::{Case, cases_in};
use crate::support;

/// The protocols that have such scripts.
const PROTOCOLS: [&str; 2] = ["acp-v1", "acp-v2"];

/// What the agents of READMEs have beside what all agents must have: they say what they are told.
const README_AGENTS: [&str; 1] = ["echo"];

/// What agents have that are made to have everything.
const FULL_AGENTS: [&str; 2] = ["echo", "full"];

fn folder() -> std::path::PathBuf {
    support::root().join("tests/conformance")
}

fn protocol(name: &str) -> Protocol {
    Protocol::read_from(&folder().join(format!("protocols/{name}.json")), name)
}

fn cases(protocol: &Protocol) -> Vec<Case> {
    cases_in(&folder().join(&protocol.name), protocol)
}

#[test]
fn every_rule_names_its_section() {
    for name in PROTOCOLS {
        let cases = cases(&protocol(name));
        let without: Vec<&str> =
            cases.iter().filter(|case| case.section.is_none()).map(|it| it.name.as_str()).collect();
        assert!(cases.len() > 10 && without.is_empty(), "{without:?}");
    }
}

#[test]
fn the_agents_of_readmes_do_what_agents_must() {
    for name in PROTOCOLS {
        let protocol = protocol(name);
        let cases = cases(&protocol);
        for language in support::harness_languages() {
            // This project's README has agents of the first protocol.
            let own = (name == PROTOCOLS[0]).then(|| agents::of_own_readme(&protocol, language));
            for agent in [agents::of_readme(&protocol, language), own.flatten()] {
                let Some(agent) = agent else { continue };
                conforms(&protocol, &cases, language, &agent, &README_AGENTS);
            }
        }
    }
}

#[test]
fn agents_that_have_every_method_do_what_agents_must() {
    for name in PROTOCOLS {
        let protocol = protocol(name);
        let cases = cases(&protocol);
        for language in support::harness_languages() {
            let Some(agent) = agents::full(&protocol, language) else { continue };
            conforms(&protocol, &cases, language, &agent, &FULL_AGENTS);
        }
    }
}

/// Plays all rules about an agent that has these things.
fn conforms(
    protocol: &Protocol,
    cases: &[Case],
    language: &str,
    agent: &agents::Agent,
    has: &[&str],
) {
    let start = || agent.command();
    let mut failures = Vec::new();
    for case in cases {
        if case.needs.as_deref().is_some_and(|needed| !has.contains(&needed)) {
            continue;
        }
        if let Err(failure) = play(case, Program::Agent, protocol, &start, Order::One) {
            let section = case.section.as_deref().unwrap_or_default();
            failures.push(format!("{} ({section}): {failure}", case.name));
        }
    }
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} of {} rules of {} failed in {language}:\n\n{}",
        cases.len(),
        protocol.name,
        failures.join("\n\n")
    );
}

/// The program in a README: its first block of code in the given language, without the marks of
/// lines that are not shown.
fn first_program(readme: &Path, language: &str) -> String {
    let text = std::fs::read_to_string(readme).unwrap();
    let begin = format!("\n```{language}\n");
    let program = text.split(&begin).nth(1).and_then(|rest| rest.split("\n```").next());
    let lines = program.unwrap().lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
