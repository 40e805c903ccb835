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
    let folder = support::target().join("connection");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "rust", "--name", "acp"]);
    support::run(generate.arg("--out").arg(&folder));
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
