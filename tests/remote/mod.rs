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

/// The parts of the contract that are about `WebSocket`: of clients, and of servers.
const OF_CLIENTS: [&str; 6] = [
    "client_socket::",
    "faults::websocket::",
    "a_websocket_that_is_never",
    "auto_prefers_a_websocket",
    "passes_over_what_is_binary",
    "rule_35_a_socket",
];
const OF_SERVERS: [&str; 4] = [
    "websocket::rule",
    "a_client_over_websocket_fails",
    "a_websocket_that_is_not",
    "a_socket_that_says_nothing",
];

/// Of the package's features for connections, it has `websocket` alone: there is no server.
#[test]
fn rust_keeps_the_contract_with_websockets_alone() {
    if !support::harness_languages().contains(&"rust") {
        return;
    }
    support::build_harness("acp-v1", "bundled:acp@v1");
    let harness = support::target().join("harness");
    let mut build = support::cargo();
    build.args(["build", "--quiet", "--no-default-features", "--features", "conversation"]);
    build.args(["--bin", "harness-remote-client", "--manifest-path"]);
    build.arg(harness.join("acp-v1/harness-rust/Cargo.toml"));
    support::run(build.env("CARGO_TARGET_DIR", harness.join("target")));
    let program = harness.join("acp-v1/bin/rust-websocket-remote-client");
    std::fs::copy(harness.join("target/debug/harness-remote-client"), program).unwrap();
    support::run(judge("rust-websocket").args(OF_CLIENTS));
}

/// Without the extra `[http]`, there is no `httpx`.
#[test]
fn python_keeps_the_contract_with_websockets_alone() {
    if !support::harness_languages().contains(&"python") {
        return;
    }
    support::build_harness("acp-v1", "bundled:acp@v1");
    let missing = support::target().join("remote/missing");
    let text = "raise ImportError('httpx is not installed')\n";
    support::write_files(&missing, [("httpx.py", text)]);
    support::run(judge("python").args(OF_CLIENTS).args(OF_SERVERS).env("PYTHONPATH", missing));
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
    let mut judge = judge(language);
    // For work on one rule: a part of its name.
    if let Ok(only) = std::env::var("REMOTE_RULE") {
        judge.arg(only);
    }
    support::run(&mut judge);
}

/// What tests the programs of a language, but for the names of tests.
fn judge(language: &str) -> Command {
    let mut judge = support::cargo();
    judge.args(["test", "--quiet", "--test", "contract", "--manifest-path"]);
    judge.arg(support::root().join("tests/remote/judge/Cargo.toml"));
    judge.env("CARGO_TARGET_DIR", support::target().join("remote"));
    judge.env("HARNESS", support::root().join("tests/harness/remote")).env("LANGUAGE", language);
    judge.arg("--");
    judge
}
