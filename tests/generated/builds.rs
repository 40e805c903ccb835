//! The committed packages under `generated/`, built by their own toolchains.

pub(crate) mod packages;

use std::path::PathBuf;

use packages::{name, packages, protocols};

use crate::support;

#[test]
fn rust_builds() {
    let (folder, packages) = copies("rust");
    let members: Vec<String> = packages.iter().map(|path| format!("{:?}", name(path))).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    support::write_files(&folder, [("Cargo.toml", manifest.as_str())]);
    support::check_rust(&folder);
}

#[test]
fn typescript_builds() {
    let Some(node) = support::node() else { return };
    let (folder, packages) = copies("typescript");
    support::check_typescript(&node, &folder);
    for package in packages {
        let types = node.modules().join("@types");
        // With the settings that it comes with, and what users have who are a version behind.
        let mut own = node.older_tsc();
        own.args(["--noEmit", "--typeRoots"]).arg(types).arg("--project").arg(package);
        support::run(&mut own);
    }
}

#[test]
fn python_builds() {
    let Some(python) = support::python() else { return };
    let (folder, packages) = copies("python");
    support::check_python(&python, &folder, &packages);
}

/// Copies of all packages of a language, side by side, for tools that leave things behind.
fn copies(language: &str) -> (PathBuf, Vec<PathBuf>) {
    let folder = support::synced(&format!("generated-{language}"), &packages(language));
    let mut found: Vec<PathBuf> =
        protocols().iter().map(|protocol| folder.join(name(protocol))).collect();
    found.retain(|path| path.is_dir());
    assert!(!found.is_empty());
    (folder, found)
}
