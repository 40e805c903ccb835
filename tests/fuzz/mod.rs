//! Schemas that are edited at random go through all of the tool: reading, lowering, every backend,
//! the decoders, `lint`, `validate`, and `diff` both ways. What can stand within itself is decoded a
//! hundred levels deep: a decoder whose work doubles with each level never ends.
//!
//! `just fuzz MINUTES` looks for that long, from another seed each time; without it, a fixed number
//! of inputs of one seed are judged, so that a failure is the change's own. An input that fails is
//! made small and saved in `corpus/`, whose inputs are judged first in every run.

mod bases;
mod campaign;
mod compile;
mod deep;
mod edit;
mod input;
mod judge;
mod odd;
mod shrink;
mod worker;

use std::time::{Duration, SystemTime};

use crate::support;
use campaign::Campaign;
use worker::Job;

/// How many inputs are judged where no time is given: about a minute of them.
const INPUTS: u64 = 320;

#[test]
fn saved_inputs_are_judged_without_failure() {
    let folder = support::root().join("tests/fuzz/corpus");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        if let Err(failure) = worker::replay(&path) {
            wrong.push(format!("{}: {failure}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn edited_schemas_are_judged_without_failure() {
    let minutes = number("ACP_FUZZ_MINUTES");
    let campaign = Campaign {
        seed: seed(),
        first: number("ACP_FUZZ_FIRST").unwrap_or(0),
        inputs: if minutes.is_some() { u64::MAX } else { INPUTS },
        time: minutes.map(|minutes| Duration::from_secs(60 * minutes)),
    };
    let outcome = campaign.run();
    println!("{outcome}");
    let failures = outcome.saved();
    assert!(failures.is_empty(), "seed {}:\n{}", campaign.seed, failures.join("\n"));
    let (judged, reached) = (outcome.judged, outcome.reached);
    assert!(reached.emitted > judged / 5, "{outcome}");
    assert!(reached.compared > judged / 5, "{outcome}");
    assert!(reached.decoded > 10 * judged, "{outcome}");
}

/// It takes several minutes itself, so only those who fuzz for as long have it.
#[test]
fn the_tools_of_each_language_take_what_edited_schemas_become() {
    if number("ACP_FUZZ_MINUTES").is_some_and(|minutes| minutes >= 5) {
        let seed = seed();
        compile::parse_some(seed);
        compile::judge_some(seed);
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The one that is asked for, else another each time where somebody fuzzes.
fn seed() -> u64 {
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map(|it| it.as_secs());
    let chosen = std::env::var_os("ACP_FUZZ_MINUTES").and_then(|_| now().ok());
    number("ACP_FUZZ_SEED").or(chosen).unwrap_or(42)
}

/// The process that judges what the fuzzers made: it may crash, and they go on.
#[test]
#[ignore = "the tests above start it, as a process that may crash"]
fn worker() {
    if let Some(job) = Job::from_environment() {
        job.run();
    }
}
