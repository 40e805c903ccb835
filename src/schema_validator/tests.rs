use serde_json::{Value, json};

use super::{Problem, SchemaValidator, Violation};
use crate::source::{SourceText, Sources, parse};

fn validator(schema: &Value) -> SchemaValidator {
    let mut sources = Sources::default();
    let source = sources.add(SourceText::new("test.json", schema.to_string()));
    SchemaValidator::new(&parse(&sources, source).0.expect("it is JSON"))
}

/// Whether the definition `T` of a schema takes each of the values.
fn taken(schema: &Value, values: &[Value]) -> Vec<Option<bool>> {
    let validator = validator(schema);
    values.iter().map(|value| validator.takes("T", value)).collect()
}

/// The violations of a definition `T` by a value: the pointers into the value and into the schema.
fn said(definition: &Value, value: &Value) -> Vec<(String, String, Problem)> {
    let found = validator(&json!({ "$defs": { "T": definition } })).violations("T", value);
    let shown = |it: Violation| {
        let steps: Vec<String> = it.steps.iter().map(|step| format!("{step:?}")).collect();
        (steps.join(" "), it.pointer, it.problem)
    };
    found.into_iter().map(shown).collect()
}

fn one(steps: &str, pointer: &str, problem: Problem) -> Vec<(String, String, Problem)> {
    vec![(steps.to_owned(), pointer.to_owned(), problem)]
}

#[test]
fn the_dialect_is_what_the_schema_says() {
    let bounded = json!({ "$ref": "#/definitions/N", "maximum": 1 });
    let schema = |dialect: Option<&str>| {
        let mut schema = json!({ "definitions": { "T": bounded, "N": { "type": "integer" } } });
        if let Some(dialect) = dialect {
            schema["$schema"] = dialect.into();
        }
        schema
    };
    let values = [json!(1), json!(2), json!("2")];
    let newest = [Some(true), Some(false), Some(false)];
    assert_eq!(taken(&schema(None), &values), newest);
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    assert_eq!(taken(&schema(Some(dialect)), &values), newest);
    // Nothing counts beside a reference.
    let dialect = "http://json-schema.org/draft-07/schema#";
    assert_eq!(taken(&schema(Some(dialect)), &values), [Some(true), Some(true), Some(false)]);
    assert_eq!(taken(&schema(Some("https://example.com/mine")), &values), [None; 3]);
}

#[test]
fn what_cannot_be_compiled_is_not_judged_and_spoils_nothing_else() {
    for other in [
        json!({ "pattern": "(" }),
        json!({ "$ref": "#/$defs/Missing" }),
        json!({ "$ref": "https://example.com/other.json" }),
        json!({ "$ref": "https://example.com/other.json#/$defs/A" }),
        json!({ "$ref": "file:///etc/hostname" }),
        json!({ "$ref": "other.json" }),
        json!({ "type": "strnig" }),
        json!({ "properties": 5 }),
        json!({ "minLength": "many" }),
    ] {
        let schema = json!({ "$defs": {
            "T": { "type": "integer" },
            "Other": other,
            "Around": { "properties": { "a": { "$ref": "#/$defs/Other" } } },
        } });
        let validator = validator(&schema);
        assert_eq!(validator.takes("Other", &json!("a")), None, "{other}");
        assert_eq!(validator.takes("Around", &json!({ "a": "a" })), None, "{other}");
        assert_eq!(validator.takes("T", &json!("a")), Some(false), "{other}");
        assert_eq!(validator.takes("None", &json!("a")), None);
        assert!(validator.violations("Other", &json!("a")).is_empty(), "{other}");
    }
}

#[test]
fn with_a_reference_that_is_no_uri_nothing_is_judged() {
    let schema = json!({ "$defs": { "T": { "type": "integer" }, "U": { "$ref": "::::" } } });
    assert_eq!(taken(&schema, &[json!("a")]), [None]);
}

#[test]
fn names_and_identifiers_are_no_obstacle() {
    let names = ["a b", "a/b", "a~b", "100%", "a#b?c", "日本", "", "\"", "$id", "^{|}`"];
    for name in names {
        let schema = json!({
            "$id": "https://example.com/schema.json",
            "$defs": { name: { "$ref": "#/$defs/Inner" }, "Inner": { "type": "null" } },
        });
        let validator = validator(&schema);
        assert_eq!(validator.takes(name, &json!(null)), Some(true), "{name}");
        assert_eq!(validator.takes(name, &json!(1)), Some(false), "{name}");
    }
}

#[test]
fn a_format_counts_where_generated_code_holds_to_it() {
    let schema = |definition: Value| json!({ "$defs": { "T": definition } });
    let of = |definition: Value, value: Value| taken(&schema(definition), &[value])[0];
    let byte = json!({ "type": "integer", "format": "uint8" });
    assert_eq!(of(byte.clone(), json!(255)), Some(true));
    assert_eq!(of(byte.clone(), json!(256)), Some(false));
    assert_eq!(of(byte, json!(1e300)), Some(false));
    let nullable = json!({ "type": ["integer", "null"], "format": "uint8" });
    assert_eq!(of(nullable.clone(), json!(null)), Some(true));
    assert_eq!(of(nullable, json!(256)), Some(false));
    assert_eq!(of(json!({ "type": "number", "format": "uint8" }), json!(256)), Some(true));
    assert_eq!(of(json!({ "type": "string", "format": "email" }), json!("?")), Some(true));
    let encoded = json!({ "contentEncoding": "base64", "contentMediaType": "application/json" });
    let mut older = schema(encoded);
    older["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    assert_eq!(taken(&older, &[json!("?")]), [Some(true)]);
}

#[test]
fn a_violation_has_its_place_and_keyword() {
    let list = json!({ "properties": { "0": { "items": { "pattern": "^a$" } } } });
    assert_eq!(
        said(&list, &json!({ "0": ["a", "b"] })),
        one("Key(\"0\") Index(1)", "/$defs/T/properties/0/items/pattern", Problem::Unmet)
    );
    assert_eq!(
        said(&json!({ "required": ["a"] }), &json!({})),
        one("Key(\"a\")", "/$defs/T/required", Problem::Missing)
    );
    let closed = json!({ "properties": { "a": {} }, "additionalProperties": false });
    assert_eq!(
        said(&closed, &json!({ "a": 1, "b": 1 })),
        one("Key(\"b\")", "/$defs/T/additionalProperties", Problem::Denied)
    );
}

#[test]
fn of_branches_the_one_that_is_meant_tells_what_is_wrong() {
    let tagged =
        |tag: &str| json!({ "properties": { "kind": { "const": tag }, "size": { "maximum": 1 } } });
    let union = json!({ "oneOf": [tagged("a"), tagged("b"), tagged("c")] });
    assert_eq!(
        said(&union, &json!({ "kind": "b", "size": 2 })),
        one("Key(\"size\")", "/$defs/T/oneOf/1/properties/size/maximum", Problem::Unmet)
    );
    assert_eq!(said(&union, &json!({ "kind": "d" })), one("", "/$defs/T/oneOf", Problem::NoneFits));
    let overlapping = json!({ "oneOf": [{ "type": "integer" }, { "minimum": 3 }] });
    assert_eq!(said(&overlapping, &json!(5)), one("", "/$defs/T/oneOf", Problem::SeveralFit));
}

#[test]
fn a_match_that_takes_too_many_steps_is_no_violation() {
    let pattern = json!({ "pattern": "^(?:(a|aa)\\1?)+b$" });
    let text = "a".repeat(60);
    assert_eq!(said(&pattern, &json!(text)), []);
}

#[test]
fn references_in_a_circle_end() {
    let schema = json!({ "$defs": {
        "T": { "$ref": "#/$defs/U" },
        "U": { "allOf": [{ "$ref": "#/$defs/T" }], "type": "integer" },
    } });
    assert_eq!(taken(&schema, &[json!(1), json!("a")]), [Some(true), Some(false)]);
}

/// A chain of definitions from `T`, each of which leads to the next.
fn chain(length: usize, last: &Value, link: impl Fn(Value) -> Value) -> Value {
    let mut schema = json!({ "$defs": { "T": { "$ref": "#/$defs/T0" } } });
    for at in 0..length {
        schema["$defs"][format!("T{at}")] = link(json!({ "$ref": format!("#/$defs/T{}", at + 1) }));
    }
    schema["$defs"][format!("T{length}")] = last.clone();
    schema
}

#[test]
fn what_would_be_tried_endlessly_is_not_judged() {
    let wrong = json!("a");
    let integer = json!({ "type": "integer" });
    let twice = |next: Value| json!({ "anyOf": [next, { "allOf": [next] }] });
    assert_eq!(taken(&chain(40, &integer, twice), std::slice::from_ref(&wrong)), [None]);
    assert_eq!(taken(&chain(5, &integer, twice), std::slice::from_ref(&wrong)), [Some(false)]);
    let below = |next: Value| {
        let inner = json!({ "properties": { "a": next } });
        json!({ "anyOf": [inner, { "allOf": [inner] }] })
    };
    assert_eq!(taken(&chain(40, &integer, below), std::slice::from_ref(&wrong)), [None]);
    // However many properties there are, each part of a value is one of them.
    let beside = |next: Value| json!({ "properties": { "a": next, "b": next } });
    assert_eq!(taken(&chain(40, &integer, beside), &[json!({ "a": { "b": 1 } })]), [Some(true)]);
    // A chain can be as long as the schema.
    assert_eq!(taken(&chain(20_000, &integer, |next| next), &[wrong]), [None]);
}

#[test]
fn errors_that_would_be_collected_endlessly_are_told_as_one() {
    let branch = |name: &str| json!({ "properties": { "inner": { "$ref": "#/$defs/T" }, name: { "minLength": 9 } } });
    let tree = json!({ "anyOf": [branch("a"), branch("b"), branch("c")] });
    let nested = |levels: usize| {
        (0..levels).fold(json!({ "a": "", "b": "", "c": "" }), |inner, _| json!({ "inner": inner }))
    };
    assert_eq!(said(&tree, &nested(60)), one("", "/$defs/T", Problem::Somewhere));
    assert_eq!(said(&tree, &nested(2)), one("", "/$defs/T/anyOf", Problem::NoneFits));
    assert_eq!(said(&tree, &json!({ "inner": { "a": "" } })), []);
}

#[cfg(feature = "bundled")]
#[test]
fn every_definition_of_a_published_protocol_is_judged() {
    for name in crate::schema::bundled::NAMES {
        let (text, _) = crate::schema::bundled::text(name).expect("it is bundled");
        let schema: Value = serde_json::from_str(&text.text).expect("it is JSON");
        let validator = validator(&schema);
        let definitions = schema["$defs"].as_object().expect("it has definitions");
        // As deep as messages are.
        let value = (0..8).fold(json!({}), |inner, _| json!({ "update": [inner] }));
        for definition in definitions.keys() {
            assert!(validator.takes(definition, &value).is_some(), "{name} {definition}");
            let at = validator.violations(definition, &value);
            assert!(at.iter().all(|it| it.problem != Problem::Somewhere), "{name} {definition}");
        }
    }
}
