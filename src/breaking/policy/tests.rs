//! Policies, applied to reports.

use std::path::Path;

use super::*;
use crate::breaking::report::fixture::change;
use crate::breaking::verdict::Level;
use crate::diagnostic::Severity;
use crate::source::Sources;

const TODAY: u64 = 1_767_225_600; // 2026-01-01

fn today() -> Date {
    Date::from_unix_seconds(TODAY)
}

fn three() -> [Change; 3] {
    [
        change("type-removed", "B", ""),
        change("constraint-tightened", "A", "wire"),
        change("default-changed", "C", "risk"),
    ]
}

fn outcome(policy: &Policy) -> PolicyOutcome {
    policy.apply(&three(), 0, today())
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
    let levels: RuleLevels = [
        ("constraint-tightened", RuleLevel::Safe),
        ("type-removed", RuleLevel::Ignore),
        ("default-changed", RuleLevel::Breaking),
    ]
    .into_iter()
    .map(|(id, level)| (id.to_owned(), level))
    .collect();
    let weight = |id: &str, levels: &RuleLevels| {
        let rule = rule(id).unwrap();
        weigh(rule, rule.wire, rule.source, levels)
    };
    assert_eq!(weight("constraint-tightened", &levels), Some((Level::Safe, false)));
    assert_eq!(weight("type-removed", &levels), None);
    assert_eq!(weight("default-changed", &levels), Some((Level::Breaking, true)));
    for rule in RULES {
        let own = weigh(rule, rule.wire, rule.source, &RuleLevels::new());
        assert_eq!(own.map(|(level, _)| level), Some(rule.level), "{}", rule.id);
    }
}

#[test]
fn what_breaks_nothing_counts_where_the_project_says_so() {
    let mut chosen = change("default-changed", "A", "b");
    chosen.breaking = true;
    for (fail_on, failing) in [(FailOn::Any, 1), (FailOn::Wire, 1), (FailOn::Never, 0)] {
        let policy = Policy { fail_on, ..Policy::default() };
        assert_eq!(policy.apply(&[chosen.clone()], 0, today()).failing, failing, "{fail_on:?}");
    }
    let mut milder = change("type-removed", "A", "");
    milder.breaking = false;
    assert!(!Policy::default().apply(&[milder], 0, today()).fails);
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
