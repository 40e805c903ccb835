//! Changes of what was only `null`.

use acp_bindgen::breaking::{Verdict, Wire};

use super::pair::{Pair, Text};
use super::shown::shown;

/// Types of which only `null` is a value.
const NOTHING: [&str; 3] = [r#"{"type": "null"}"#, r#"{"const": null}"#, r#"{"enum": [null]}"#];

/// Types of which `null` is a value among others.
const NULLABLE: [&str; 8] = [
    r#"{"type": ["string", "null"]}"#,
    r#"{"anyOf": [{"type": "integer"}, {"const": null}]}"#,
    r#"{"enum": ["dim", "bright", null]}"#,
    r#"{"enum": ["dim", null]}"#,
    r#"{"type": ["array", "null"], "items": {"type": "string"}}"#,
    r##"{"anyOf": [{"$ref": "#/$defs/Room"}, {"type": "null"}]}"##,
    r#"{"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}"#,
    "{}",
];

/// Places where a type can stand, as the definitions around it.
const PLACES: [&str; 6] = [
    r#""SetRequest": {"type": "object", "properties": {"it": TYPE}, BOUND}, "SetResponse": {"type": "object", BOUND}"#,
    r#""SetRequest": {"type": "object", "properties": {"it": TYPE}, "required": ["it"], BOUND}, "SetResponse": {"type": "object", BOUND}"#,
    r#""SetRequest": {"type": "object", "properties": {"it": {"type": "array", "items": TYPE}}, BOUND}, "SetResponse": {"type": "object", BOUND}"#,
    r#""SetRequest": {"type": "object", "properties": {"it": {"type": "object", "additionalProperties": TYPE}}, BOUND}, "SetResponse": {"type": "object", BOUND}"#,
    r##""SetRequest": {"type": "object", "properties": {"it": {"$ref": "#/$defs/It"}}, BOUND}, "SetResponse": {"type": "object", BOUND}, "It": TYPE"##,
    r#""SetRequest": {"type": "object", BOUND}, "SetResponse": {"type": "object", "properties": {"it": TYPE}, BOUND}"#,
];

#[test]
fn what_was_null_and_may_still_be_is_widened() {
    let widened = Wire { old_to_new: Verdict::Ok, new_to_old: Verdict::Break };
    let narrowed = Wire { old_to_new: Verdict::Break, new_to_old: Verdict::Ok };
    for nothing in NOTHING {
        for nullable in NULLABLE {
            for place in PLACES {
                assert_finds(place, (nothing, nullable), Some(("type-widened", widened)));
                assert_finds(place, (nullable, nothing), Some(("type-narrowed", narrowed)));
            }
        }
    }
}

#[test]
fn a_type_that_is_never_null_takes_the_place_of_null() {
    let changed = Some(("type-changed", Wire::both(Verdict::Break)));
    for nothing in NOTHING {
        for place in PLACES {
            assert_finds(place, (nothing, r#"{"type": "string"}"#), changed);
            assert_finds(place, (r#"{"type": "string"}"#, nothing), changed);
        }
    }
}

#[test]
fn only_null_is_the_same_however_it_is_written() {
    for one in NOTHING {
        for other in NOTHING {
            assert_finds(PLACES[0], (one, other), None);
        }
    }
}

/// Compares two types at a place: one finding says so, and its verdict is the report's.
fn assert_finds(place: &str, (old, new): (&str, &str), expected: Option<(&str, Wire)>) {
    let text = |ty: &str| {
        let bound = r#""x-method": "lamp/set", "x-side": "house""#;
        let room = r#""Room": {"type": "object", "properties": {"floor": {"type": "integer"}}}"#;
        let definitions = place.replace("TYPE", ty).replace("BOUND", bound);
        let schema = format!(r#"{{"title": "House", "$defs": {{{definitions}, {room}}}}}"#);
        Text { schema, overlay: None, methods: None }
    };
    let report = Pair::between(place, text(old), text(new)).report();
    let found: Vec<(&str, Wire)> = report
        .changes
        .iter()
        .map(|change| (change.rule.id, change.wire))
        .filter(|(rule, _)| *rule != "structure-only")
        .collect();
    let place = format!("{old} to {new} in {place}:\n{}", shown(&report));
    assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{place}");
}
