//! The contract of the remote transports, rule by rule, over real sockets, for the programs of every
//! language. `README.md` beside this file lists the rules; `judge/` is the crate that asks.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::support;

#[test]
fn rust_keeps_the_contract() {
    keeps("rust");
}

#[test]
fn typescript_keeps_the_contract() {
    keeps("typescript");
}

#[test]
fn python_keeps_the_contract() {
    keeps("python");
}

/// A program that stands between a transport and whoever speaks lines: `bridge` in front of an agent,
/// `relay` in front of a client.
pub(crate) fn between(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    let target = support::target().join("remote");
    BUILT.get_or_init(|| {
        let mut build = support::cargo();
        build.args(["build", "--quiet", "--bin", "bridge", "--bin", "relay", "--manifest-path"]);
        build.arg(support::root().join("tests/remote/judge/Cargo.toml"));
        support::run(build.env("CARGO_TARGET_DIR", &target));
    });
    target.join("debug").join(name)
}

fn keeps(language: &str) {
    if !support::harness_languages().contains(&language) {
        return;
    }
    support::build_harness("acp-v1", "bundled:acp@v1");
    let mut judge: Command = support::cargo();
    judge.args(["test", "--quiet", "--test", "contract", "--manifest-path"]);
    judge.arg(support::root().join("tests/remote/judge/Cargo.toml"));
    judge.env("CARGO_TARGET_DIR", support::target().join("remote"));
    judge.env("HARNESS", support::root().join("tests/harness/remote")).env("LANGUAGE", language);
    // For work on one rule: a part of its name.
    if let Ok(only) = std::env::var("REMOTE_RULE") {
        judge.arg(only);
    }
    support::run(&mut judge);
}
