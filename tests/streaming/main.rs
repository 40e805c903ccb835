//! Calls whose results come in pieces, seen from the SDKs of the protocol that has them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

#[test]
fn rust() {
    let folder = support::target().join("streaming-rust");
    generate("rust", &folder);
    let tests = folder.join("streaming");
    support::write_files(
        &tests,
        [
            ("Cargo.toml", include_str!("rust/Cargo.toml")),
            ("tests/streaming.rs", include_str!("rust/tests/streaming.rs")),
        ],
    );
    let mut test = support::cargo();
    test.args(["test", "--quiet"]).current_dir(tests);
    support::run(test.env("CARGO_TARGET_DIR", support::target().join("connection/target")));
}

#[test]
fn typescript() {
    let Some(node) = support::node() else { return };
    let folder = support::target().join("streaming-typescript");
    generate("typescript", &folder);
    let package = folder.join("typescript");
    node.link("@types", &package);
    support::run(node.tsc().arg("--project").arg(&package));
    let tests = folder.join("streaming");
    support::write_files(&tests, [("streaming.test.mjs", include_str!("streaming.test.mjs"))]);
    let mut test = node.node();
    test.args(["--test", "streaming.test.mjs"]).current_dir(tests);
    support::run(&mut test);
}

fn generate(language: &str, folder: &Path) {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args([
        "generate",
        "--schema",
        "schema/agent-communication.json",
        "--target",
        language,
    ]);
    generate.args(["--name", "sdk", "--out"]).arg(folder).current_dir(support::root());
    support::run(&mut generate);
}
