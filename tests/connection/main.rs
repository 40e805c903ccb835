//! What a user of a generated connection sees: the programs beside this file, tested with an SDK
//! generated now.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

#[test]
fn rust_connections_keep_their_word() {
    let folder = support::target().join("connection");
    generate("rust", &folder);
    let mut files = Vec::new();
    for path in ["Cargo.toml", "tests/connection.rs", "tests/echo.rs"] {
        let source = support::root().join("tests/connection/rust").join(path);
        files.push((path, std::fs::read_to_string(source).unwrap()));
    }
    let crate_folder = folder.join("connection");
    let files = files.iter().map(|(path, text)| (*path, text.as_str()));
    support::write_files(&crate_folder, files);
    let mut test = support::cargo();
    test.args(["test", "--quiet"]).current_dir(&crate_folder);
    support::run(test.env("CARGO_TARGET_DIR", folder.join("target")));
}

#[test]
fn typescript_connections_keep_their_word() {
    let Some(node) = support::node() else { return };
    let folder = support::target().join("connection-typescript");
    generate("typescript", &folder);
    let source = support::root().join("tests/connection/typescript");
    let tests = folder.join("connection");
    let paths = ["package.json", "tsconfig.json", "src/connection.test.ts", "src/wire.ts"];
    for path in paths {
        let text = std::fs::read_to_string(source.join(path)).unwrap();
        support::write_files(&tests, [(path, text.as_str())]);
    }
    let package = folder.join("typescript");
    node.link("@types", &package);
    node.link("@types", &tests);
    support::link(&package, &tests.join("node_modules/acp"));
    for project in [&package, &tests] {
        support::run(node.tsc().arg("--incremental").arg("--project").arg(project));
    }
    let mut test = node.node();
    test.args(["--test", "--test-timeout=60000", "dist/connection.test.js"]);
    support::run(test.current_dir(&tests));
}

/// Generates an SDK of ACP v1.
fn generate(language: &str, folder: &Path) {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", language]);
    support::run(generate.args(["--name", "acp", "--out"]).arg(folder));
}
