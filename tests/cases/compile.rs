//! The cases, judged by each language's own tools: all at once.

#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod case;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use acp_bindgen::output::FileSet;

use case::{Case, cases};

use crate::support;

/// `rustfmt --check`, clippy and rustdoc, no warning allowed.
#[test]
fn rust_compiles() {
    let cases = &cases();
    if !cases.iter().any(|case| has_package(case, "rust")) {
        return;
    }
    let folder = support::synced("cases-rust", &packages(cases, "rust"));
    let mut manifest = "[workspace]\nresolver = \"3\"\nmembers = [\n".to_owned();
    for case in cases.iter().filter(|case| has_package(case, "rust")) {
        let _ = writeln!(manifest, "    \"{}\",", case.package());
    }
    manifest += "]\n";
    support::write_files(&folder, [("Cargo.toml", manifest.as_str())]);
    support::check_rust(&folder);
}

/// `tsc --strict` and `prettier --check`.
#[test]
fn typescript_compiles() {
    let cases = &cases();
    if !cases.iter().any(|case| has_package(case, "typescript")) {
        return;
    }
    let Some(node) = support::node() else { return };
    let folder = support::synced("cases-typescript", &packages(cases, "typescript"));
    support::check_typescript(&node, &folder);
}

/// `mypy --strict`, `ruff format --check`, and an import of every package.
#[test]
fn python_compiles() {
    let cases = &cases();
    if !cases.iter().any(|case| has_package(case, "python")) {
        return;
    }
    let Some(python) = support::python() else { return };
    let folder = support::synced("cases-python", &packages(cases, "python"));
    let roots: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the packages are there")
        .map(|entry| entry.expect("they can be listed").path())
        .filter(|path| path.join("pyproject.toml").exists())
        .collect();
    support::check_python(&python, &folder, &roots);
}

fn has_package(case: &Case, language: &str) -> bool {
    case.outputs.get(language).is_some_and(|files| !files.is_empty())
}

fn packages(cases: &[Case], language: &str) -> FileSet {
    let mut all = FileSet::new();
    for case in cases {
        if let Some(files) = case.outputs.get(language) {
            all.insert_under(&case.package(), files.clone());
        }
    }
    all
}
