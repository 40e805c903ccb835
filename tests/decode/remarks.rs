//! What an examination says of a value: everything, not only what comes first.

use acp_bindgen::UnknownFields;
use acp_bindgen::decode::{DecodePlan, Decoder, Forgiveness, Mode, RemarkKind};
use acp_bindgen::ir::{Protocol, Type};
use serde_json::{Value, json};

use super::protocol;

/// The remarks on a value of the definition `T`: path, kind, and the pointer in the schema.
fn remarks(protocol: &Protocol, mode: Mode, value: &Value) -> Vec<(String, String, String)> {
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let ty = Type::Named { name: "T".to_owned() };
    let examined = Decoder::new(protocol, &plan, mode).examine(&ty, value);
    let told = |what: &str, near: Option<&String>| {
        near.map_or_else(|| what.to_owned(), |near| format!("{what}, {near} is near"))
    };
    let kind = |kind: &RemarkKind| match kind {
        RemarkKind::Refused(refusal) => format!("{} for {}", refusal.found, refusal.expected),
        RemarkKind::Forgiven { refusal, within, forgiveness } => {
            let became = match forgiveness {
                Forgiveness::LeftOut => "left out".to_owned(),
                Forgiveness::Absent => "absent".to_owned(),
                Forgiveness::Value(value) => value.to_string(),
            };
            format!("{became} as {within} is {}", refusal.found)
        }
        RemarkKind::UnknownProperty { is_denied: true, .. } => "denied".to_owned(),
        RemarkKind::UnknownProperty { near, .. } => told("unknown", near.as_ref()),
        RemarkKind::UnknownValue { near } => told("unknown value", near.as_ref()),
        RemarkKind::UnknownVariant { near } => told("unknown variant", near.as_ref()),
    };
    let schema = |remark: &acp_bindgen::decode::Remark| {
        let pointer = remark.schema.as_ref().unwrap().pointer.as_str();
        pointer.strip_prefix("/$defs/").unwrap().to_owned()
    };
    let listed = examined.remarks.iter();
    listed.map(|remark| (remark.path(), kind(&remark.kind), schema(remark))).collect()
}

fn check(definitions: &Value, mode: Mode, value: &Value, expected: &[(&str, &str, &str)]) {
    let found = remarks(&protocol(definitions), mode, value);
    let found: Vec<_> =
        found.iter().map(|(path, kind, at)| (path.as_str(), kind.as_str(), at.as_str())).collect();
    assert_eq!(found, expected, "{value}");
}

#[test]
fn every_violation_is_told_with_its_places() {
    let definitions = json!({
        "T": {
            "type": "object",
            "properties": {
                "id": { "$ref": "#/$defs/Id" },
                "sizes": { "type": "array", "items": { "type": "integer" } },
                "by": { "type": "object", "additionalProperties": { "type": "boolean" } }
            },
            "required": ["id", "sizes"]
        },
        "Id": { "type": "string" }
    });
    let value = json!({ "id": 1, "sizes": ["a", 2, null], "by": { "x": 1, "y": true }, "more": 1 });
    check(
        &definitions,
        Mode::Strict,
        &value,
        &[
            ("id", "1 for a string", "Id"),
            ("sizes[0]", "\"a\" for an integer", "T/properties/sizes"),
            ("sizes[2]", "null for an integer", "T/properties/sizes"),
            ("by.x", "1 for a boolean", "T/properties/by"),
            ("more", "unknown", "T"),
        ],
    );
    let missing = [
        ("id", "nothing for a required property", "T/properties/id"),
        ("sizes", "nothing for a required property", "T/properties/sizes"),
    ];
    check(&definitions, Mode::Lenient, &json!({}), &missing);
    check(&definitions, Mode::Lenient, &json!([]), &[("", "an array for an object", "T")]);
}

#[test]
fn what_a_lenient_receiver_forgives_is_no_violation() {
    let definitions = json!({
        "T": {
            "type": "object",
            "properties": {
                "a": { "$ref": "#/$defs/A", "x-deserialize-default-on-error": true },
                "list": {
                    "type": "array", "items": { "$ref": "#/$defs/A" },
                    "x-deserialize-skip-invalid-items": true
                }
            }
        },
        "A": {
            "type": "object",
            "properties": { "b": { "type": "string" }, "c": { "type": "string" } },
            "required": ["b", "c"]
        }
    });
    let good = json!({ "b": "", "c": "", "d": 1 });
    let bad = json!({ "b": 1, "c": 2 });
    let value = json!({ "a": bad, "list": [good, bad, 3] });
    check(
        &definitions,
        Mode::Lenient,
        &value,
        &[
            ("a", "absent as b is 1", "T/properties/a"),
            ("list[0].d", "unknown", "A"),
            ("list[1]", "left out as b is 1", "T/properties/list"),
            ("list[2]", "left out as  is 3", "T/properties/list"),
        ],
    );
    check(
        &definitions,
        Mode::Strict,
        &value,
        &[
            ("a.b", "1 for a string", "A/properties/b"),
            ("a.c", "2 for a string", "A/properties/c"),
            ("list[0].d", "unknown", "A"),
            ("list[1].b", "1 for a string", "A/properties/b"),
            ("list[1].c", "2 for a string", "A/properties/c"),
            ("list[2]", "3 for an object", "A"),
        ],
    );
}

#[test]
fn variants_that_were_only_tried_leave_nothing_behind() {
    let definitions = json!({
        "T": { "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }] },
        "A": {
            "type": "object",
            "properties": { "a": { "type": "string" }, "x": { "type": "string" } },
            "required": ["a"]
        },
        "B": {
            "type": "object",
            "properties": { "a": { "type": "integer" }, "y": { "type": "string" } },
            "required": ["a"]
        }
    });
    check(&definitions, Mode::Lenient, &json!({ "a": 1, "x": 1 }), &[("x", "unknown", "B")]);
    let neither = [("", "an object for A or B", "T")];
    check(&definitions, Mode::Lenient, &json!({ "a": true, "z": 1 }), &neither);
}

#[test]
fn what_the_schema_does_not_name_is_told() {
    let tagged = |tag: &str, properties: Value| {
        let mut all = json!({ "kind": { "type": "string", "const": tag } });
        all.as_object_mut().unwrap().extend(properties.as_object().unwrap().clone());
        json!({ "type": "object", "properties": all, "required": ["kind"] })
    };
    let definitions = json!({
        "T": {
            "type": "object",
            "properties": {
                "way": { "$ref": "#/$defs/Way" },
                "shape": { "$ref": "#/$defs/Shape" },
                "closed": { "$ref": "#/$defs/Closed" }
            }
        },
        "Way": { "anyOf": [{ "type": "string", "const": "up" }, { "type": "string" }] },
        "Shape": { "anyOf": [
            tagged("dot", json!({})),
            tagged("line", json!({ "length": { "type": "integer" } })),
            { "title": "other", "type": "object", "properties": { "kind": { "type": "string" } }, "required": ["kind"] }
        ] },
        "Closed": { "type": "object", "properties": {}, "additionalProperties": false }
    });
    let of = |value: Value, expected: &[(&str, &str, &str)]| {
        check(&definitions, Mode::Lenient, &value, expected);
    };
    of(json!({ "way": "up", "shape": { "kind": "dot" } }), &[]);
    of(json!({ "way": "down" }), &[("way", "unknown value", "Way")]);
    let other = [("shape.kind", "unknown variant", "Shape/anyOf/2")];
    of(json!({ "shape": { "kind": "disc", "radius": 1 } }), &other);
    of(json!({ "shape": { "kind": "dot", "at": 1 } }), &[("shape.at", "unknown", "Shape")]);
    let near = [("shape.kind", "unknown variant, line is near", "Shape/anyOf/2")];
    of(json!({ "shape": { "kind": "lime" } }), &near);
    let near = [("shape.lenght", "unknown, length is near", "Shape/anyOf/1")];
    of(json!({ "shape": { "kind": "line", "lenght": 1 } }), &near);
    of(json!({ "closed": { "x": 1 } }), &[("closed.x", "denied", "Closed")]);
}
