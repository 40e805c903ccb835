//! Annotations of a GitHub workflow: one line each, whatever a schema says.

use acp_bindgen::breaking::report::github;
use acp_bindgen::policy::{Waiver, day_of};
use acp_bindgen::source::Location;

use super::fixture::{Whole, change, hostile, report};

#[test]
fn every_finding_is_one_line_that_begins_with_its_command() {
    let mut whole = hostile();
    let waived = change("property-removed-required", "Lamp", "watts");
    let mut changes = vec![
        waived.clone(),
        change("property-removed-optional", "Lamp", "colour"),
        change("default-changed", "Lamp", "size"),
        change("annotation-only", "Lamp", "size"),
        whole.report.changes.remove(0),
    ];
    changes[4].new = None;
    let location = Location::default();
    let day = day_of(0);
    whole.outcome.waived =
        vec![Waiver { finding: waived.id, reason: "all\nagreed".into(), expires: day, location }];
    whole.report = report(changes);
    let text = github(&whole.view());
    let starts: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(starts, ["::notice", "::error", "::error", "::warning", "::notice"], "{text}");
    assert!(text.contains("%0AWaived until 1970-01-01: all\\nagreed\n"), "{text}");
    let hostile = text.lines().nth(2).unwrap();
    // The only property of the command that comes from the schema is the name of its file.
    assert!(
        hostile.starts_with("::error file=o<ld>|\\n%3A%3Ax%3A%3A.json,line=")
            || hostile.starts_with("::error file=o<ld>|%0A%3A%3Ax%3A%3A.json,line="),
        "{hostile}"
    );
    assert!(hostile.contains("%250A"), "{hostile}");
}

#[test]
fn a_location_that_is_no_file_is_left_out() {
    let whole = Whole { report: report(vec![change("type-changed", "A", "b")]), ..hostile() };
    let text = github(&whole.view());
    assert!(text.starts_with("::error title=type-changed::"), "{text}");
    assert!(text.contains("; suggested: major.\n"), "{text}");
}

#[test]
fn escapes_are_those_of_the_documentation() {
    let mut found = change("type-changed", "A", "b");
    found.summary = "50% of `A`:, gone".into();
    let whole = Whole { report: report(vec![found]), ..hostile() };
    let text = github(&whole.view());
    assert!(text.contains("::`A.b`: 50%25 of `A`:, gone.%0A"), "{text}");
}
