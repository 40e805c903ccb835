//! The command: revisions of git, lists of methods beside schemas, witnesses as files, exit codes.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support;

fn diff(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.arg("diff").args(arguments).current_dir(folder).output().unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> bool {
    let run = Command::new("git").args(arguments).current_dir(folder).output();
    run.is_ok_and(|output| output.status.success())
}

fn case(name: &str, which: &str) -> String {
    let path = support::root().join(format!("tests/breaking/{name}/{which}.json"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_revision_is_compared_with_the_working_tree() {
    let folder = support::scratch("diff-against");
    std::fs::create_dir_all(folder.join("nested")).unwrap();
    let path = folder.join("nested/house.json");
    std::fs::write(&path, case("type-changed", "old")).unwrap();
    let commits: [&[&str]; 3] = [
        &["init", "-q"],
        &["add", "."],
        &["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "old"],
    ];
    if !commits.iter().all(|arguments| git(&folder, arguments)) {
        eprintln!("skipped: git is missing");
        return;
    }
    let same = diff(&folder, &["--against", "HEAD", "nested/house.json"]);
    assert_eq!(same.status.code(), Some(0), "{}", String::from_utf8_lossy(&same.stderr));
    std::fs::write(&path, case("type-changed", "new")).unwrap();
    for (from, name) in [(&folder, "nested/house.json"), (&folder.join("nested"), "./house.json")] {
        let changed = diff(from, &["--against", "HEAD", name]);
        let said = String::from_utf8(changed.stdout).unwrap();
        assert_eq!(changed.status.code(), Some(1), "{}", String::from_utf8_lossy(&changed.stderr));
        assert!(said.starts_with("breaking on the wire: old→new 1, new→old 1;"), "{said}");
    }
    let unnamed = diff(&folder, &["--against", "HEAD"]);
    assert_eq!(unnamed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unnamed.stderr).contains("no-schema"));
    std::fs::write(folder.join("acp-bindgen.toml"), "schema = \"nested/house.json\"\n").unwrap();
    let configured = diff(&folder, &["--against", "HEAD"]);
    assert_eq!(configured.status.code(), Some(1));
    let unknown = diff(&folder, &["--against", "no-such-revision", "nested/house.json"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn methods_come_from_the_list_beside_a_schema() {
    let folder = support::scratch("diff-methods");
    let both = ["old", "new"].map(|which| case("method-binding-annotated", which));
    let list = case("method-binding-annotated", "old.meta");
    support::write_files(
        &folder,
        [
            ("a/schema.json", both[0].as_str()),
            ("a/meta.json", list.as_str()),
            ("b.json", both[1].as_str()),
        ],
    );
    let found = diff(&folder, &["a/schema.json", "b.json", "--format", "json"]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
    let report: Value = serde_json::from_slice(&found.stdout).unwrap();
    let rules: Vec<&str> =
        report["changes"].as_array().unwrap().iter().filter_map(|c| c["rule"].as_str()).collect();
    assert_eq!(rules, ["method-binding-annotated"]);
}

#[test]
fn witnesses_are_written_as_files() {
    let folder = support::scratch("diff-witnesses");
    let both = ["old", "new"].map(|which| case("enum-value-renamed", which));
    support::write_files(&folder, [("old.json", both[0].as_str()), ("new.json", both[1].as_str())]);
    let found =
        diff(&folder, &["old.json", "new.json", "--witness", "proof", "--fail-on", "never"]);
    assert_eq!(found.status.code(), Some(0));
    for direction in ["old-to-new", "new-to-old"] {
        let name = format!("proof/enum-value-renamed-Lamp-state.{direction}.json");
        let message = std::fs::read_to_string(folder.join(&name)).expect(&name);
        let message: Value = serde_json::from_str(&message).unwrap();
        assert_eq!(message["method"], "lamp/switch", "{name}");
    }
    let refused = diff(&folder, &["old.json", "new.json", "--witness", "old.json/proof"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn what_fails_is_for_the_user_to_say() {
    let folder = support::root().join("tests/breaking");
    for (case, on, code) in [
        ("enum-value-added-closed", "wire", 1),
        ("enum-value-added-closed", "source", 0),
        ("type-renamed", "wire", 0),
        ("type-renamed", "source", 1),
        ("type-renamed", "any", 1),
        ("type-changed", "never", 0),
        ("type-added", "any", 0),
    ] {
        let (old, new) = (format!("{case}/old.json"), format!("{case}/new.json"));
        let found = diff(&folder, &[&old, &new, "--fail-on", on]);
        assert_eq!(found.status.code(), Some(code), "{case} {on}");
    }
}
