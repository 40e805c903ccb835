//! The steps that the decode plan takes. What they make of messages is for `tests/wire`.

mod remarks;

use acp_bindgen::UnknownFields;
use acp_bindgen::decode::{
    Candidates, Choice, DecodePlan, FieldPlan, Items, KnownKeys, OnAbsent, OnInvalid, OnNull, Step,
    Substitute,
};
use acp_bindgen::ir::{JsonType, Protocol, Type};
use serde_json::{Value, json};

use crate::support;

fn protocol(definitions: &Value) -> Protocol {
    let schema = json!({ "title": "T", "$defs": definitions });
    let lowered = support::lowered("t.json", &schema.to_string());
    let report = lowered.report();
    lowered.protocol.unwrap_or_else(|| panic!("{report}"))
}

fn plan(definitions: &Value) -> DecodePlan {
    DecodePlan::new(&protocol(definitions), UnknownFields::Drop)
}

/// An object with these properties, those in capitals required.
fn object(properties: &[&str]) -> Value {
    let members = properties.iter().map(|name| (name.to_lowercase(), json!({"type": "string"})));
    let required = properties.iter().filter(|name| name.to_lowercase() != **name);
    json!({
        "type": "object",
        "properties": members.collect::<serde_json::Map<_, _>>(),
        "required": required.map(|name| name.to_lowercase()).collect::<Vec<_>>(),
    })
}

/// The candidates for objects, of a union by shape of these variants.
fn candidates(variants: &[Value]) -> Candidates {
    let names: Vec<String> = (0..variants.len()).map(|index| format!("V{index}")).collect();
    let branches: Vec<Value> =
        names.iter().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    let mut definitions = json!({ "U": { "anyOf": branches } });
    for (name, variant) in names.iter().zip(variants) {
        definitions[name] = variant.clone();
    }
    choice(&plan(&definitions), "U").candidates(JsonType::Object).clone()
}

fn choice(plan: &DecodePlan, name: &str) -> Choice {
    match plan.union(name).map(|union| union.steps.as_slice()) {
        Some([Step::Choose(choice)]) => choice.clone(),
        other => panic!("{other:?}"),
    }
}

fn listed(keys: &[&str]) -> KnownKeys {
    KnownKeys::Listed(keys.iter().map(|key| String::from(*key)).collect())
}

#[test]
fn the_variant_that_knows_more_and_requires_it_comes_first() {
    assert_eq!(candidates(&[object(&["A"]), object(&["A", "B"])]), Candidates::InOrder(vec![1, 0]));
}

#[test]
fn the_schema_orders_variants_with_the_same_keys() {
    assert_eq!(
        candidates(&[object(&["A", "b"]), object(&["A", "B"])]),
        Candidates::InOrder(vec![0, 1])
    );
    assert_eq!(candidates(&[object(&["A", "b"]), object(&["A"])]), Candidates::InOrder(vec![0, 1]));
}

#[test]
fn keys_decide_where_no_order_is_always_right() {
    // Which is right depends on whether `b` is there.
    let found = candidates(&[object(&["A"]), object(&["A", "b"])]);
    assert_eq!(found, Candidates::MostKeys(vec![(0, listed(&["a"])), (1, listed(&["a", "b"]))]));
    let found = candidates(&[object(&["A", "b"]), object(&["A", "c"])]);
    assert!(matches!(found, Candidates::MostKeys(_)), "{found:?}");
}

#[test]
fn variants_that_exclude_each_other_keep_their_order() {
    let tagged = |tag: &Value, more: &str| {
        json!({
            "type": "object",
            "properties": { "v": tag, more: { "type": "string" } },
            "required": ["v"],
        })
    };
    let found = candidates(&[
        tagged(&json!({ "const": 1 }), "a"),
        tagged(&json!({ "const": 2 }), "b"),
        tagged(&json!({ "type": "string" }), "c"),
    ]);
    assert_eq!(found, Candidates::InOrder(vec![0, 1, 2]));
    // Unless what they differ in is forgiven.
    let mut forgiving = tagged(&json!({ "type": "integer", "default": 1 }), "a");
    forgiving["properties"]["v"]["x-deserialize-default-on-error"] = json!(true);
    let found = candidates(&[forgiving, tagged(&json!({ "type": "string" }), "c")]);
    assert!(matches!(found, Candidates::MostKeys(_)), "{found:?}");
}

#[test]
fn a_variant_that_keeps_everything_knows_every_key() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    assert_eq!(candidates(&[map.clone(), object(&["A"])]), Candidates::InOrder(vec![0, 1]));
    let found = candidates(&[object(&["A"]), map]);
    assert_eq!(found, Candidates::MostKeys(vec![(0, listed(&["a"])), (1, KnownKeys::Every)]));
    let mut open = object(&["A"]);
    open["additionalProperties"] = json!(true);
    assert_eq!(candidates(&[open, object(&["A", "b"])]), Candidates::InOrder(vec![0, 1]));
}

#[test]
fn a_union_knows_the_keys_of_its_variants_and_of_its_tag() {
    let tagged = json!({
        "type": "object",
        "properties": { "s": { "type": "string" } },
        "oneOf": [
            { "type": "object", "properties": { "t": { "const": "x" }, "x": {} }, "required": ["t"] },
            { "type": "object", "properties": { "t": { "const": "y" }, "y": {} }, "required": ["t"] },
        ],
    });
    let found = candidates(&[object(&["s"]), tagged]);
    assert_eq!(found, Candidates::InOrder(vec![1, 0]), "it requires its tag");
    let union = json!({ "anyOf": [{ "$ref": "#/$defs/V1" }, { "type": "string" }] });
    let found = candidates(&[union, object(&["A", "b"]), object(&["A", "b", "c"])]);
    let known = [listed(&["a", "b"]), listed(&["a", "b"]), listed(&["a", "b", "c"])];
    assert_eq!(found, Candidates::MostKeys(known.into_iter().enumerate().collect()));
}

#[test]
fn json_types_tell_variants_apart() {
    let plan = plan(&json!({
        "U": { "anyOf": [
            { "title": "Text", "type": "string" },
            { "title": "Whole", "type": "integer" },
            { "title": "Real", "type": "number" },
            { "$ref": "#/$defs/R" },
        ] },
        "R": object(&["A"]),
    }));
    let choice = choice(&plan, "U");
    assert_eq!(*choice.candidates(JsonType::String), Candidates::Only(0));
    assert_eq!(*choice.candidates(JsonType::Number), Candidates::InOrder(vec![1, 2]));
    assert_eq!(*choice.candidates(JsonType::Object), Candidates::Only(3));
    assert_eq!(*choice.candidates(JsonType::Array), Candidates::None);
    assert_eq!(choice.arms.len(), 4, "null, booleans and arrays are one");
    assert_eq!(plan.union("U").unwrap().expected, "a string, an integer, a number or R");
}

#[test]
fn nothing_is_tried_after_a_variant_that_takes_anything() {
    let plan = plan(&json!({ "U": { "anyOf": [
        { "title": "Text", "type": "string" }, { "title": "Any" }, { "title": "Flag", "type": "boolean" },
    ] } }));
    let choice = choice(&plan, "U");
    assert_eq!(*choice.candidates(JsonType::String), Candidates::InOrder(vec![0, 1]));
    assert_eq!(*choice.candidates(JsonType::Boolean), Candidates::Only(1));
}

#[test]
fn the_open_variant_keeps_its_location() {
    let branch =
        |tag: Value| json!({ "type": "object", "properties": { "t": tag }, "required": ["t"] });
    let plan = plan(&json!({
        "U": { "anyOf": [
            branch(json!({ "const": "x" })),
            { "$ref": "#/$defs/Before" },
            branch(json!({ "type": "string" })),
            { "$ref": "#/$defs/After" },
        ] },
        "Closed": { "oneOf": [branch(json!({ "const": "x" })), branch(json!({ "const": "y" }))] },
        "Before": object(&["A"]),
        "After": object(&["B"]),
    }));
    let union = plan.union("U").unwrap();
    assert_eq!((union.tagged("x"), union.tagged("z")), (Some(0), None));
    assert!(union.is_object && !union.is_by_tag_alone());
    let object = |index| {
        let arms = vec![(JsonType::Object.into(), Candidates::InOrder(vec![index]))];
        Step::Choose(Choice { arms })
    };
    assert_eq!(union.steps, [object(1), Step::Open, object(2)]);
    assert!(plan.union("Closed").unwrap().is_by_tag_alone());
}

#[test]
fn fields_say_what_they_become() {
    let plan = plan(&json!({ "R": {
        "type": "object",
        "properties": {
            "a": { "type": "string" },
            "b": { "type": ["string", "null"], "default": "x", "x-deserialize-default-on-error": true },
            "c": { "type": "string", "x-deserialize-default-on-null": true },
            "d": { "x-deserialize-default-on-null": true },
            "e": {
                "type": "array",
                "x-deserialize-default-on-error": true,
                "x-deserialize-skip-invalid-items": true,
            },
        },
        "required": ["a", "e"],
    } }));
    let field = |absent, null, invalid, items| FieldPlan { absent, null, invalid, items };
    let x = || json!("x");
    let forgiven = |value| OnInvalid::Become(Substitute::Value(value));
    let (all, refuse) = (Items::All, OnInvalid::Refuse);
    let expected = [
        field(OnAbsent::Refuse, OnNull::Decode, refuse.clone(), all),
        field(OnAbsent::Default(x()), OnNull::Keep, forgiven(x()), all),
        field(OnAbsent::Leave, OnNull::Become(Substitute::Absent), refuse.clone(), all),
        field(OnAbsent::Leave, OnNull::Decode, refuse, all),
        field(OnAbsent::Refuse, OnNull::Decode, forgiven(json!([])), Items::ValidOnly),
    ];
    assert_eq!(plan.record("R").unwrap().fields, expected);
}

#[test]
fn the_rest_is_kept_where_the_schema_or_the_user_says_so() {
    let record = |additional: Value| json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": additional });
    let protocol = protocol(&json!({
        "Silent": { "type": "object", "properties": { "a": {} } },
        "True": record(json!(true)),
        "Typed": record(json!({ "type": "boolean" })),
        "Denied": record(json!(false)),
    }));
    let rests = |unknown| {
        let plan = DecodePlan::new(&protocol, unknown);
        let names = ["Silent", "True", "Typed", "Denied"];
        names.map(|name| plan.record(name).unwrap().kept().cloned())
    };
    let (any, boolean) = (Some(Type::Any), Some(Type::Boolean));
    assert_eq!(rests(UnknownFields::Drop), [None, any.clone(), boolean.clone(), None]);
    assert_eq!(rests(UnknownFields::Preserve), [any.clone(), any.clone(), boolean, any]);
}
