//! What does `lint` find in a schema, and what does it leave alone? `cases/RULE.json` has for each
//! rule a schema that it is about, with the findings, and schemas that are nearly like it.

mod command;

use std::fs;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::lint::{Extends, Linted, Profile, Subject, lint, rules};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::{Inputs, Loaded, Purpose, load};
use serde_json::Value;

use crate::support;

/// All that any rule finds.
fn linted(schema: &Value, overlay: Option<&Value>, extension: Option<&Value>) -> (Linted, Loaded) {
    let text = |label: &str, value: &Value| SchemaText::from_value(label, value);
    let mut inputs = Inputs::from(text("case.json", schema));
    inputs.overlays.extend(overlay.map(|it| text("case.overlay.json", it)));
    inputs.extensions.extend(extension.map(|it| text("more.json", it)));
    let loaded = load(inputs, Purpose::Generate);
    let subject = Subject {
        schema: loaded.schema.as_ref().unwrap(),
        protocol: loaded.protocol.as_ref(),
        diagnostics: &loaded.diagnostics,
        sources: &loaded.sources,
    };
    let profile = Profile { extends: Extends::All, ..Profile::default() };
    (lint(subject, &profile), loaded)
}

/// The ids of what a rule finds in a schema of a case, with the further schema of this name.
fn found(rule: &str, schema: &Value, case: &Value, extension: &str) -> Vec<String> {
    let (linted, _) = linted(schema, case.get("overlay"), case.get(extension));
    let findings = linted.findings.into_iter();
    findings.filter(|finding| finding.rule.id() == rule).map(|finding| finding.id).collect()
}

#[test]
fn every_rule_finds_what_it_is_about_and_nothing_near_it() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let path = support::root().join(format!("tests/lint/cases/{}.json", rule.id()));
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let case: Value = serde_json::from_str(&text).unwrap();
        let mut expected: Vec<&str> =
            case["findings"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        expected.sort_unstable();
        let mut ids = found(rule.id(), &case["fires"], &case, "extension");
        ids.sort();
        if ids != expected || ids.is_empty() {
            wrong.push(format!("{}: {ids:?}, not {expected:?}", rule.id()));
        }
        let near_misses = case["near-misses"].as_array().unwrap();
        assert!(!near_misses.is_empty(), "{}", rule.id());
        for near_miss in near_misses {
            let ids = found(rule.id(), near_miss, &case, "near-extension");
            if !ids.is_empty() {
                wrong.push(format!("{ids:?} is found in {near_miss:#}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_of_a_rule() {
    for entry in fs::read_dir(support::root().join("tests/lint/cases")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let rule = name.strip_suffix(".json").unwrap();
        assert!(rules().any(|known| known.id() == rule), "{name}");
    }
}

#[test]
fn examples_of_rules_are_json() {
    for rule in rules() {
        for text in [rule.about.before, rule.about.after] {
            let parsed: Result<Value, _> = serde_json::from_str(text);
            assert!(parsed.is_ok(), "{}: {text}", rule.id());
        }
    }
}

#[test]
fn every_finding_says_where_it_is_and_what_to_do() {
    let schema = serde_json::json!({ "$defs": {
        "Mode": { "enum": ["on", "off"] },
        "Lamp": { "type": "object", "properties": { "hours": { "type": "integer" } } },
    } });
    let (linted, loaded) = linted(&schema, None, None);
    assert!(linted.findings.len() > 3);
    let mut diagnostics = Diagnostics::new();
    for finding in &linted.findings {
        assert!(finding.location.line > 0 && !finding.remedy.is_empty(), "{finding:?}");
        diagnostics.push(finding.diagnostic());
    }
    let style = acp_bindgen::diagnostic::Style::Plain;
    let text = acp_bindgen::diagnostic::render(&diagnostics, &loaded.sources, style);
    assert!(text.contains("warning[enum-without-fallback]: a new value of `Mode`"), "{text}");
    assert!(text.contains("case.json:3:13"), "{text}");
}
