//! Several versions of a schema: revisions of git, and the page of the matrix.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(arguments);
    git.current_dir(folder).output().is_ok_and(|output| output.status.success())
}

fn version(name: &str) -> String {
    let path = support::root().join(format!("tests/cli/files/versions/{name}.json"));
    std::fs::read_to_string(path).unwrap()
}

/// A repository in which two versions are tagged and a third is not committed. `None` where git is
/// missing.
fn repository(name: &str) -> Option<std::path::PathBuf> {
    let folder = support::scratch(name);
    let path = folder.join("kettle.json");
    let mut is_made = git(&folder, &["init", "-q"]);
    for tag in ["v1.0.0", "v1.1.0"] {
        std::fs::write(&path, version(tag)).unwrap();
        is_made &= git(&folder, &["add", "."]);
        is_made &= git(&folder, &["commit", "-qm", tag]) && git(&folder, &["tag", tag]);
    }
    std::fs::write(&path, version("v2.0.0")).unwrap();
    if !is_made {
        eprintln!("skipped: git is missing");
    }
    is_made.then_some(folder)
}

#[test]
fn a_range_of_revisions_has_a_changelog() {
    let Some(folder) = repository("changelog-range") else { return };
    let file = ["--file", "kettle.json"];
    let committed = said(&folder, &[&["changelog", "v1.0.0..v1.1.0"], &file[..]].concat());
    assert!(committed.starts_with("## v1.1.0 - 20"), "{committed}");
    let all = said(&folder, &[&["changelog", "v1.0.0..", "--each", "tag"], &file[..]].concat());
    let titles: Vec<&str> = all.lines().filter(|line| line.starts_with("## ")).collect();
    let (unreleased, released) = (titles[0], titles[1]);
    assert_eq!(unreleased, "## Unreleased");
    assert!(released.starts_with("## v1.1.0 - 20"), "{released}");
    assert!(all.contains("Suggested version after v1.1.0: v2.0.0 (major)."), "{all}");
    // The name of the file can stand in the configuration.
    std::fs::write(folder.join("acp-bindgen.toml"), "schema = \"kettle.json\"\n").unwrap();
    assert_eq!(said(&folder, &["changelog", "v1.0.0..v1.1.0"]), committed);
}

#[test]
fn a_changelog_names_what_has_changed() {
    let folder = support::scratch("changelog-names");
    let schema = |pattern: &str, most: u32, format: &str| {
        let lamp = json!({"oneOf": [
            {"type": "object", "required": ["kind"], "properties": {
                "kind": {"const": "bulb"}, "watts": {"type": "integer", "maximum": most},
            }},
            {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "tube"}}},
        ]});
        let mut defs = json!({
            "I": {"type": "object", "properties": {
                "code": {"type": "string", "pattern": pattern},
                "at": {"type": "array", "items": {"type": "string", "format": format}},
                "lamp": {"$ref": "#/$defs/Lamp"},
            }},
            "Lamp": lamp,
            "GoNotification": {"type": "object", "x-method": "go", "x-side": "house", "properties": {
                "i": {"$ref": "#/$defs/I"},
            }},
        });
        if most == 60 {
            defs["I"]["properties"]["more"] = json!({"type": "boolean"});
        }
        json!({"title": "House Protocol", "$defs": defs}).to_string()
    };
    std::fs::write(folder.join("old.json"), schema("^[A-Z]+$", 100, "date")).unwrap();
    std::fs::write(folder.join("new.json"), schema("^[A-Z]{3}$", 60, "time")).unwrap();
    let text = said(&folder, &["changelog", "old.json", "new.json"]);
    for line in [
        "`I`: `more` is new and optional",
        "`I.code`: must match `^[A-Z]{3}$` instead of `^[A-Z]+$`",
        "`I.at[]`: has the format `time` instead of `date`",
        "`Lamp<kind=bulb>.watts`: the largest value was 100 and is now 60",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let sarif = run(&folder, &["diff", "old.json", "new.json", "--format", "sarif"]);
    let sarif = String::from_utf8_lossy(&sarif.stdout);
    assert!(sarif.contains("`I.code`: must match"), "{sarif}");
}

#[test]
fn every_commit_can_count() {
    let Some(folder) = repository("matrix-commits") else { return };
    std::fs::write(folder.join("other.txt"), "no schema").unwrap();
    assert!(git(&folder, &["add", "other.txt"]) && git(&folder, &["commit", "-qm", "other"]));
    let arguments = ["matrix", "v1.0.0..", "--each", "commit", "--file", "kettle.json"];
    let text = said(&folder, &[&arguments[..], &["--format", "json"]].concat());
    let matrix: Value = serde_json::from_str(&text).unwrap();
    let versions = matrix["versions"].as_array().unwrap();
    // The tag, the commit that changed the schema, and the file as it is now.
    assert_eq!(versions.len(), 3, "{versions:?}");
    assert_eq!(versions[2], "working copy");
}

#[test]
fn overlays_are_for_every_version() {
    let Some(folder) = repository("changelog-overlay") else { return };
    // It takes away all that differs but for one property.
    let overlay = r#"{"$defs": {
        "State": { "enum": ["cold"] },
        "DescaleRequest": null, "DescaleResponse": null, "StopNotification": null
    }}"#;
    std::fs::write(folder.join("less.json"), overlay).unwrap();
    let range = ["v1.0.0..", "--each", "tag", "--file", "kettle.json"];
    let plain = said(&folder, &[&["changelog"], &range[..]].concat());
    let flagged = [&["changelog"], &range[..], &["--overlay", "less.json"]].concat();
    let less = said(&folder, &flagged);
    assert!(plain.contains("kettle/descale") && plain.contains("kettle/stop"), "{plain}");
    assert!(!less.contains("kettle/descale") && !less.contains("kettle/stop"), "{less}");
    assert!(less.contains("`BoilRequest`: `keep` is new and optional"), "{less}");
    let matrix = |more: &[&str]| said(&folder, &[&["matrix"], &range[..], more].concat());
    let (all, few) = (matrix(&[]), matrix(&["--overlay", "less.json"]));
    assert!(all.contains("Rejected between neighbours"), "{all}");
    assert!(!few.contains("Rejected between neighbours"), "{few}");
    // The configured one is for the configured schema, whatever its revision.
    let config = "schema = \"kettle.json\"\noverlay = [\"less.json\"]\n";
    std::fs::write(folder.join("acp-bindgen.toml"), config).unwrap();
    assert_eq!(said(&folder, &["changelog", "v1.0.0..", "--each", "tag"]), less);
    assert_eq!(matrix(&[]), few);
    std::fs::write(folder.join("other.json"), version("v1.0.0")).unwrap();
    std::fs::write(folder.join("another.json"), version("v2.0.0")).unwrap();
    let others = said(&folder, &["changelog", "other.json", "another.json"]);
    assert!(others.contains("kettle/stop"), "{others}");
    let wrong = run(&folder, &["changelog", "v1.0.0..", "--overlay", "nothing.json"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn revisions_that_are_not_there_are_an_error() {
    let Some(folder) = repository("changelog-unknown") else { return };
    for range in ["v1.0.0..v9", "v9..v1.0.0", "--output=x..v1.0.0"] {
        let output = run(&folder, &["changelog", "--file", "kettle.json", "--", range]);
        assert_eq!(output.status.code(), Some(2), "{range}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("error[git]"), "{range}");
    }
    assert!(!folder.join("x").exists());
}

#[test]
fn a_hostile_name_stays_text_on_the_page() {
    let folder = support::scratch("matrix-page");
    let hostile = version("v2.0.0").replace("kettle/boil", "</script><b>&\\\"`");
    let files = [("a.json", version("v1.0.0")), ("b<i>.json", hostile)];
    support::write_files(&folder, files.iter().map(|(name, text)| (*name, text.as_str())));
    let page = said(&folder, &["matrix", "a.json", "b<i>.json", "--format", "html"]);
    assert!(!page.contains("</script><b>") && !page.contains("b<i>"), "{page}");
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("<td class=").count(), 4);
    let changelog = said(&folder, &["changelog", "a.json", "b<i>.json"]);
    assert!(changelog.starts_with("## b&lt;i&gt;\n"), "{changelog}");
    // A name is code, in which nothing is a tag.
    let outside: String = changelog.split('`').step_by(2).collect();
    assert!(!outside.contains('<'), "{changelog}");
}

#[test]
fn every_description_that_changed_is_told() {
    let folder = support::scratch("changelog-wording");
    let old = r##"{
  "title": "Kettle Protocol",
  "description": "About a kettle.",
  "x-sides": { "kettle": { "description": "It boils." } },
  "$defs": {
    "BoilNotification": {
      "type": "object", "x-method": "boil", "x-side": "kettle",
      "properties": { "state": { "$ref": "#/$defs/State" }, "cup": { "$ref": "#/$defs/Cup" } }
    },
    "State": { "type": "string", "enum": ["cold"], "description": "How hot." },
    "Cup": { "type": "object", "properties": { "size": { "type": "integer", "description": "In ml." } } }
  }
}"##;
    let new = old
        .replace("About a kettle.", "About kettles.")
        .replace("It boils.", "It boils water.")
        .replace("[\"cold\"]", "[\"cold\", \"hot\"]")
        .replace("How hot.", "How hot it is.")
        .replace("Cup\"", "Mug\"")
        .replace("In ml.", "In millilitres.");
    support::write_files(&folder, [("old.json", old), ("new.json", new.as_str())]);
    let told = said(&folder, &["changelog", "old.json", "new.json"]);
    let (_, wording) = told.split_once("### Fixed wording\n").unwrap();
    assert_eq!(wording.trim(), "- `Kettle Protocol`, `Cup`, `State`", "{told}");
    let report = run(&folder, &["diff", "old.json", "new.json", "--format", "json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let changes = report["changes"].as_array().unwrap().iter();
    let texts: Vec<&Value> =
        changes.flat_map(|change| change["texts"].as_array().into_iter().flatten()).collect();
    let paths: Vec<&str> = texts.iter().map(|text| text["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["", "x-sides.kettle", "size", ""], "{texts:#?}");
}
