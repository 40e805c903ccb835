//! What is found about unstable parts can be left out, and is counted then.

use acp_bindgen::breaking::policy::{FailOn, Policy, RuleLevel};
use acp_bindgen::breaking::report::{Bump, headline};
use acp_bindgen::breaking::{CompareOptions, Level, Report, Subject, Verdict, Wire, compare_with};
use acp_bindgen::policy::day_of;
use serde_json::{Value, json};

use super::pair::Text;
use crate::support;

/// A protocol of which some is unstable, if it says so.
fn schema(edit: impl Fn(&mut Value)) -> Value {
    let mut schema = json!({"title": "House Protocol", "$defs": {
        "SwitchRequest": {
            "type": "object", "x-method": "lamp/switch", "x-side": "house",
            "properties": {"lamp": {"$ref": "#/$defs/Lamp"}}, "required": ["lamp"],
        },
        "SwitchResponse": {"type": "object", "x-method": "lamp/switch", "x-side": "house"},
        "DimRequest": {
            "type": "object", "x-method": "lamp/dim", "x-side": "house", "x-unstable": true,
            "properties": {"curve": {"$ref": "#/$defs/Curve"}}, "required": ["curve"],
        },
        "DimResponse": {"type": "object", "x-method": "lamp/dim", "x-side": "house"},
        "Curve": {"type": "object", "properties": {"steps": {"type": "integer"}}},
        "Lamp": {"type": "object", "properties": {
            "watts": {"type": "integer"},
            "glow": {"type": "integer", "x-unstable": true},
            "state": {"$ref": "#/$defs/State"},
        }},
        "State": {"oneOf": [
            {"const": "on"}, {"const": "off"}, {"const": "dim", "x-unstable": true},
        ]},
    }});
    edit(&mut schema["$defs"]);
    schema
}

fn report(old: &Value, new: &Value, ignore_unstable: bool) -> Report {
    let read = |schema: &Value| {
        let text = Text { schema: schema.to_string(), overlay: None, methods: None };
        text.read("house.json")
    };
    let ((old, before), (new, after)) = (read(old), read(new));
    let options = CompareOptions { ignore_unstable, ..CompareOptions::default() };
    let old = Subject { protocol: &old, document: Some(&before.root) };
    compare_with(old, Subject { protocol: &new, document: Some(&after.root) }, &options).report
}

fn ids(report: &Report) -> Vec<&str> {
    let about_text = ["structure-only", "annotation-only"];
    let changes = report.changes.iter().filter(|change| !about_text.contains(&change.rule.id));
    changes.map(|change| change.id.as_str()).collect()
}

#[test]
fn what_is_unstable_is_left_out_and_counted() {
    let old = schema(|_| {});
    let new = schema(|defs| {
        defs["Lamp"]["properties"]["glow"]["type"] = json!("string");
        defs["Lamp"]["properties"]["shade"] = json!({"type": "string", "x-unstable": true});
        defs["State"]["oneOf"].as_array_mut().unwrap().pop();
        defs["Curve"]["properties"]["steps"]["maximum"] = json!(9);
        defs["DimRequest"]["properties"]["now"] = json!({"type": "boolean"});
    });
    let whole = report(&old, &new, false);
    let found = ids(&whole);
    for id in [
        "type-changed:Lamp.glow",
        "property-added-optional:Lamp.shade",
        "enum-value-removed-closed:State=dim",
        "constraint-tightened:Curve.steps",
        "property-added-optional:DimRequest.now",
    ] {
        let change = whole.changes.iter().find(|change| change.id == id);
        assert!(change.is_some_and(|change| change.unstable), "{id}: {found:?}");
    }
    assert!(!whole.verdict.breaking && whole.left_out == 0);
    let stable = report(&old, &new, true);
    assert_eq!(ids(&stable), [""; 0]);
    assert!(!stable.verdict.breaking);
    assert_eq!(stable.left_out, found.len());
    let note = format!("{} findings about what is unstable are left out", found.len());
    assert_eq!(stable.notes, [note]);
}

#[test]
fn what_was_or_becomes_stable_is_everyones_concern() {
    let old = schema(|_| {});
    let new = schema(|defs| {
        let lamp = &mut defs["Lamp"]["properties"];
        lamp["glow"] = json!({"type": "string"});
        lamp["watts"] = json!({"type": "string", "x-unstable": true});
        defs["State"] = json!({"enum": ["on", "dim"]});
        defs["DimRequest"].as_object_mut().unwrap().remove("x-unstable");
    });
    for (one, other) in [(&old, &new), (&new, &old)] {
        let (whole, stable) = (report(one, other, false), report(one, other, true));
        assert_eq!(ids(&whole), ids(&stable));
        assert_eq!(stable.left_out, 0);
    }
}

/// Tells on which breaks a comparison fails.
fn fails(report: &Report, rules: &[(&str, RuleLevel)]) -> Vec<FailOn> {
    let all = [FailOn::Any, FailOn::Effective, FailOn::Source, FailOn::Wire, FailOn::Never];
    let has_failed = |fail_on: &FailOn| {
        let rules = rules.iter().map(|(rule, level)| ((*rule).to_owned(), *level)).collect();
        let policy = Policy { fail_on: *fail_on, rules, ..Policy::default() };
        policy.apply(&report.changes, report.ignored, day_of(0)).fails
    };
    all.into_iter().filter(has_failed).collect()
}

#[test]
fn what_is_unstable_is_a_risk_at_most() {
    let new = schema(|defs| defs["Lamp"]["properties"]["glow"]["type"] = json!("string"));
    let report = report(&schema(|_| {}), &new, false);
    let change = report.changes.iter().find(|it| it.id == "type-changed:Lamp.glow").unwrap();
    assert_eq!((change.level, change.breaking), (Level::Risky, false));
    assert_eq!(change.wire.worst(), Verdict::Break);
    assert_eq!(change.effective_wire.map(Wire::worst), Some(Verdict::Risk));
    assert!(change.softened_by.as_ref().unwrap().contains("unstable"));
    assert!(change.source.is_breaking() && !change.counted_source().is_breaking());
    let verdict = &report.verdict;
    assert_eq!((verdict.suggested, verdict.strictly_suggested), (Bump::Minor, Bump::Major));
    assert_eq!(
        headline(&report),
        "nothing breaks on the wire (by the schemas alone: old→new 1, new→old 1); no code breaks \
         (by the schemas alone: Rust 0, TypeScript 1, Python 1); suggested: minor (by the schemas \
         alone: major)"
    );
    assert_eq!(fails(&report, &[]), [FailOn::Wire]);
}

#[test]
fn what_breaks_only_code_of_what_is_unstable_is_a_risk() {
    let new = schema(|defs| {
        defs["DimRequest"]["properties"]["curve"] = json!({"$ref": "#/$defs/Bend"});
        let curve = defs.as_object_mut().unwrap().remove("Curve").unwrap();
        defs["Bend"] = curve;
    });
    let report = report(&schema(|_| {}), &new, false);
    let change = report.changes.iter().find(|it| it.id == "type-renamed:Curve").unwrap();
    assert_eq!(change.wire.worst(), Verdict::Ok);
    assert_eq!(change.effective_wire, None);
    assert!(change.source.is_breaking() && change.softened_by.is_some());
    assert_eq!((change.level, change.breaking), (Level::Risky, false));
    assert_eq!(report.verdict.suggested, Bump::Minor);
    assert!(fails(&report, &[]).is_empty());
}

#[test]
fn a_level_of_the_projects_own_counts_for_what_is_unstable_too() {
    let new = schema(|defs| defs["Lamp"]["properties"]["glow"]["type"] = json!("string"));
    let read = |schema: &Value| {
        let text = Text { schema: schema.to_string(), overlay: None, methods: None };
        text.read("house.json").0
    };
    let (old, new) = (read(&schema(|_| {})), read(&new));
    let rules = [("type-changed", RuleLevel::Breaking)];
    let levels = rules.iter().map(|(rule, level)| ((*rule).to_owned(), *level)).collect();
    let options = CompareOptions { levels, ..CompareOptions::default() };
    let report = compare_with((&old).into(), (&new).into(), &options).report;
    assert_eq!(report.verdict.suggested, Bump::Major);
    let failing = [FailOn::Any, FailOn::Effective, FailOn::Source, FailOn::Wire];
    assert_eq!(fails(&report, &rules), failing);
}

#[test]
fn flags_and_the_configuration_leave_it_out() {
    let folder = support::scratch("diff-unstable");
    let new = schema(|defs| defs["Lamp"]["properties"]["glow"]["type"] = json!("string"));
    support::write_files(
        &folder,
        [
            ("old.json", schema(|_| {}).to_string().as_str()),
            ("new.json", new.to_string().as_str()),
            ("stable.toml", "[diff]\nignore-unstable = true\n"),
        ],
    );
    let said = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        let output = command.args(arguments).current_dir(&folder).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let files = ["old.json", "new.json"];
    let left_out = "1 finding about what is unstable is left out";
    for command in ["diff", "changelog", "matrix"] {
        let (code, all) = said(&[&[command], &files[..]].concat());
        assert_eq!(code, Some(0), "{all}");
        assert!(!all.contains(left_out) && !all.contains("**Breaking"), "{all}");
        assert!(command == "matrix" || all.contains("by the schemas alone"), "{all}");
        for more in [&["--ignore-unstable"][..], &["--config", "stable.toml"]] {
            let (code, text) = said(&[&[command], &files[..], more].concat());
            assert_eq!(code, Some(0), "{text}");
            assert!(text.contains(left_out) && !text.contains("glow"), "{text}");
        }
    }
    for format in ["text", "markdown", "html", "github"] {
        let (code, text) = said(&[&["diff", "--format", format], &files[..]].concat());
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("by the schemas alone") && text.contains("it is unstable"), "{text}");
    }
    let (_, text) = said(&[&["diff", "--summary"], &files[..]].concat());
    let line = "risky     Lamp.glow: was an integer and is now a string (both ways: lost; by the schemas \
                alone: old→new breaks, new→old breaks; by the schemas alone: code in TypeScript and \
                Python)";
    assert!(text.contains(line), "{text}");
    for format in [&["--summary"][..], &["--format", "markdown"], &["--format", "html"]] {
        let (_, text) = said(&[&["diff", "--ignore-unstable"], &files[..], format].concat());
        assert!(text.contains(left_out), "{text}");
    }
    let (_, text) =
        said(&["diff", "old.json", "new.json", "--ignore-unstable", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["left_out"], 1);
}
