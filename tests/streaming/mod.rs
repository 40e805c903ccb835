//! Calls whose results come in pieces, seen from the SDKs of the protocol that has them.

use std::path::Path;
use std::process::Command;

use crate::support;

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

#[test]
fn python() {
    let Some(python) = support::python() else { return };
    let folder = support::target().join("streaming-python");
    generate("python", &folder);
    let package = folder.join("python/src");
    let tests = folder.join("streaming");
    let source = include_str!("test_streaming.py");
    support::write_files(&tests, [("test_streaming.py", source)]);
    let mut test = python.python();
    test.args(["-X", "dev", "-W", "error", "-B", "test_streaming.py"]);
    let output = test.env("PYTHONPATH", &package).current_dir(&tests).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // What asyncio complains about after the fact fails nothing by itself.
    let is_clean = !said.contains("Exception ignored") && !said.contains("never awaited");
    assert!(output.status.success() && is_clean, "{said}");
    let mut check = python.mypy();
    check.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
    check.arg("--python-executable").arg(python.interpreter());
    check.arg("test_streaming.py").current_dir(&tests);
    support::run(check.env("MYPYPATH", &package));
    support::run(python.lint().arg(&package));
    // A test of `unittest` is in no package, and its methods say by their names what they are.
    let ignored = "D102,INP001,PT009,PT027";
    support::run(
        python.lint().args(["--ignore", ignored, "test_streaming.py"]).current_dir(&tests),
    );
    for folder in [&package, &tests] {
        support::run(python.ruff().args(["format", "--check", "--isolated"]).arg(folder));
    }
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
