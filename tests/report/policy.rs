//! What has the command fail.

use std::fs;
use std::path::Path;

use acp_bindgen::breaking::Change;
use acp_bindgen::breaking::policy::{FailOn, Policy};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::policy::{Waiver, day_of, read_waivers};
use acp_bindgen::source::{Location, Sources};
use serde_json::Value;

use super::fixture::change;
use super::{diff, outcome};
use crate::support;

/// 2026-01-01, for the age of waivers.
const DAY: &str = "1767225600";

#[test]
fn the_exit_code_is_what_it_fails_on() {
    for (fail_on, code) in [("any", 1), ("wire", 1), ("source", 1), ("never", 0)] {
        assert_eq!(outcome(&mut diff(&["--fail-on", fail_on])).2, code, "{fail_on}");
    }
    assert_eq!(outcome(&mut diff(&["--fail-on", "sometimes"])).2, 2);
    assert_eq!(outcome(diff(&[]).arg("--config").arg("no-such-file.toml")).2, 2);
}

#[test]
fn a_configuration_file_says_what_counts() {
    let folder = support::scratch("report-policy");
    let config = folder.join("acp-bindgen.toml");
    let breaking = [
        "property-became-required",
        "property-removed-optional",
        "property-added-required",
        "enum-value-added-closed",
    ];
    let levels: Vec<String> = breaking.iter().map(|rule| format!("{rule} = \"risky\"\n")).collect();
    let rules =
        |last: &str| format!("[diff]\nfail-on = \"any\"\n[diff.rules]\n{}{last}", levels.concat());
    let run = |text: &str| {
        fs::write(&config, text).unwrap();
        outcome(diff(&["--format", "json"]).arg("--config").arg(&config))
    };
    let (report, errors, code) = run(&rules("default-changed = \"ignore\"\n"));
    assert_eq!((errors.as_str(), code), ("", 0));
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["verdict"]["breaking"], false);
    assert_eq!(report["verdict"]["wire"]["old_to_new"], "break", "this is a fact");
    assert_eq!(report["policy"]["ignored"], 1);
    assert_eq!(report["tally"]["levels"]["risky"], 4);
    let (_, errors, code) = run(&rules("default-changed = \"breaking\"\n"));
    assert_eq!((errors.as_str(), code), ("", 1));
    let (_, errors, code) = run(&rules("default-change = \"info\"\n"));
    assert!(errors.contains("did you mean `default-changed`?"), "{errors}");
    assert_eq!(code, 2);
    let (_, errors, code) = run("[diff]\nfail_on = \"any\"\n");
    assert!(errors.contains("did you mean `fail-on`?"), "{errors}");
    assert_eq!(code, 2);
}

#[test]
fn waivers_are_for_a_while_and_are_reported() {
    let folder = support::scratch("report-waivers");
    let file = folder.join("waivers.toml");
    let (report, ..) = outcome(&mut diff(&["--format", "json"]));
    let report: Value = serde_json::from_str(&report).unwrap();
    let entry = |finding: &str, expires: &str| {
        format!("[[waiver]]\nfinding = \"{finding}\"\nreason = \"agreed\"\nexpires = {expires}\n\n")
    };
    let mut text: String = report["changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|change| change["breaking"] == true)
        .map(|change| entry(change["id"].as_str().unwrap(), "2026-01-01"))
        .collect();
    let run = |text: &str, day: &str, format: &str| {
        fs::write(&file, text).unwrap();
        let mut command = diff(&["--format", format, "--waivers"]);
        outcome(command.arg(&file).env("SOURCE_DATE_EPOCH", day))
    };
    let (_, errors, code) = run(&text, DAY, "json");
    assert_eq!((errors.as_str(), code), ("", 0));
    let (_, errors, code) = run(&text, "1767312000", "json");
    assert_eq!(errors.matches("warning[expired-waiver]").count(), 5, "{errors}");
    assert_eq!(code, 1);

    text.push_str(&entry("type-removed:Nothing", "2030-01-01"));
    for (format, told) in [
        ("text", "waived until 2026-01-01: property-removed-optional:"),
        ("markdown", "unused waiver for `type-removed:Nothing`"),
        ("html", "<td>unused</td><td><code>type-removed:Nothing</code></td>"),
        ("github", "Waived until 2026-01-01: agreed"),
        ("sarif", "\"justification\": \"until 2026-01-01: agreed\""),
        ("json", "\"unused\": ["),
    ] {
        let (report, errors, code) = run(&text, DAY, format);
        assert!(errors.contains("unused-waiver"), "{errors}");
        assert_eq!(code, 0, "{format}");
        assert!(report.contains(told), "{format}: {report}");
    }
}

/// What is wrong with a file of waivers, with its lines.
fn problems(text: &str) -> Vec<(String, u32)> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::new());
    let read = read_waivers(Path::new("waivers.toml"), text, &mut sources, &mut found);
    assert_eq!(read.is_some(), found.is_empty());
    assert!(found.iter().all(|problem| problem.code == "bad-waivers"));
    found
        .into_iter()
        .map(|it| (it.message, it.location.map_or(0, |location| location.line)))
        .collect()
}

#[test]
fn waivers_are_checked() {
    let entry = |finding: &str, reason: &str, expires: &str| {
        format!("[[waiver]]\nfinding = \"{finding}\"\nreason = \"{reason}\"\nexpires = {expires}\n")
    };
    assert_eq!(problems(""), []);
    let twice = entry("a", "x", "2026-01-01") + &entry("a", "y", "2026-01-01");
    assert_eq!(problems(&twice), [("a finding is waived twice".into(), 6)]);
    let found = problems(&entry("a", " ", "2026-01-01T00:00:00Z"));
    assert_eq!(found, [("a reason is empty".into(), 3), ("this is no date".into(), 4)]);
    let found = problems(&entry("a", "x", "07:32:00"));
    assert_eq!(found, [("this is no date".into(), 4)]);
    for text in ["[[waiver]]\nfinding = \"a\"\n", "[[waver]]\n", "= \""] {
        assert_eq!(problems(text).len(), 1, "{text}");
    }
}

#[test]
fn what_breaks_nothing_counts_where_the_project_says_so() {
    let failing = |fail_on, change: &Change| {
        let policy = Policy { fail_on, ..Policy::default() };
        policy.apply(std::slice::from_ref(change), 0, day_of(0)).failing
    };
    let mut chosen = change("default-changed", "A", "b");
    chosen.breaking = true;
    for (fail_on, count) in [(FailOn::Any, 1), (FailOn::Wire, 1), (FailOn::Never, 0)] {
        assert_eq!(failing(fail_on, &chosen), count, "{fail_on:?}");
    }
    let mut milder = change("type-removed", "A", "");
    milder.breaking = false;
    assert_eq!(failing(FailOn::Any, &milder), 0);
}

#[test]
fn a_waiver_with_a_star_is_for_several_findings() {
    let changes = ["A", "B"].map(|ty| change("type-removed", ty, ""));
    let waiver = |finding: &str| Waiver {
        finding: finding.into(),
        reason: "agreed".into(),
        expires: day_of(0),
        location: Location::default(),
    };
    for (finding, failing, [waived, unused]) in [
        ("type-removed:*", 0, [1, 0]),
        ("*:A", 1, [1, 0]),
        ("type-renamed:*", 2, [0, 1]),
        ("type-removed:A*B", 2, [0, 1]),
    ] {
        let policy = Policy { waivers: vec![waiver(finding)], ..Policy::default() };
        let outcome = policy.apply(&changes, 0, day_of(0));
        assert_eq!(outcome.failing, failing, "{finding}");
        assert_eq!([outcome.waived.len(), outcome.unused.len()], [waived, unused], "{finding}");
    }
}
