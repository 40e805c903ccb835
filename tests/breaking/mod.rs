//! What a change of a schema breaks: a case for every rule, and near-misses. Real history is in
//! `history.rs`, of the tests `published`.
//!
//! `.ci/bless breaking` rewrites `expected.txt`.

mod code;
mod command;
mod edits;
mod equal;
mod formats;
mod helpers;
mod judge;
mod mirror;
mod nulls;
mod order;
mod pair;
mod release;
mod shown;
mod softened;
mod tuples;
mod unstable;
mod witnesses;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use acp_bindgen::breaking::{RULES, Verdict, Wire};
use code::assert_agrees;
use mirror::assert_mirrors;
use pair::{Pair, cases};
use shown::{shown, verdict};
use witnesses::assert_proven;

use crate::support;

#[test]
fn every_rule_has_a_case_in_which_it_fires() {
    let rules: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    let named: BTreeSet<String> =
        cases().into_iter().map(|case| case.name).filter(|name| !name.contains('/')).collect();
    assert_eq!(rules, named.iter().map(String::as_str).collect());
    for case in cases().iter().filter(|case| !case.name.contains('/')) {
        let report = case.report();
        let fires = report.changes.iter().any(|change| change.rule.id == case.name);
        assert!(fires, "{} does not fire:\n{}", case.name, shown(&report));
    }
}

#[test]
fn every_rule_runs_against_every_pair() {
    let mut found = String::new();
    for case in cases() {
        writeln!(found, "{}\n{}", case.name, shown(&case.report())).unwrap();
    }
    let path = support::root().join("tests/breaking/expected.txt");
    if support::is_blessing() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "`.ci/bless breaking` accepts it: read the difference");
}

#[test]
fn every_case_says_what_its_code_shows() {
    for case in cases() {
        assert_agrees(&case);
    }
}

#[test]
fn a_schema_breaks_nothing_of_itself() {
    for case in cases() {
        for schema in [&case.old, &case.new] {
            let same = Pair::between(&case.name, schema.clone(), schema.clone()).report();
            assert!(same.is_empty(), "{}:\n{}", case.name, shown(&same));
        }
    }
}

#[test]
fn a_rule_says_what_the_catalogue_of_its_case_shows() {
    for case in cases().iter().filter(|case| !case.name.contains('/')) {
        let report = case.report();
        let change = report.changes.iter().find(|change| change.rule.id == case.name).unwrap();
        assert_eq!(change.wire, change.rule.wire, "{}", case.name);
        assert_eq!(change.source, change.rule.source, "{}", case.name);
        assert_eq!(change.level, change.rule.level, "{}", case.name);
        let breaks = change.wire.worst() == Verdict::Break || change.source.is_breaking();
        assert_eq!(change.breaking, breaks, "{}", case.name);
    }
}

/// The near-misses that break something all the same; every other one must not.
const BREAKING: [&str; 13] = [
    "denied-properties",
    "many-alike",
    "recursive",
    "recursive-alternatives",
    "several-reasons",
    "shared-property-spread",
    "sole-variant-joined",
    "transport-ids",
    "unmodelled-keyword-added",
    "unrelated-methods",
    "unrelated-properties",
    "unrelated-values",
    "variant-hoisted",
];

/// Those of them in which messages stay as they are, and only types in code become others.
const IN_CODE: [&str; 3] = ["shared-property-spread", "transport-ids", "variant-hoisted"];

#[test]
fn near_misses_do_not_break() {
    let mut breaking = Vec::new();
    for case in cases() {
        if let Some(name) = case.name.strip_prefix("near-misses/") {
            let report = case.report();
            if report.verdict.breaking {
                breaking.push(name.to_owned());
            }
            let is_in_code = report.verdict.breaking && report.verdict.wire == Wire::OK;
            assert_eq!(is_in_code, IN_CODE.contains(&name), "{name}:\n{}", shown(&report));
            let is_known = BREAKING.contains(&name);
            assert_eq!(report.verdict.breaking, is_known, "{name}:\n{}", shown(&report));
        }
    }
    assert_eq!(breaking, BREAKING);
}

#[test]
fn the_table_of_rules_is_current() {
    let path = support::root().join("docs/breaking-changes.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, _) = text.split_once("## Rules\n").unwrap();
    let mut table = String::from(
        "| rule | level | old→new | new→old | Rust | TypeScript | Python | what |\n|---|---|---|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let [rust, typescript, python] = rule.source.languages().map(|(_, effect)| effect.text());
        let (there, back) = (verdict(rule.wire.old_to_new), verdict(rule.wire.new_to_old));
        writeln!(
            table,
            "| `{}` | {} | {there} | {back} | {rust} | {typescript} | {python} | {} |",
            rule.id,
            rule.level.name(),
            rule.summary
        )
        .unwrap();
    }
    let expected = format!("{before}## Rules\n\n{table}");
    if support::is_blessing() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        expected,
        "`.ci/bless breaking` rewrites it"
    );
}

/// Cases whose breaks no message can show: no message carries them, or the model has no word for
/// what keeps a value out.
const UNPROVABLE: [&str; 4] =
    ["near-misses/many-alike", "protocol-version-changed", "remote-changed", "remote-removed"];

#[test]
fn every_break_in_the_cases_of_the_rules_is_proven() {
    for case in cases() {
        let (_, missing) = assert_proven(&case);
        let is_hopeless = UNPROVABLE.contains(&case.name.as_str());
        assert!(missing == 0 || is_hopeless, "{}: {missing} witnesses are missing", case.name);
    }
}

#[test]
fn no_break_goes_with_the_advice_to_do_nothing() {
    for case in cases() {
        for change in case.report().changes {
            let is_nothing = change.remedy == "Nothing needs to be done.";
            assert!(!is_nothing || !change.breaking, "{}: {}", case.name, change.id);
        }
    }
}

#[test]
fn every_case_mirrors() {
    for case in cases() {
        assert_mirrors(&case);
    }
}
