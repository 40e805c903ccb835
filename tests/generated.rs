//! The committed packages under `generated/` are current, and their own toolchains build them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use acp_bindgen::output::FileSet;

#[test]
fn they_are_current() {
    let mut configs = 0;
    for entry in fs::read_dir(support::root().join("generated")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "toml") {
            let mut check = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
            check.args(["check", "--config"]).arg(entry.path()).current_dir(support::root());
            support::run(&mut check);
            configs += 1;
        }
    }
    assert!(configs > 0);
}

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
        let mut own = node.tsc();
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

/// No word of the protocol's own documentation: it is not this project's to give away.
#[cfg(feature = "bundled")]
#[test]
fn they_hold_no_prose() {
    let prose = descriptions();
    assert!(prose.len() > 500);
    for language in ["rust", "typescript", "python"] {
        for (path, contents) in packages(language).iter() {
            let words = contents.split_whitespace().collect::<Vec<_>>().join(" ");
            for sentence in &prose {
                assert!(!words.contains(sentence.as_str()), "{path}: {sentence}");
            }
        }
    }
}

/// The sentences of the bundled schema's descriptions that are long enough to be told apart
/// from what anyone would write.
#[cfg(feature = "bundled")]
fn descriptions() -> Vec<String> {
    fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => {
                if let Some(serde_json::Value::String(text)) = members.get("description") {
                    let sentences = text.split(['\n', '.']).map(str::trim);
                    found.extend(sentences.filter(|it| it.len() > 40).map(String::from));
                }
                members.values().for_each(|member| collect(member, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let (schema, _) = acp_bindgen::schema::bundled::text("acp@v1").unwrap();
    let mut found = Vec::new();
    collect(&serde_json::from_str(&schema.text).unwrap(), &mut found);
    found
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

/// The files of all packages of a language, under the name of their protocol.
fn packages(language: &str) -> FileSet {
    let mut files = FileSet::new();
    for protocol in protocols() {
        read(&protocol.join(language), &name(&protocol), &mut files);
    }
    files
}

fn protocols() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(support::root().join("generated"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Reads all files of a folder, but for what tools leave behind.
fn read(folder: &Path, prefix: &str, files: &mut FileSet) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = format!("{prefix}/{}", name(&path));
        if path.is_dir() && !["target", "node_modules", "dist"].iter().any(|it| path.ends_with(it))
        {
            read(&path, &name, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.insert(name, text);
        }
    }
}
