//! What is the same of many findings is said once, and a long report begins with its worst.

use acp_bindgen::breaking::Change;
use acp_bindgen::breaking::policy::PolicyOutcome;
use acp_bindgen::breaking::report::{View, github, html, json_with, markdown, sarif, text};
use serde_json::Value;

use super::fixture::{Whole, change, report, schema};

fn whole(changes: Vec<Change>) -> Whole {
    let (_, old) = schema("old.json", r#"{"title": "Old", "$defs": {"A": {}}}"#);
    let (_, new) = schema("new.json", r#"{"title": "New", "$defs": {"A": {}}}"#);
    Whole { report: report(changes), old, new, outcome: PolicyOutcome::default() }
}

/// So many findings that say the same of a property of a type each.
fn same(rule: &str, said: &str, number: usize) -> Vec<Change> {
    let each = (0..number).map(|n| {
        let mut change = change(rule, &format!("Type{n}"), "extra");
        change.summary = said.replace('…', "`extra`");
        change
    });
    each.collect()
}

/// The report in the formats for people, each with its name.
fn told(view: &View<'_>) -> [(&'static str, String); 3] {
    [("text", text(view)), ("markdown", markdown(view)), ("html", html(view).unwrap())]
}

#[test]
fn what_many_findings_say_is_one_line_with_a_list() {
    let said = "a receiver of … now forgives malformed values";
    let whole = whole(same("lenient-added", said, 75));
    for (format, told) in told(&whole.view()) {
        assert_eq!(told.matches(said).count(), 1, "{format}: {told}");
        assert!(told.contains("75 times"), "{format}: {told}");
        for n in 0..75 {
            assert!(told.contains(&format!("Type{n}.extra")), "{format}: {n}");
        }
    }
    for document in [json_with(&whole.view()), sarif(&whole.view())] {
        let document: Value = serde_json::from_str(&document).unwrap();
        let all = document.get("changes").or_else(|| document.pointer("/runs/0/results"));
        assert_eq!(all.unwrap().as_array().unwrap().len(), 75, "programs get each");
    }
    let few = self::whole(same("lenient-added", said, 3));
    let told = text(&few.view());
    assert!(!told.contains("times"), "{told}");
}

#[test]
fn annotations_of_many_places_are_one() {
    let whole = whole(same("property-added-optional", "… is new and optional", 9));
    let told = github(&whole.view());
    assert_eq!(told.matches("::notice title=property-added-optional").count(), 1, "{told}");
    assert!(told.contains("… is new and optional, 9 times: Type0.extra, Type1.extra"), "{told}");
}

#[test]
fn only_what_has_the_same_effect_is_told_together() {
    let mut all = same("lenient-added", "… now forgives", 8);
    for change in all.iter_mut().skip(4) {
        change.breaking = true;
    }
    let whole = whole(all);
    let told = text(&whole.view());
    assert_eq!(told.matches("4 times").count(), 2, "{told}");
}

#[test]
fn a_long_report_begins_with_the_worst() {
    let mut all = same("type-removed", "… is gone", 20);
    all.extend(same("enum-value-added-closed", "… has a new value", 2));
    all.push(change("type-changed", "Lamp", "watts"));
    all.extend(same("annotation-only", "… is described in other words", 5));
    let whole = whole(all);
    for (format, told) in told(&whole.view()) {
        let lower = told.to_lowercase();
        let start = lower.find("look first at").unwrap_or_else(|| panic!("{format}: {told}"));
        let first = told.get(start..).unwrap();
        let at = |words: &str| {
            first.find(words).unwrap_or_else(|| panic!("{format}: no {words}: {first}"))
        };
        let order = ["messages both ways", "messages new→old", "code: a type is gone, 20 times"];
        assert!(order.map(at).is_sorted(), "{format}: {first}");
        assert!(first.contains("and 16 more"), "{format}: {first}");
        assert!(first.contains("5 more that break nothing"), "{format}: {first}");
    }
    let short = self::whole(same("type-removed", "… is gone", 5));
    for (format, told) in told(&short.view()) {
        assert!(!told.to_lowercase().contains("look first at"), "{format}");
    }
}
