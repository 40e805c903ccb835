//! The page of all rules in the documentation. `.ci/bless report` rewrites it.

use std::fmt::Write as _;
use std::fs;

use acp_bindgen::breaking::{RULES, Rule};

use crate::support;

const OPENING: &str = "\
# The rules of diff, one by one

Every kind of change that `acp-bindgen diff` knows, with an example: why it does what it does, and what to do instead.
[What a schema change breaks](breaking-changes.md) has their verdicts in a table; `acp-bindgen explain RULE` has both. This
page is made from the rules themselves (`.ci/bless report`).
";

#[test]
fn the_page_of_rules_is_current() {
    let mut text = String::from(OPENING);
    for rule in RULES {
        section(rule, &mut text);
    }
    let path = support::root().join("docs/breaking-rules.md");
    if support::is_blessing() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/breaking-rules.md is old: `.ci/bless report` rewrites it");
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
