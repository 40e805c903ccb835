//! The versions that schemas state, beside what has changed.

use serde_json::{Value, json};

use super::pair::{Pair, Text};

/// A schema that states a version, with a property or without.
fn schema(version: &Value, property: Option<&str>) -> Text {
    let mut schema = json!({"title": "House Protocol", "$defs": {"DimNotification": {
        "type": "object", "x-method": "lamp/dim", "x-side": "house",
        "properties": {"lamp": {"type": "string"}},
    }}});
    if !version.is_null() {
        schema["version"] = version.clone();
    }
    if let Some(name) = property {
        schema["$defs"]["DimNotification"]["properties"][name] = json!({"type": "boolean"});
    }
    Text { schema: schema.to_string(), overlay: None, methods: None }
}

/// What is said of the versions where something breaks, or is new, or nothing has changed.
fn said(was: impl Into<Value>, is: impl Into<Value>, properties: [Option<&str>; 2]) -> String {
    let (old, new) = (schema(&was.into(), properties[0]), schema(&is.into(), properties[1]));
    let report = Pair::between("versions", old, new).report();
    let found = report.changes.iter().find(|change| change.rule.id == "version-disagrees");
    found.map_or_else(String::new, |change| change.summary.clone())
}

const GONE: [Option<&str>; 2] = [Some("slow"), None];
const NEW: [Option<&str>; 2] = [None, Some("slow")];
const SAME: [Option<&str>; 2] = [None, None];

#[test]
fn a_version_says_how_much_has_changed() {
    for (was, is, properties) in [
        ("1.2.0", "2.0.0", GONE),
        ("1.2.0", "2.0.0-alpha.1", GONE),
        ("0.2.0", "0.3.0", GONE),
        ("1.2.0", "1.3.0", NEW),
        ("0.2.0", "0.2.1", NEW),
        ("1.2.0", "3.0.0", NEW),
        ("1.2.0", "1.2.0", SAME),
        ("1.2.0", "1.2.1", SAME),
        ("2.0.0-alpha.3", "2.0.0-alpha.4", GONE),
        ("2.0.0-alpha.3", "2.0.0-beta.1", GONE),
        ("2.0.0-rc.1", "2.0.0", GONE),
    ] {
        assert_eq!(said(was, is, properties), "", "{was} to {is}");
    }
}

#[test]
fn a_version_that_says_too_little_is_told() {
    for (was, is, properties, expected) in [
        ("1.2.0", "1.2.1", GONE, "but something breaks: that asks for 2.0.0"),
        ("1.2.0", "1.3.0-rc.1", GONE, "but something breaks: that asks for 2.0.0"),
        ("1.2.0", "1.2.1", NEW, "but something is new: that asks for 1.3.0"),
        ("0.2.0", "0.2.1", GONE, "but something breaks: that asks for 0.3.0"),
        ("1.2.0", "1.2.0", GONE, "the version is still 1.2.0, but something breaks"),
        ("1.2.0", "1.2.0+2", NEW, "the version is still 1.2.0+2, but something is new"),
        ("2.0.0-alpha.3", "2.0.0-alpha.3", NEW, "the version is still 2.0.0-alpha.3"),
        ("2.0.0-beta.1", "2.0.0-alpha.9", SAME, "which is lower"),
        ("1.2.0", "1.1.9", SAME, "which is lower"),
    ] {
        let said = said(was, is, properties);
        assert!(said.contains(expected), "{was} to {is}: {said}");
    }
}

#[test]
fn what_states_no_version_is_not_judged() {
    for (was, is) in [
        (Value::Null, json!("1.2.0")),
        (json!("1.2.0"), Value::Null),
        (json!("draft"), json!("draft")),
        (json!(1), json!(1)),
    ] {
        assert_eq!(said(was, is, GONE), "");
    }
}
