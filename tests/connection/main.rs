//! What a user of a generated connection sees: the crates beside this file, tested with an SDK
//! generated now.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[cfg(unix)]
mod streams;
#[path = "../support/mod.rs"]
mod support;

use std::process::Command;

#[test]
fn rust_connections_keep_their_word() {
    test("rust", "tokio", &["tests/connection.rs", "tests/echo.rs"]);
}

#[test]
fn rust_connections_need_no_runtime() {
    test("core", "none", &["tests/core.rs"]);
}

/// Tests a crate beside an SDK for a runtime, and the SDK's own examples.
fn test(name: &str, runtime: &str, sources: &[&str]) {
    let folder = support::target().join("connection").join(name);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "rust", "--name", "acp"]);
    support::run(generate.args(["--runtime", runtime, "--out"]).arg(&folder));
    let read = |path: &&str| {
        let source = support::root().join("tests/connection").join(name).join(path);
        (String::from(*path), std::fs::read_to_string(source).unwrap())
    };
    let files: Vec<_> = ["Cargo.toml"].iter().chain(sources).map(read).collect();
    let crate_folder = folder.join("connection");
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    support::write_files(&crate_folder, files);
    for tested in [crate_folder, folder.join("rust")] {
        let mut test = support::cargo();
        test.args(["test", "--quiet"]).current_dir(tested);
        support::run(test.env("CARGO_TARGET_DIR", support::target().join("connection/target")));
    }
}
