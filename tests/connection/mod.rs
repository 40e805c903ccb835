//! What a user of a generated connection sees: the programs beside this file, tested with an SDK
//! generated now.

#[cfg(unix)]
mod platforms;
#[cfg(unix)]
mod streams;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support;

#[test]
fn rust_connections_keep_their_word() {
    test(
        "rust",
        "embedded",
        &["connection", "ends", "helpers", "hosts", "traced", "echo"]
            .map(|name| format!("tests/{name}.rs"))
            .each_ref()
            .map(String::as_str),
    );
}

#[test]
fn rust_connections_need_no_runtime() {
    let sources =
        ["concurrent", "core", "ease", "limits", "meaning", "progress", "shaky/mod", "trouble"];
    let sources = sources.map(|name| format!("tests/{name}.rs"));
    test("core", "none", &sources.each_ref().map(String::as_str));
}

#[test]
fn rust_connections_go_over_the_network() {
    test("remote", "embedded", &["tests/remote.rs", "tests/raw.rs", "tests/scripted.rs"]);
}

/// Tests a crate beside an SDK for a runtime, and the SDK's own examples.
fn test(name: &str, runtime: &str, sources: &[&str]) {
    let folder = support::target().join("connection").join(name);
    generate("rust", &["--runtime", runtime], &folder);
    let read = |path: &&str| {
        let source = support::root().join("tests/connection").join(name).join(path);
        (String::from(*path), std::fs::read_to_string(source).unwrap())
    };
    let files: Vec<_> = ["Cargo.toml"].iter().chain(sources).map(read).collect();
    let crate_folder = folder.join("connection");
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    support::write_files(&crate_folder, files);
    for tested in [crate_folder, folder.join("rust")] {
        if !tested.join("Cargo.lock").exists() {
            // With the versions that this repository uses.
            std::fs::copy(support::root().join("Cargo.lock"), tested.join("Cargo.lock")).unwrap();
        }
        let mut test = support::cargo();
        test.args(["test", "--quiet"]).current_dir(tested);
        test.env("CERTIFICATES", support::root().join("tests/interop/tls"));
        support::run(test.env("CARGO_TARGET_DIR", support::target().join("connection/target")));
    }
}

#[test]
fn typescript_connections_keep_their_word() {
    let Some(node) = support::node() else { return };
    let folder = support::target().join("connection-typescript");
    generate("typescript", &[], &folder);
    let source = support::root().join("tests/connection/typescript");
    let tests = folder.join("connection");
    // A file that is no longer part of the tests would still be compiled.
    _ = std::fs::remove_dir_all(tests.join("src"));
    let names = names_in(&source.join("src"));
    let paths = names.iter().map(|name| format!("src/{name}"));
    for path in ["package.json", "tsconfig.json"].map(String::from).into_iter().chain(paths) {
        let text = std::fs::read_to_string(source.join(&path)).unwrap();
        support::write_files(&tests, [(path.as_str(), text.as_str())]);
    }
    let package = folder.join("typescript");
    for module in ["@types", "tough-cookie", "ws"] {
        node.link(module, &package);
    }
    node.link("@types", &tests);
    support::link(&package, &tests.join("node_modules/acp"));
    for project in [&package, &tests] {
        support::run(node.tsc().arg("--incremental").arg("--project").arg(project));
    }
    let mut test = node.node();
    test.args(["--test", "--test-timeout=60000"]);
    let tested = names.iter().filter_map(|name| name.strip_suffix(".test.ts"));
    test.args(tested.map(|name| format!("dist/{name}.test.js")));
    support::run(test.current_dir(&tests));
}

#[test]
fn python_connections_keep_their_word() {
    let Some(python) = support::python() else { return };
    let folder = support::target().join("connection-python");
    generate("python", &[], &folder);
    let tests = support::root().join("tests/connection/python");
    let package = folder.join("python/src");
    let mut test = python.python();
    test.args(["-X", "dev", "-W", "error", "-B", "-m", "unittest"]);
    let names = names_in(&tests);
    let modules = names.iter().filter_map(|name| name.strip_suffix(".py"));
    test.args(modules.filter(|name| name.starts_with("test_")));
    let output = test.env("PYTHONPATH", &package).current_dir(&tests).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // What asyncio complains about after the fact fails nothing by itself.
    let is_clean = !said.contains("Exception ignored") && !said.contains("never awaited");
    assert!(output.status.success() && is_clean, "{said}");
    let mut check = python.mypy();
    check.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
    check.arg("--python-executable").arg(python.interpreter());
    check.arg(".").current_dir(&tests);
    support::run(check.env("MYPYPATH", &package));
}

/// The names of the files in a folder.
fn names_in(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// Generates an SDK of ACP v1.
fn generate(language: &str, arguments: &[&str], folder: &Path) {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", language]);
    support::run(generate.args(["--name", "acp"]).args(arguments).arg("--out").arg(folder));
}
