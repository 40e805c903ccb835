//! The page of all rules in the documentation. `BLESS=1 cargo test --test report` rewrites it.

use std::fmt::Write as _;
use std::fs;

use acp_bindgen::breaking::{RULES, Rule};

use super::support;

const OPENING: &str = "\
# The rules of diff, one by one

Every kind of change that `acp-bindgen diff` knows, with an example: why it does what it does, and what to do instead.
[What a schema change breaks](breaking-changes.md) has their verdicts in a table; `acp-bindgen explain RULE` has both. This
page is made from the rules themselves (`BLESS=1 cargo test --test report`).
";

#[test]
fn the_page_of_rules_is_current() {
    let mut text = String::from(OPENING);
    for rule in RULES {
        section(rule, &mut text);
    }
    let path = support::root().join("docs/breaking-rules.md");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/breaking-rules.md is old: BLESS=1 cargo test --test report");
}

fn section(rule: &Rule, text: &mut String) {
    let mut summary = rule.summary.to_owned();
    summary.get_mut(..1).unwrap().make_ascii_uppercase();
    writeln!(
        text,
        "\n## {}\n\n{summary}. {}\n\n*Remedy:* {}\n\n```json\n{}\n```\n\nbecomes\n\n```json\n{}\n```",
        rule.id, rule.why, rule.remedy, rule.before, rule.after
    )
    .unwrap();
}
