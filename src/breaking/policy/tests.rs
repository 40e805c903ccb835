//! What a policy makes of a report.

use std::path::Path;

use super::*;
use crate::breaking::report::fixture::{change, report};
use crate::breaking::verdict::{Source, Wire};
use crate::diagnostic::Severity;
use crate::source::Sources;

const TODAY: u64 = 1_767_225_600; // 2026-01-01

fn today() -> Date {
    Date::from_unix_seconds(TODAY)
}

fn three() -> Report {
    report(vec![
        change("constraint-tightened", "A", "wire"),
        change("type-removed", "B", ""),
        change("default-changed", "C", "risk"),
    ])
}

fn outcome(policy: &Policy) -> PolicyOutcome {
    policy.apply(three(), today()).1
}

#[test]
fn what_it_fails_on_is_chosen() {
    for (fail_on, failing) in
        [(FailOn::Any, 2), (FailOn::Wire, 1), (FailOn::Source, 1), (FailOn::Never, 0)]
    {
        let outcome = outcome(&Policy { fail_on, ..Policy::default() });
        assert_eq!((outcome.failing, outcome.fails), (failing, failing > 0), "{fail_on:?}");
    }
}

#[test]
fn a_rule_counts_as_much_as_the_project_says() {
    let rules = [
        ("constraint-tightened", RuleLevel::Safe),
        ("type-removed", RuleLevel::Ignore),
        ("default-changed", RuleLevel::Breaking),
    ];
    let rules: IndexMap<String, RuleLevel> =
        rules.into_iter().map(|(id, level)| (id.to_owned(), level)).collect();
    for (fail_on, failing) in [(FailOn::Any, 1), (FailOn::Wire, 1), (FailOn::Never, 0)] {
        let policy = Policy { fail_on, rules: rules.clone(), ..Policy::default() };
        let (report, outcome) = policy.apply(three(), today());
        assert_eq!((outcome.failing, outcome.ignored), (failing, 1));
        let levels: Vec<_> =
            report.changes.iter().map(|c| (c.rule.id, c.level, c.breaking)).collect();
        assert_eq!(
            levels,
            [
                ("default-changed", Level::Breaking, true),
                ("constraint-tightened", Level::Safe, false),
            ]
        );
        // What happens to messages is a fact; what is breaking is a choice.
        assert_eq!(report.verdict.wire.old_to_new, Verdict::Break);
        assert!(report.verdict.breaking);
        assert_eq!(report.tally.levels.of(Level::Breaking), 1);
    }
}

#[test]
fn a_risk_that_the_project_calls_a_risk_does_not_count() {
    let mut risky = change("property-became-optional-with-default", "A", "b");
    assert!(risky.breaking && risky.level == Level::Risky, "{risky:?}");
    risky.wire = Wire::OK;
    risky.source = Source { python: crate::breaking::Effect::Readers, ..Source::OK };
    let rules = [("property-became-optional-with-default".to_owned(), RuleLevel::Risky)];
    let policy = Policy { rules: rules.into_iter().collect(), ..Policy::default() };
    let (report, outcome) = policy.apply(report(vec![risky]), today());
    assert!(!outcome.fails);
    assert!(!report.verdict.breaking);
}

fn waivers(text: &str) -> Result<Vec<Waiver>, Vec<(String, u32)>> {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let read = read_waivers(Path::new("waivers.toml"), text, &mut sources, &mut diagnostics);
    read.ok_or_else(|| {
        let line = |place: &Option<crate::source::Place>| place.as_ref().map_or(0, |p| p.line);
        assert!(diagnostics.iter().all(|found| found.code == "bad-waivers"));
        diagnostics.iter().map(|found| (found.message.clone(), line(&found.place))).collect()
    })
}

#[test]
fn waivers_hold_until_their_day_has_passed() {
    let waivers = waivers(
        r#"
        [[waiver]]
        finding = "type-removed:B"
        reason = "nobody used it"
        expires = 2026-01-01

        [[waiver]]
        finding = "constraint-tightened:A.wire"
        reason = "we said so"
        expires = 2025-12-31

        [[waiver]]
        finding = "type-removed:Z"
        reason = "a mistake"
        expires = 2027-01-01
        "#,
    )
    .unwrap();
    let outcome = outcome(&Policy { waivers, ..Policy::default() });
    let names = |waivers: &[Waiver]| -> Vec<String> {
        waivers.iter().map(|waiver| waiver.finding.clone()).collect()
    };
    assert_eq!(names(&outcome.waived), ["type-removed:B"]);
    assert_eq!(names(&outcome.expired), ["constraint-tightened:A.wire"]);
    assert_eq!(names(&outcome.unused), ["type-removed:Z"]);
    assert_eq!((outcome.failing, outcome.fails), (1, true));
    let found: Vec<_> = outcome
        .diagnostics()
        .iter()
        .map(|found| (found.code, found.severity, found.place.as_ref().unwrap().line))
        .collect();
    assert_eq!(
        found,
        [("expired-waiver", Severity::Warning, 8), ("unused-waiver", Severity::Warning, 13)]
    );
}

#[test]
fn waivers_are_checked() {
    let entry = |finding: &str, reason: &str, expires: &str| {
        format!("[[waiver]]\nfinding = \"{finding}\"\nreason = \"{reason}\"\nexpires = {expires}\n")
    };
    assert_eq!(waivers(""), Ok(vec![]));
    let twice = entry("a", "x", "2026-01-01") + &entry("a", "y", "2026-01-01");
    assert_eq!(waivers(&twice), Err(vec![("a finding is waived twice".into(), 6)]));
    let found = waivers(&entry("a", " ", "2026-01-01T00:00:00Z"));
    assert_eq!(found, Err(vec![("a reason is empty".into(), 3), ("this is no date".into(), 4)]));
    assert!(waivers("[[waiver]]\nfinding = \"a\"\n").is_err());
    assert!(waivers("[[waver]]\n").is_err());
    assert!(waivers("= \"").is_err());
}

#[test]
fn only_rules_have_levels() {
    let rules = [("type-removd".to_owned(), RuleLevel::Safe)].into_iter().collect();
    let mut diagnostics = Diagnostics::new();
    Policy { rules, ..Policy::default() }.check(&mut diagnostics);
    let found = diagnostics.iter().next().unwrap();
    assert_eq!(found.code, "unknown-rule");
    assert_eq!(found.help.as_deref(), Some("did you mean `type-removed`?"));
}
