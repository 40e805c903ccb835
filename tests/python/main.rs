//! Generated Python packages in use: the programs beside this file run on them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;

use acp_bindgen::backend::python::Python as Backend;
use acp_bindgen::backend::{Backend as _, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::lower::lower;
use acp_bindgen::schema::{Schema, SchemaText, bundled};
use acp_bindgen::source::Sources;

/// Generates a package into a folder for it alone; gives what to add to the search path.
fn package(name: &str, schema: SchemaText, overlays: Vec<SchemaText>) -> PathBuf {
    let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
    let schema = Schema::read(&mut sources, schema, overlays, &mut diagnostics).unwrap();
    let protocol = lower(&schema, &sources, &mut diagnostics).unwrap();
    let options = Options::new(name, DocsMode::Full, Runtime::Tokio);
    let files = Backend.emit(&protocol, &options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    support::synced(&format!("python-{name}"), &files).join("src")
}

fn acp(name: &str, schema: &str) -> PathBuf {
    let (text, overlay) = bundled::text(schema).unwrap();
    package(name, text, vec![overlay])
}

fn program(name: &str) -> PathBuf {
    support::root().join("tests/python").join(name)
}

#[test]
fn it_feels_as_it_should() {
    let Some(python) = support::python() else { return };
    let search = acp("acp", "acp@v1");
    let run = |command: &mut std::process::Command| support::run(command.current_dir(&search));
    run(python
        .python()
        .args(["-W", "error", "-B"])
        .arg(program("feel.py"))
        .env("PYTHONPATH", &search));
    run(python
        .mypy()
        .args(["--strict", "--no-error-summary", "--python-version", "3.10"])
        .arg("--python-executable")
        .arg(python.interpreter())
        .arg(program("feel.py"))
        .env("MYPYPATH", &search));
}

#[test]
fn what_msgspec_decodes_by_itself_is_right() {
    let Some(python) = support::python() else { return };
    let shapes = support::root().join("tests/wire/shapes.schema.json");
    let shapes = SchemaText::new("shapes.schema.json", fs::read_to_string(shapes).unwrap());
    for (name, folder, search) in [
        ("acp_one", "acp-v1", acp("acp_one", "acp@v1")),
        ("acp_two", "acp-v2", acp("acp_two", "acp@v2")),
        ("shapes", "shapes", package("shapes", shapes, Vec::new())),
    ] {
        let corpus = support::root().join("tests/wire").join(folder);
        let mut command = python.python();
        command.arg("-B").arg(program("fast_path.py")).arg(name).arg(corpus);
        support::run(command.env("PYTHONPATH", &search).current_dir(&search));
    }
}
