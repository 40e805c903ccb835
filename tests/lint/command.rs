//! What the command prints, and what has it fail.

use std::fs;
use std::process::Command;

use acp_bindgen::lint::{Rule, rules};
use serde_json::Value;

use crate::report::outcome;
use crate::support;

/// `acp-bindgen lint` of a schema with an enum that cannot grow, in a folder of its own.
fn command(folder: &str) -> Command {
    let folder = support::scratch(folder);
    let schema = r#"{
  "$defs": {
    "Mode": { "description": "How.", "enum": ["on", "off"] },
    "OpenNotification": {
      "type": "object",
      "description": "It opens.",
      "x-method": "open",
      "x-side": "house"
    }
  }
}
"#;
    fs::write(folder.join("schema.json"), schema).unwrap();
    let mut command = support::acp_bindgen(&folder);
    command.args(["lint", "--schema", "schema.json"]);
    command
}

#[test]
fn the_exit_code_is_what_it_fails_on() {
    for (fail_on, code) in [("error", 0), ("warning", 1), ("info", 1), ("never", 0)] {
        let (report, errors, found) = outcome(command("lint-exit").args(["--fail-on", fail_on]));
        assert_eq!((errors.as_str(), found), ("", code), "{fail_on}");
        assert!(report.contains("warning[enum-without-fallback]"), "{report}");
    }
    let mut missing = support::acp_bindgen(&support::scratch("lint-missing"));
    assert_eq!(outcome(missing.args(["lint", "--schema", "nothing.json"])).2, 2);
}

#[test]
fn the_configuration_file_says_which_rules_count() {
    let mut plain = command("lint-config");
    let folder = plain.get_current_dir().unwrap().to_owned();
    let mut run = |text: &str| {
        fs::write(folder.join("acp-bindgen.toml"), text).unwrap();
        let (report, errors, code) = outcome(plain.args(["--format", "json"]));
        plain = command("lint-config");
        let report: Value = serde_json::from_str(&report).unwrap_or_default();
        let findings = report["findings"].as_array().cloned().unwrap_or_default();
        let found = findings
            .iter()
            .map(|it| {
                format!("{} {}", it["severity"].as_str().unwrap(), it["rule"].as_str().unwrap())
            })
            .collect::<Vec<_>>();
        (found, report["policy"]["ignored"].clone(), errors, code)
    };
    let none = Value::from(0);
    let info = "info missing-description".to_owned();
    let rule = |severity: &str| format!("{severity} enum-without-fallback");
    let (found, ignored, errors, code) = run("");
    assert_eq!(found, [rule("warning"), info.clone(), info.clone()]);
    assert_eq!((ignored, errors.as_str(), code), (none.clone(), "", 1));
    let (found, ..) = run("[lint.rules]\nenum-without-fallback = \"error\"\n");
    assert_eq!(found, [rule("error"), info.clone(), info.clone()]);
    let (found, ignored, _, code) = run("[lint.rules]\nenum-without-fallback = \"ignore\"\n");
    assert_eq!((found, ignored, code), (vec![info.clone(), info.clone()], Value::from(1), 0));
    let (found, ..) =
        run("[lint]\nextends = \"all\"\n[lint.rules]\nmissing-description = \"ignore\"\n");
    assert_eq!(found, [rule("warning")]);
    let (_, _, errors, code) = run("[lint.rules]\nenum-without-fallbak = \"info\"\n");
    assert!(errors.contains("did you mean `enum-without-fallback`?"), "{errors}");
    assert_eq!(code, 2);
    let (_, _, errors, code) = run("[lint]\nextend = \"all\"\n");
    assert!(errors.contains("did you mean `extends`?"), "{errors}");
    assert_eq!(code, 2);
}

#[test]
fn waivers_are_for_a_while() {
    let mut first = command("lint-waivers");
    let file = first.get_current_dir().unwrap().join("waivers.toml");
    let text = "[[waiver]]\nfinding = \"enum-without-fallback:*\"\nreason = \"agreed\"\nexpires = 2026-01-01\n";
    fs::write(&file, text).unwrap();
    let (report, errors, code) =
        outcome(first.args(["--waivers", "waivers.toml"]).env("SOURCE_DATE_EPOCH", "1767225600"));
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(!report.contains("warning["), "{report}");
    assert!(report.contains("1 finding waived"), "{report}");
    let mut later = command("lint-waivers");
    fs::write(&file, text).unwrap();
    let (_, errors, code) =
        outcome(later.args(["--waivers", "waivers.toml"]).env("SOURCE_DATE_EPOCH", "1767312000"));
    assert!(errors.contains("warning[expired-waiver]"), "{errors}");
    assert_eq!(code, 1);
}

#[test]
fn what_fails_can_be_agreed_to() {
    let mut write = command("lint-write-waivers");
    let file = write.get_current_dir().unwrap().join("agreed.toml");
    // What only counts with another `--fail-on` needs no waiver, and one that has run out is replaced.
    let old = "# Agreed.\n[[waiver]]\nfinding = \"enum-without-fallback:Mode\"\nreason = \"then\"\nexpires = 2020-01-01\n";
    fs::write(&file, old).unwrap();
    let (report, errors, code) = outcome(write.args([
        "--waivers",
        "agreed.toml",
        "--write-waivers",
        "agreed.toml",
        "--reason",
        "it is \"on\" or off",
    ]));
    assert!(errors.contains("expired-waiver") && !errors.contains("error"), "{errors}");
    assert_eq!(code, 0, "{report}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Agreed.\n"), "{text}");
    let read: toml::Table = toml::from_str(&text).unwrap();
    let [waiver] = read["waiver"].as_array().unwrap().as_slice() else { panic!("{text}") };
    assert_eq!(waiver["finding"].as_str(), Some("enum-without-fallback:Mode"));
    assert_eq!(waiver["reason"].as_str(), Some("it is \"on\" or off"));
    let mut again = support::acp_bindgen(file.parent().unwrap());
    let again = again.args(["lint", "--schema", "schema.json", "--waivers", "agreed.toml"]);
    let (_, errors, code) = outcome(again);
    assert_eq!((errors.as_str(), code), ("", 0));
}

#[test]
fn a_file_of_waivers_can_be_for_several_commands() {
    let mut lint = command("lint-shared-waivers");
    let file = lint.get_current_dir().unwrap().join("waivers.toml");
    let waiver = |finding: &str| {
        format!("[[waiver]]\nfinding = \"{finding}\"\nreason = \"agreed\"\nexpires = 2999-01-01\n")
    };
    fs::write(&file, waiver("property-moved:A.b") + &waiver("misspelt-rule:A.b")).unwrap();
    let (_, errors, _) = outcome(lint.args(["--waivers", "waivers.toml"]));
    // What is for `diff` is not for `lint`; what is for nobody is said.
    assert_eq!(errors.matches("warning[unused-waiver]").count(), 1, "{errors}");
    assert!(errors.contains("misspelt-rule"), "{errors}");
}

#[test]
fn every_format_has_the_finding_with_its_place_and_its_remedy() {
    let remedy = "the enum with the bare type";
    for (format, told) in [
        ("text", "schema.json:3:13"),
        ("json", "\"pointer\": \"/$defs/Mode\""),
        ("github", "::warning file=schema.json,line=3,col=13,title=enum-without-fallback::"),
        ("sarif", "\"ruleId\": \"enum-without-fallback\""),
    ] {
        let (report, errors, code) = outcome(command("lint-formats").args(["--format", format]));
        assert_eq!((errors.as_str(), code), ("", 1), "{format}");
        assert!(report.contains(told) && report.contains(remedy), "{format}: {report}");
    }
}

#[test]
fn the_table_of_rules_is_current() {
    let path = support::root().join("docs/lint.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, _) = text.split_once("## Rules\n").unwrap();
    let rows: String = rules().map(row).collect();
    let table = format!("| rule | severity | recommended | what |\n|---|---|---|---|\n{rows}");
    let expected = format!("{before}## Rules\n\n{table}");
    if support::is_blessing() {
        fs::write(&path, &expected).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), expected, "`.ci/bless lint` rewrites it");
}

fn row(rule: &Rule) -> String {
    let severity = rule.about.severity.name();
    let recommended = if rule.recommended { "yes" } else { "no" };
    format!("| `{}` | {severity} | {recommended} | {} |\n", rule.id(), rule.about.summary)
}
