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
        assert!(said.contains("house.json of HEAD → house.json as it is now: "), "{said}");
    }
    let unnamed = diff(&folder, &["--against", "HEAD"]);
    assert_eq!(unnamed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unnamed.stderr).contains("no-schema"));
    std::fs::write(folder.join("acp-bindgen.toml"), "schema = \"nested/house.json\"\n").unwrap();
    let configured = diff(&folder, &["--against", "HEAD"]);
    assert_eq!(configured.status.code(), Some(1));
    for alone in [&[][..], &["nested/house.json"]] {
        assert_eq!(diff(&folder, alone).stdout, configured.stdout, "{alone:?}");
    }
    // What the revision does not have is new: in every format there is nothing to fail on.
    std::fs::write(folder.join("new.json"), case("type-changed", "new")).unwrap();
    for format in ["text", "json", "markdown", "github", "sarif", "html"] {
        let new = diff(&folder, &["--against", "HEAD", "new.json", "--format", format]);
        let said = String::from_utf8_lossy(&new.stdout);
        assert_eq!(new.status.code(), Some(0), "{}", String::from_utf8_lossy(&new.stderr));
        assert!(format == "sarif" || said.contains("is not in HEAD"), "{said}");
    }
    let missing = diff(&folder, &["--against", "HEAD", "nowhere.json"]);
    assert_eq!(missing.status.code(), Some(2));
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
        ("enum-value-added-closed", "effective", 1),
        ("type-renamed", "effective", 0),
    ] {
        let (old, new) = (format!("{case}/old.json"), format!("{case}/new.json"));
        let found = diff(&folder, &[&old, &new, "--fail-on", on]);
        assert_eq!(found.status.code(), Some(code), "{case} {on}");
    }
}

#[test]
fn a_summary_has_a_line_for_each_finding_that_matters() {
    let folder = support::root().join("tests/breaking");
    let found = diff(&folder, &["enum-closed/old.json", "enum-closed/new.json", "--summary"]);
    let said = String::from_utf8(found.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("old.json → new.json: breaking on the wire: old→new 1, new→old 0")
    );
    assert!(lines[0].ends_with("; suggested: major"), "{said}");
    let line = "  breaking  Lamp.state: values that are not listed are no longer accepted (old→new: rejected";
    assert!(lines[1].starts_with(line), "{said}");
    assert_eq!(lines.len(), 2, "{said}");
}

#[test]
fn an_overlay_is_laid_over_both() {
    let folder = support::scratch("diff-overlay");
    let both = ["old", "new"].map(|which| case("property-added-optional", which));
    let overlay = r#"{"$defs": {"Lamp": {"additionalProperties": false}}}"#;
    let config = "schema = \"new.json\"\noverlay = [\"overlay.json\"]\n";
    support::write_files(
        &folder,
        [
            ("old.json", both[0].as_str()),
            ("new.json", both[1].as_str()),
            ("overlay.json", overlay),
            ("other/acp-bindgen.toml", config),
        ],
    );
    let plain = diff(&folder, &["old.json", "new.json"]);
    assert_eq!(plain.status.code(), Some(0));
    let closed = diff(&folder, &["old.json", "new.json", "--overlay", "overlay.json"]);
    assert_eq!(closed.status.code(), Some(1), "{}", String::from_utf8_lossy(&closed.stderr));
    let said = String::from_utf8(closed.stdout).unwrap();
    assert!(said.contains("takes no properties that it does not list"), "{said}");
    let config = config.replace("overlay.json", "other/overlay.json");
    support::write_files(
        &folder,
        [("acp-bindgen.toml", config.as_str()), ("other/overlay.json", overlay)],
    );
    let configured = diff(&folder, &["old.json", "./new.json"]);
    assert_eq!(
        configured.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&configured.stderr)
    );
    let of_others = diff(&folder, &["old.json", "old.json"]);
    assert_eq!(of_others.status.code(), Some(0));
}

#[test]
fn what_fails_can_be_agreed_to() {
    let folder = support::scratch("diff-write-waivers");
    let both = ["old", "new"].map(|which| case("type-changed", which));
    support::write_files(&folder, [("old.json", both[0].as_str()), ("new.json", both[1].as_str())]);
    let schemas = ["old.json", "new.json"];
    let with = |options: &[&str]| diff(&folder, &[&schemas, options].concat());
    assert_eq!(with(&[]).status.code(), Some(1));
    let reason = "both sides of \"it\" are ours";
    let written = with(&["--write-waivers", "agreed.toml", "--reason", reason]);
    assert_eq!(written.status.code(), Some(0), "{}", String::from_utf8_lossy(&written.stderr));
    let waived = with(&["--waivers", "agreed.toml"]);
    let said = String::from_utf8(waived.stdout).unwrap();
    assert_eq!(waived.status.code(), Some(0), "{said}");
    assert!(said.contains("passes; 1 finding waived") && said.contains(reason), "{said}");
    assert!(!said.contains("why:"), "a waived finding is told in a line: {said}");
    let again = with(&["--waivers", "agreed.toml", "--write-waivers", "agreed.toml"]);
    assert_eq!(again.status.code(), Some(0));
    let text = std::fs::read_to_string(folder.join("agreed.toml")).unwrap();
    assert_eq!(text.matches("[[waiver]]").count(), 1, "what is waived needs no other waiver");
    let expired = with(&["--write-waivers", "then.toml", "--expires", "2020-01-01"]);
    assert_eq!(expired.status.code(), Some(0));
    assert_eq!(with(&["--waivers", "then.toml"]).status.code(), Some(1));
}

#[test]
fn what_a_schema_does_not_model_is_a_warning() {
    let folder = support::root().join("tests/breaking");
    let found = diff(&folder, &["not-judged/old.json", "not-judged/new.json"]);
    let said = String::from_utf8_lossy(&found.stderr);
    assert!(said.contains("warning[unmodelled]: `if` in Lamp cannot be modelled"), "{said}");
}

/// What is said to be compared is what the other commands know, too.
#[test]
fn a_schema_of_which_nothing_is_generated_is_not_compared() {
    let folder = support::root().join("tests/diagnostics");
    for name in ["chosen-name-collision", "unknown-capability", "request-without-response"] {
        let file = format!("{name}.json");
        let mut inspect = support::acp_bindgen(&folder);
        let inspect = inspect.args(["inspect", "--schema", &file]).output().unwrap();
        assert_eq!(inspect.status.code(), Some(2), "{name}");
        for pair in [[file.as_str(), "unenforced.json"], ["unenforced.json", &file]] {
            let found = diff(&folder, &pair);
            assert_eq!(found.status.code(), Some(2), "{pair:?}");
            assert_eq!(found.stdout, b"", "{pair:?}");
            let said = String::from_utf8_lossy(&found.stderr);
            let code = String::from_utf8_lossy(&inspect.stderr);
            let code = code.lines().find(|line| line.starts_with("error[")).unwrap();
            assert!(said.contains(code), "{pair:?}: {said}");
        }
    }
}

#[test]
fn a_schema_in_which_names_clash_is_like_itself() {
    let folder = support::root().join("tests/diagnostics");
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let found = diff(&folder, &[&file, &file]);
        // Some are no schemas.
        if found.status.code() == Some(2) {
            continue;
        }
        compared += 1;
        let said = String::from_utf8_lossy(&found.stdout);
        assert_eq!(found.status.code(), Some(0), "{file}: {said}");
        assert!(said.contains("no difference") || !said.contains(" finding"), "{file}: {said}");
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn members_in_another_order_are_no_other_code() {
    let folder = support::root().join("tests/breaking/near-misses/key-order");
    let found = diff(&folder, &["old.json", "new.json", "--code"]);
    let said = String::from_utf8_lossy(&found.stdout);
    for language in ["Rust", "TypeScript", "Python"] {
        assert!(said.contains(&format!("{language}: 0 declarations changed")), "{said}");
    }
}
