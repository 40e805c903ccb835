//! What a connection does on the wire: the scripts beside this file, run against the harness
//! programs of every language. `README.md` explains their form.

mod judged;
mod logged;
pub(crate) mod pattern;
pub(crate) mod peer;
pub(crate) mod play;
pub(crate) mod protocol;
pub(crate) mod script;

use std::process::Command;
use std::sync::Mutex;

use crate::support::{self, Listening};

use peer::Program;
use play::Order;
use protocol::{PROTOCOLS, Protocol};
use script::Case;

#[test]
fn agents_follow_the_scripts() {
    all_follow(Program::Agent);
}

#[test]
fn clients_follow_the_scripts() {
    all_follow(Program::Client);
}

#[test]
fn agents_follow_the_scripts_over_http() {
    follow_over("http", "acp-v1");
}

#[test]
fn agents_follow_the_scripts_over_websockets() {
    follow_over("websocket", "acp-v1");
}

#[test]
fn agents_follow_the_scripts_over_websockets_without_an_opening() {
    follow_over("websocket", "agent-communication");
}

#[test]
fn clients_follow_the_scripts_over_http() {
    clients_follow_over("http", "acp-v1");
}

#[test]
fn clients_follow_the_scripts_over_websockets() {
    clients_follow_over("websocket", "acp-v1");
}

#[test]
fn clients_follow_the_scripts_over_websockets_without_an_opening() {
    clients_follow_over("websocket", "agent-communication");
}

/// Runs the scripts about agents through a program that speaks to one over a transport: all with
/// the same agent, so that no connection may disturb another.
fn follow_over(transport: &str, protocol: &str) {
    let bridge = crate::remote::between("bridge");
    let protocol = Protocol::read(protocol);
    let order = if transport == "http" { Order::Several } else { Order::One };
    let spoken = if protocol.name == "acp-v1" { transport } else { "plain" };
    support::build_harness(&protocol.name, &protocol.schema);
    for language in support::harness_languages() {
        let program = support::root().join("tests/harness/remote");
        let sdk = format!("SDK={}", protocol.name).into();
        let agent = [program.into(), language.into(), "agent".into(), "{}".into()];
        let command: Vec<_> = ["env".into(), sdk].into_iter().chain(agent).collect();
        let agent = Listening::start(&command).unwrap_or_else(|why| panic!("{language}: {why}"));
        let start = || {
            let mut command = Command::new(&bridge);
            command.args([spoken, &agent.url]);
            command
        };
        let mut cases = cases_over(transport, language, Program::Agent, &protocol);
        if transport == "http" {
            // On a connection that is open the opening is refused.
            let opening = &protocol.opening(Program::Agent)[0].method;
            cases.retain(|case| !case.session || !case.sends(opening));
        }
        follow(&cases, language, Program::Agent, &protocol, &start, order);
        assert_eq!(agent.end(), None, "{language} over {transport}");
    }
}

/// Runs the scripts about clients through a program that a client of each connects to.
fn clients_follow_over(transport: &str, protocol: &str) {
    let relay = crate::remote::between("relay");
    let protocol = Protocol::read(protocol);
    support::build_harness(&protocol.name, &protocol.schema);
    for language in support::harness_languages() {
        let start = || {
            let mut command = Command::new(&relay);
            command.arg(transport).env("LANGUAGE", language).env("SDK", &protocol.name);
            command.env("HARNESS", support::root().join("tests/harness/remote"));
            command
        };
        let cases = cases_over(transport, language, Program::Client, &protocol);
        follow(&cases, language, Program::Client, &protocol, &start, Order::One);
    }
}

/// The cases that mean something over a transport, in a language.
fn cases_over(transport: &str, language: &str, program: Program, protocol: &Protocol) -> Vec<Case> {
    let mut cases = script::cases(program, protocol);
    let in_language = format!("{transport} in {language}");
    cases
        .retain(|case| ![transport, &in_language].iter().any(|it| case.not_over.contains_key(*it)));
    cases
}

fn all_follow(program: Program) {
    // For work on one protocol: its name.
    let only = std::env::var("RPC_PROTOCOL").ok();
    let is_wanted = |name: &&str| only.as_ref().is_none_or(|only| only == name);
    for protocol in PROTOCOLS.into_iter().filter(is_wanted) {
        let protocol = Protocol::read(protocol);
        support::build_harness(&protocol.name, &protocol.schema);
        for language in support::harness_languages() {
            follows(language, program, &protocol);
        }
    }
}

/// Runs all scripts about this program.
fn follows(language: &str, program: Program, protocol: &Protocol) {
    let program_path = support::root().join("tests/harness").join(program.name());
    let start = || {
        let mut command = Command::new(&program_path);
        command.arg(language).env("SDK", &protocol.name);
        command
    };
    let cases = script::cases(program, protocol);
    follow(&cases, language, program, protocol, &start, Order::One);
}

/// Runs scripts, several at once.
fn follow(
    cases: &[Case],
    language: &str,
    program: Program,
    protocol: &Protocol,
    start: &(dyn Fn() -> Command + Sync),
    order: Order,
) {
    // For work on one case: a part of its name.
    let only = std::env::var("RPC_CASE").unwrap_or_default();
    let wanted = cases.iter().filter(|case| case.name.contains(&only));
    let waiting = Mutex::new(wanted.filter(|case| !case.skip.contains_key(language)));
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(case) = waiting.lock().expect("no worker panics").next() else {
                        break;
                    };
                    if let Err(failure) = play::play(case, program, protocol, start, order) {
                        let failure = format!("{}: {failure}", case.name);
                        failures.lock().expect("no worker panics").push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} cases of {} failed in {}:\n\n{}",
        failures.len(),
        cases.len(),
        protocol.name,
        language,
        failures.join("\n\n")
    );
}

#[test]
fn the_scripts_are_sound() {
    for protocol in PROTOCOLS {
        let protocol = Protocol::read(protocol);
        for program in [Program::Agent, Program::Client] {
            let cases = script::cases(program, &protocol);
            let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(count, names.len(), "every case has a name of its own");
            assert!(cases.iter().all(|case| !case.steps.is_empty()), "every case does something");
        }
    }
}
