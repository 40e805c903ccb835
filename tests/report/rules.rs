//! The table of all rules in the documentation. `BLESS=1 cargo test --test report` rewrites it.

use std::fmt::Write as _;
use std::fs;

use acp_bindgen::breaking::{RULES, Rule, Verdict};

use super::support;

const OPENING: &str = "\
# What a schema change breaks

Every kind of change that `acp-bindgen diff` knows, and what it means. `acp-bindgen explain RULE` tells the same of one
of them. This page is made from the rules themselves (`BLESS=1 cargo test --test report`).

*old→new* is a message from a peer that has the old schema to one that has the new, *new→old* the reverse: **ok** (it
means the same to both), **risk** (something is lost or behaves in another way) or **breaks** (a valid message is
rejected). A finding may be milder or worse than its rule where the schemas say so.

What happens to code that was written against the old schema's package: **ok**, **breaks**, **name** (a generated name
is gone), **readers** or **builders** (only code that reads or builds the value breaks), or *the kind of code* that breaks
if it was written so.

";

#[test]
fn the_table_of_rules_is_current() {
    let mut text = String::from(OPENING);
    text.push_str("| rule | level | old→new | new→old | Rust | TypeScript | Python |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for rule in RULES {
        row(rule, &mut text);
    }
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

fn row(rule: &Rule, text: &mut String) {
    let wire = |verdict| match verdict {
        Verdict::Ok => "ok",
        Verdict::Risk => "risk",
        Verdict::Break => "**breaks**",
    };
    let code = rule.source.languages().map(|(_, effect)| {
        let effect = effect.text();
        match effect.as_str() {
            "ok" => "ok".to_owned(),
            "break" => "**breaks**".to_owned(),
            "name" => "**name**".to_owned(),
            "recv" => "**readers**".to_owned(),
            "send" => "**builders**".to_owned(),
            other => format!("*{}*", other.trim_start_matches("cond:").replace(['-', '+'], " ")),
        }
    });
    writeln!(
        text,
        "| [`{0}`](#{0}) | {1} | {2} | {3} | {4} |",
        rule.id,
        rule.level.name(),
        wire(rule.wire.old_to_new),
        wire(rule.wire.new_to_old),
        code.join(" | ")
    )
    .unwrap();
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
