//! The rules as their page has them, and their examples.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;

use acp_bindgen::validate::{RULES, rule};

use crate::support;

/// The page of the rules: a table, then each with what there is to say of it.
fn page() -> String {
    let mut text = String::from(
        "# The rules of validate\n\n\
         Everything that `acp-bindgen validate` can find in messages. [What is wrong with these messages](validate.md) says\n\
         how they are judged. This page is made from the rules themselves (`.ci/bless validate`).\n\n\
         | rule | severity | what |\n|---|---|---|\n",
    );
    for rule in RULES {
        let name = rule.severity.name();
        writeln!(text, "| [`{0}`](#{0}) | {name} | {1} |", rule.id, rule.summary).unwrap();
    }
    for rule in RULES {
        write!(
            text,
            "\n## {}\n\n{}\n\n*Remedy:* {}\n\n```text\n{}\n```\n\nrather\n\n```text\n{}\n```\n",
            rule.id,
            rule.why,
            rule.remedy,
            rule.before.trim_matches('\n'),
            rule.after.trim_matches('\n')
        )
        .unwrap();
    }
    text
}

#[test]
fn the_page_has_every_rule() {
    let path = support::root().join("docs/validate-rules.md");
    if support::is_blessing() {
        fs::write(&path, page()).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "docs/validate-rules.md is old: `.ci/bless validate` rewrites it");
}

#[test]
fn rules_are_told_apart_and_explained() {
    let mut ids = HashSet::new();
    for it in RULES {
        assert!(ids.insert(it.id), "{} is there twice", it.id);
        assert_eq!(rule(it.id), Some(*it));
        assert!(it.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", it.id);
        assert!(!it.summary.ends_with('.') && it.why.ends_with('.') && it.remedy.ends_with('.'));
        assert_ne!(it.before, it.after, "{}", it.id);
    }
    assert_eq!(rule("none"), None);
}
