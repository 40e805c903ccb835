//! Schemas that say the same in other words: nothing breaks from one to the other.

use acp_bindgen::breaking::source::Language;
use serde_json::{Value, json};

use super::pair::{Pair, Text};
use super::shown::shown;

/// A protocol of one request, whose `value` is of this type, sent both ways.
fn text(it: &Value) -> Text {
    let method = |required: &Value| {
        json!({
            "type": "object", "properties": { "value": { "$ref": "#/$defs/It" } },
            "required": required, "x-method": "call", "x-side": "server",
        })
    };
    let schema = json!({ "title": "Case", "$defs": {
        "It": it,
        "Either": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        "CallRequest": method(&json!(["value"])),
        "CallResponse": method(&json!([])),
    } });
    Text { schema: schema.to_string(), overlay: None, methods: None }
}

fn object(a: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": a } })
}

/// Compares each two of these, both ways. `is_code`: their code is the same, too.
fn assert_equal(all: &[Value], is_code: bool) {
    for one in all {
        for other in all {
            let pair = Pair::between(&format!("{one} to {other}"), text(one), text(other));
            let comparison = pair.comparison();
            let report = &comparison.report;
            let wire = !report
                .changes
                .iter()
                .any(|it| it.wire.worst() > acp_bindgen::breaking::Verdict::Ok);
            assert!(wire, "{}:\n{}", pair.name, shown(report));
            if is_code {
                let is_same = report.changes.iter().all(|it| it.rule.id == "structure-only");
                assert!(is_same, "{}:\n{}", pair.name, shown(report));
                assert!(comparison.source.diff(Language::ALL).is_empty(), "{}: in code", pair.name);
            }
        }
    }
}

#[test]
fn whole_numbers_with_a_point_or_without() {
    assert_equal(&[object(&json!({ "const": 1 })), object(&json!({ "const": 1.0 }))], true);
    assert_equal(&[json!({ "enum": [1, 2] }), json!({ "enum": [1.0, 2.0] })], true);
    let by = |value: Value| object(&json!({ "type": "number", "default": value }));
    assert_equal(&[by(json!(2)), by(json!(2.0))], true);
    let list = |value: Value| object(&json!({ "const": [value, { "b": value }] }));
    assert_equal(&[list(json!(-1)), list(json!(-1.0))], true);
}

#[test]
fn numbers_in_whole_steps_are_integers() {
    let forms = [
        json!({ "type": "integer" }),
        json!({ "type": "number", "multipleOf": 1 }),
        json!({ "type": "number", "multipleOf": 1.0 }),
        json!({ "type": "integer", "multipleOf": 1 }),
        json!({ "allOf": [{ "type": "number" }, { "multipleOf": 1 }] }),
    ];
    assert_equal(&forms, true);
    let dozens = |ty: &str| object(&json!({ "type": [ty, "null"], "multipleOf": 12 }));
    assert_equal(&[dozens("integer"), dozens("number")], true);
    let halves = [object(&json!({ "type": "number", "multipleOf": 0.5 }))];
    let numbers = Pair::between("halves", text(&halves[0]), text(&object(&forms[0])));
    assert!(!numbers.report().is_empty(), "half a step is no integer");
}

#[test]
fn unions_of_unions_are_one() {
    let (text, whole) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let (nothing, flag) = (json!({ "type": "null" }), json!({ "type": "boolean" }));
    let forms = [
        json!({ "anyOf": [text, whole, nothing] }),
        json!({ "anyOf": [{ "anyOf": [text, whole] }, nothing] }),
        json!({ "anyOf": [text, { "anyOf": [whole, nothing] }] }),
        json!({ "oneOf": [{ "oneOf": [text, whole] }, nothing] }),
        json!({ "anyOf": [{ "anyOf": [text, nothing] }, { "anyOf": [whole, nothing] }] }),
    ];
    assert_equal(&forms[..4], true);
    let fields: Vec<Value> = forms[..4].iter().map(object).collect();
    assert_equal(&fields, true);
    let deep = json!({ "anyOf": [{ "anyOf": [{ "oneOf": [text, whole] }, flag] }] });
    assert_equal(&[object(&json!({ "anyOf": [text, whole, flag] })), object(&deep)], true);
    assert_equal(&forms, false);
}

#[test]
fn null_beside_a_union_is_a_variant_of_it() {
    let (text, whole, nothing) =
        (json!({ "type": "string" }), json!({ "type": "integer" }), json!({ "type": "null" }));
    let forms = [
        json!({ "anyOf": [text, whole, nothing] }),
        json!({ "type": ["string", "integer", "null"] }),
        json!({ "anyOf": [{ "$ref": "#/$defs/Either" }, nothing] }),
        json!({ "anyOf": [{ "title": "Named", "anyOf": [text, whole] }, nothing] }),
    ];
    assert_equal(&forms, false);
    let fields: Vec<Value> = forms.iter().map(object).collect();
    assert_equal(&fields, false);
    let lists: Vec<Value> =
        forms.iter().map(|it| json!({ "type": "array", "items": it })).collect();
    assert_equal(&lists, false);
}

#[test]
fn types_that_another_alternative_names() {
    let number = json!({ "type": "number" });
    let forms = [
        number.clone(),
        json!({ "anyOf": [{ "type": "integer" }, number] }),
        json!({ "anyOf": [number, number] }),
        json!({ "type": ["integer", "number"] }),
    ];
    assert_equal(&forms, true);
    assert_equal(&forms.each_ref().map(object), true);
}

#[test]
fn what_must_not_be_there_together() {
    let it = |not: Value| {
        let mut it = object(&json!({ "type": "integer" }));
        it["properties"]["b"] = json!({ "type": "integer" });
        it["not"] = not;
        it
    };
    let (a, b) = (json!({ "required": ["a"] }), json!({ "required": ["b"] }));
    let both = [
        it(json!({ "required": ["a", "b"] })),
        it(json!({ "required": ["b", "a"] })),
        it(json!({ "allOf": [a, b] })),
        it(json!({ "required": ["a"], "allOf": [b] })),
        it(json!({ "allOf": [{ "allOf": [a] }, b] })),
    ];
    assert_equal(&both, true);
}

#[test]
fn patterns_that_all_names_match() {
    let forms = [
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "patternProperties": { "": { "type": "string" } }, "additionalProperties": false }),
        json!({ "type": "object", "patternProperties": { ".*": { "type": "string" } } }),
        json!({ "type": "object", "patternProperties": { "^": { "type": "string" } }, "additionalProperties": true }),
        json!({ "type": "object", "additionalProperties": { "type": "string" }, "propertyNames": { "pattern": ".*" } }),
        json!({ "type": "object", "additionalProperties": { "type": "string" }, "patternProperties": {} }),
    ];
    assert_equal(&forms, true);
    let text = |pattern: &str| object(&json!({ "type": "string", "pattern": pattern }));
    assert_equal(&[object(&json!({ "type": "string" })), text(""), text("^.*")], true);
}

#[test]
fn conditions_that_are_always_met_or_never() {
    let it = |more: Value| {
        let mut it = object(&json!({ "type": "string" }));
        it.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        it
    };
    let required = json!({ "required": ["a"] });
    let forms = [
        it(required.clone()),
        it(json!({ "if": true, "then": required })),
        it(json!({ "if": {}, "then": required, "else": false })),
        it(json!({ "if": false, "then": false, "else": required })),
        it(json!({ "required": ["a"], "then": { "minProperties": 2 } })),
    ];
    assert_equal(&forms, true);
}

#[test]
fn alternatives_in_another_order_or_with_a_name() {
    let one = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let of = |all: [Value; 2]| json!({ "anyOf": all });
    assert_equal(&[of([one("a"), one("b")]), of([one("b"), one("a")])], false);
    let three = |all: [&str; 3]| json!({ "anyOf": all.map(one) });
    assert_equal(&[three(["a", "b", "c"]), three(["c", "a", "b"])], false);
}

#[test]
fn what_no_value_fits_is_not_there() {
    let none = json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] });
    assert_equal(&[object(&json!(false)), object(&none)], true);
    let needed = json!({ "a": false });
    let several = json!({ "type": ["object", "string"], "properties": needed, "required": ["a"] });
    assert_equal(&[json!({ "type": "string" }), several], true);
    let null = json!({ "type": ["string", "null"], "anyOf": [{ "type": "null" }] });
    assert_equal(&[json!({ "type": "null" }), null], true);
    let both = json!({
        "oneOf": [{ "type": "null" }, { "type": "string" }],
        "anyOf": [{ "type": "integer" }, { "type": "null" }]
    });
    assert_equal(&[json!({ "type": "null" }), both], true);
}

#[test]
fn what_is_left_out_is_what_is_left() {
    let rest = ["boolean", "number", "string", "array", "object"];
    let string = json!({ "type": "string" });
    for forms in [
        vec![
            json!({}),
            json!({ "not": false }),
            json!({ "type": ["null", "boolean", "number", "string", "array", "object"] }),
            json!({ "type": ["object", "array", "string", "number", "integer", "boolean", "null"] }),
        ],
        vec![
            string.clone(),
            json!({ "not": { "not": string } }),
            json!({ "not": { "type": ["null", "boolean", "number", "array", "object"] } }),
            json!({ "type": ["string", "null"], "not": { "type": "null" } }),
        ],
        vec![
            json!({ "type": rest }),
            json!({ "not": { "type": "null" } }),
            json!({ "not": { "const": null } }),
        ],
        vec![
            json!({ "type": "string", "minLength": 1 }),
            json!({ "type": "string", "not": { "maxLength": 0 } }),
            json!({ "not": { "maxLength": 0 } }),
            json!({ "type": "string", "not": { "type": "string", "maxLength": 0 } }),
        ],
        vec![
            json!({ "type": "array", "maxItems": 2 }),
            json!({ "type": "array", "not": { "minItems": 3 } }),
        ],
        vec![
            json!({ "type": "number", "exclusiveMinimum": 0.5 }),
            json!({ "type": "number", "not": { "maximum": 0.5 } }),
        ],
        vec![
            json!({ "type": "number", "minimum": 0, "maximum": 9 }),
            json!({ "type": "number", "minimum": 0, "not": { "exclusiveMinimum": 9 } }),
        ],
        vec![
            json!({ "type": "object", "minProperties": 1 }),
            json!({ "type": "object", "not": { "maxProperties": 0 } }),
        ],
        vec![
            json!({ "enum": ["a", "b"] }),
            json!({ "enum": ["a", "b", "c"], "not": { "const": "c" } }),
            json!({ "allOf": [{ "enum": ["c", "a", "b"] }, { "not": { "enum": ["c", "d"] } }] }),
        ],
    ] {
        assert_equal(&forms.iter().map(object).collect::<Vec<_>>(), true);
    }
}
