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
    let agents = support::harness_languages().into_iter().map(|language| {
        let program = support::root().join("tests/harness/remote");
        let sdk = format!("SDK={}", protocol.name).into();
        let agent = [program.into(), language.into(), "agent".into(), "{}".into()];
        let command: Vec<_> = ["env".into(), sdk].into_iter().chain(agent).collect();
        let agent = Listening::start(&command).unwrap_or_else(|why| panic!("{language}: {why}"));
        (language, agent)
    });
    let agents: Vec<_> = agents.collect();
    let trials = agents.iter().enumerate().map(|(at, (language, agent))| {
        let cases = cases_over(transport, language, Program::Agent, &protocol);
        let mut cases = share(cases, transport, at, agents.len());
        if transport == "http" {
            // On a connection that is open the opening is refused.
            let opening = &protocol.opening(Program::Agent)[0].method;
            cases.retain(|case| !case.session || !case.sends(opening));
        }
        let start = || {
            let mut command = Command::new(&bridge);
            command.args([spoken, &agent.url]);
            command
        };
        Trial { language, protocol: &protocol, cases, start: Box::new(start), order }
    });
    follow(Program::Agent, &trials.collect::<Vec<_>>());
    for (language, agent) in agents {
        assert_eq!(agent.end(), None, "{language} over {transport}");
    }
}

/// Runs the scripts about clients through a program that a client of each connects to.
fn clients_follow_over(transport: &str, protocol: &str) {
    let relay = crate::remote::between("relay");
    let protocol = Protocol::read(protocol);
    support::build_harness(&protocol.name, &protocol.schema);
    let languages = support::harness_languages();
    let count = languages.len();
    let trials = languages.into_iter().enumerate().map(|(at, language)| {
        let (relay, name) = (&relay, &protocol.name);
        let start = move || {
            let mut command = Command::new(relay);
            command.arg(transport).env("LANGUAGE", language).env("SDK", name);
            command.env("HARNESS", support::root().join("tests/harness/remote"));
            command
        };
        let cases = cases_over(transport, language, Program::Client, &protocol);
        let cases = share(cases, transport, at, count);
        Trial { language, protocol: &protocol, cases, start: Box::new(start), order: Order::One }
    });
    follow(Program::Client, &trials.collect::<Vec<_>>());
}

/// The cases that mean something over a transport, in a language.
fn cases_over(transport: &str, language: &str, program: Program, protocol: &Protocol) -> Vec<Case> {
    let mut cases = script::cases(program, protocol);
    let in_language = format!("{transport} in {language}");
    cases
        .retain(|case| ![transport, &in_language].iter().any(|it| case.not_over.contains_key(*it)));
    cases
}

/// The cases that are a language's to follow over a transport. What a connection does is the same
/// over all of them, and each language follows all scripts over standard streams: over a network,
/// every script is followed in one language, over the next transport in another.
fn share(cases: Vec<Case>, transport: &str, at: usize, count: usize) -> Vec<Case> {
    if std::env::var_os("RPC_CASE").is_some() {
        return cases;
    }
    let at = if transport == "http" { at } else { at + 1 };
    let cases = cases.into_iter().enumerate();
    cases.filter(|(index, _)| index % count == at % count).map(|(_, case)| case).collect()
}

fn all_follow(program: Program) {
    // For work on one protocol: its name.
    let only = std::env::var("RPC_PROTOCOL").ok();
    let is_wanted = |name: &&str| only.as_ref().is_none_or(|only| only == name);
    let protocols: Vec<_> = PROTOCOLS.into_iter().filter(is_wanted).map(Protocol::read).collect();
    for protocol in &protocols {
        support::build_harness(&protocol.name, &protocol.schema);
    }
    let is_whole = only.is_some() || std::env::var_os("RPC_CASE").is_some();
    let of_protocol = |protocol| {
        let languages = support::harness_languages();
        let count =
            if Protocol::shares_scripts(protocol) && !is_whole { languages.len() } else { 1 };
        let trials = languages.into_iter().enumerate().map(|(at, language)| {
            let mut trial = trial(language, program, protocol);
            let cases = std::mem::take(&mut trial.cases).into_iter().enumerate();
            let wanted =
                cases.filter(|(index, case)| case.is_of_protocol() || index % count == at % count);
            trial.cases = wanted.map(|(_, case)| case).collect();
            trial
        });
        trials.collect::<Vec<_>>()
    };
    follow(program, &protocols.iter().flat_map(of_protocol).collect::<Vec<_>>());
}

/// All scripts about this program, over standard streams.
fn trial<'a>(language: &'a str, program: Program, protocol: &'a Protocol) -> Trial<'a> {
    let path = support::root().join("tests/harness").join(program.name());
    let start = move || {
        let mut command = Command::new(&path);
        command.arg(language).env("SDK", &protocol.name);
        command
    };
    let cases = script::cases(program, protocol);
    Trial { language, protocol, cases, start: Box::new(start), order: Order::One }
}

/// What a program of one language is to follow.
struct Trial<'a> {
    language: &'a str,
    protocol: &'a Protocol,
    cases: Vec<Case>,
    start: Box<dyn Fn() -> Command + Sync + 'a>,
    order: Order,
}

/// Runs scripts, several at once: the first of all trials, then the second.
fn follow(program: Program, trials: &[Trial<'_>]) {
    // For work on one case: a part of its name.
    let only = std::env::var("RPC_CASE").unwrap_or_default();
    let wanted = |trial: &Trial<'_>, case: &Case| {
        case.name.contains(&only) && !case.skip.contains_key(trial.language)
    };
    let most = trials.iter().map(|trial| trial.cases.len()).max().unwrap_or_default();
    let all = (0..most).flat_map(|index| {
        trials.iter().filter_map(move |trial| Some((trial, trial.cases.get(index)?)))
    });
    let waiting = Mutex::new(all.filter(|(trial, case)| wanted(trial, case)));
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no worker panics").next();
                    let Some((trial, case)) = next else { break };
                    let Trial { language, protocol, start, order, .. } = trial;
                    if let Err(failure) = play::play(case, program, protocol, start, *order) {
                        let of = &protocol.name;
                        let failure = format!("{} of {of} in {language}: {failure}", case.name);
                        failures.lock().expect("no worker panics").push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    let count: usize = trials.iter().map(|trial| trial.cases.len()).sum();
    assert!(
        failures.is_empty(),
        "{} of {count} cases failed:\n\n{}",
        failures.len(),
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
