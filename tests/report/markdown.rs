//! Markdown: the report's text, into which no schema can put anything else.

use acp_bindgen::breaking::Change;
use acp_bindgen::breaking::policy::PolicyOutcome;
use acp_bindgen::breaking::report::markdown;
use serde_json::json;

use super::fixture::{HOSTILE, Whole, change, hostile, payload, report, schema, witness};

/// The most bytes that are written.
const LONGEST: usize = 60_000;

#[test]
fn a_report_reads_well() {
    let mut gone = change("property-removed-required", "Lamp", "watts");
    gone.witness = vec![witness(json!({"method": "lamp/on", "params": {}}))];
    let whole = whole(vec![gone, change("property-added-optional", "Lamp", "colour")]);
    insta::assert_snapshot!(markdown(&whole.view()));
}

#[test]
fn no_difference_is_said() {
    let text = markdown(&whole(vec![]).view());
    assert!(text.contains("**No difference.**"), "{text}");
    assert!(!text.contains('|'));
}

#[test]
fn a_schema_cannot_write_markup() {
    let whole = hostile();
    let text = markdown(&whole.view());
    let mut outside = without_code(&text);
    for escape in ["\\*", "\\_", "\\[", "\\]", "\\|", "\\`", "\\\\"] {
        outside = outside.replace(escape, "");
    }
    for markup in ["<img", "</script", "<script", "@all", "#1", "[a", "](b)", "_", "`"] {
        assert!(!outside.contains(markup), "{markup}: {outside}");
    }
    // Nothing of it begins a line, where a dash or a number would mean something.
    assert!(!text.lines().any(|line| line.starts_with("::")));
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn a_long_report_is_cut_and_says_so() {
    let many = (0..2_000).map(|n| change("type-changed", &format!("Type{n}"), "some.path"));
    let text = markdown(&whole(many.collect()).view());
    assert!(text.len() <= LONGEST, "{}", text.len());
    assert!(text.contains("This report was cut to fit"));
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    // What is not told at all is counted, and nothing is told at length instead of it.
    let told = text.matches("\n- **breaking**").count();
    assert!(told > 400, "{told}");
    assert!(text.contains(&format!("{told} findings told in one line, {} left out", 2_000 - told)));
    let few = (0..200).map(|n| change("type-changed", &format!("Type{n}"), "some.path"));
    let text = markdown(&whole(few.collect()).view());
    assert_eq!(text.matches("\n- **breaking**").count(), 200);
    assert!(text.contains("<details>") && text.contains(", 0 left out"), "{text}");
}

#[test]
fn what_one_method_carries_is_grouped_with_it() {
    let mut own = change("type-removed", "A", "");
    own.positions = vec![payload("door/open"), payload("door/open")];
    let shared = change("annotation-only", "B", "x");
    let mut method = change("method-removed", "C", "door/open");
    method.positions = vec![];
    let mut unused = change("property-added-optional", "D", "");
    unused.positions = vec![];
    let text = markdown(&whole(vec![shared, unused, own, method]).view());
    let is_told = |line: &&str| line.starts_with("### ") || line.starts_with("- **");
    let told: Vec<&str> =
        text.lines().filter(is_told).map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(
        told,
        [
            "`door/open`",
            "`type-removed`",
            "`method-removed`",
            "`D`",
            "`property-added-optional`",
            "`B`",
            "`annotation-only`",
        ]
    );
}

fn whole(changes: Vec<Change>) -> Whole {
    let (_, old) = schema("old.json", r#"{"title": "Old", "$defs": {"A": {}}}"#);
    let (_, new) = schema("new.json", r#"{"title": "New", "$defs": {"A": {}}}"#);
    Whole { report: report(changes), old, new, outcome: PolicyOutcome::default() }
}

/// The text without code spans and blocks, as a reader of Markdown sees it.
fn without_code(text: &str) -> String {
    let mut outside = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let (before, tail) = rest.split_at(at);
        // An escaped backtick opens nothing.
        if before.ends_with('\\') {
            outside.push_str(before);
            rest = &tail[1..];
            continue;
        }
        outside.push_str(before);
        let fence = tail.len() - tail.trim_start_matches('`').len();
        let inner = &tail[fence..];
        let mut end = None;
        let mut searched = 0;
        while let Some(found) = inner[searched..].find('`') {
            let start = searched + found;
            let run = inner[start..].len() - inner[start..].trim_start_matches('`').len();
            if run == fence {
                end = Some(start + run);
                break;
            }
            searched = start + run;
        }
        let end = end.unwrap_or_else(|| panic!("code that does not end: {tail}"));
        rest = &inner[end..];
    }
    outside + rest
}

#[test]
fn the_hostile_text_is_hostile() {
    assert!(HOSTILE.contains('`') && HOSTILE.contains('\n'));
}
