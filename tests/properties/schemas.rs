//! Schemas, sensible and not.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::json;

/// The definitions that references may lead to, and two that they should not.
const NAMES: [&str; 8] =
    ["Alpha", "Beta", "GammaRequest", "GammaResponse", "Delta", "class", "é", ""];

/// A schema document that makes sense, mostly.
pub(crate) fn sensible() -> impl Strategy<Value = Value> {
    let binding = binding();
    (vec(schema(false), NAMES.len()), binding)
        .prop_map(|(schemas, binding)| document(schemas, [binding.clone(), binding]))
}

/// A schema document with keywords that do not suit each other.
pub(crate) fn wild() -> impl Strategy<Value = Value> {
    (vec(schema(true), NAMES.len()), binding(), binding())
        .prop_map(|(schemas, one, other)| document(schemas, [one, other]))
}

fn document(schemas: Vec<Value>, bindings: [Map<String, Value>; 2]) -> Value {
    let mut definitions: Map<String, Value> =
        NAMES.iter().map(|name| (*name).to_owned()).zip(schemas).collect();
    for (name, annotations) in ["GammaRequest", "GammaResponse"].into_iter().zip(bindings) {
        if let Some(Value::Object(schema)) = definitions.get_mut(name) {
            schema.extend(annotations);
        }
    }
    json!({ "title": "Random", "$defs": definitions })
}

/// Any JSON where a schema belongs.
pub(crate) fn nonsense() -> impl Strategy<Value = Value> {
    (keywords(json::value().boxed()), json::value()).prop_map(|(mut root, definitions)| {
        if let Value::Object(root) = &mut root {
            root.insert("$defs".to_owned(), json!({ "A": definitions.clone(), "B": root.clone() }));
        }
        root
    })
}

fn binding() -> impl Strategy<Value = Map<String, Value>> {
    (select(vec!["one", "two", "both", "protocol"]), select(vec!["a/b", "a", ""])).prop_map(
        |(side, method)| {
            [("x-side", side), ("x-method", method)]
                .map(|(key, value)| (key.to_owned(), Value::from(value)))
                .into_iter()
                .collect()
        },
    )
}

/// A schema.
fn schema(wild: bool) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        select(vec!["string", "integer", "number", "boolean", "null"])
            .prop_map(|name| json!({ "type": name })),
        select(NAMES.to_vec()).prop_map(|name| json!({ "$ref": format!("#/$defs/{name}") })),
        Just(json!({})),
        select(vec!["uint8", "int64", "nonsense"])
            .prop_map(|format| json!({ "type": "integer", "format": format, "minimum": -1 })),
        btree_set(words(), 1..4).prop_map(|values| json!({ "enum": values })),
        select(vec![
            json!({ "type": "string", "default": "a\"\\\n${b}" }),
            json!({ "type": "integer", "default": -3 }),
            json!({ "type": "number", "default": 0.5 }),
            json!({ "type": "boolean", "default": true }),
            json!({ "type": ["string", "null"], "default": null }),
            json!({ "type": "array", "items": { "type": "string" }, "default": ["x"] }),
            json!({ "type": "object", "additionalProperties": true, "default": { "k": [1, null] } }),
            json!({ "default": { "deep": [{}] } }),
            json!({ "type": "string", "x-deserialize-default-on-error": true, "default": "" }),
            json!({ "type": "array", "items": {}, "x-deserialize-skip-invalid-items": true }),
        ]),
        btree_set(words(), 1..4).prop_map(|values| {
            let branches: Vec<Value> =
                values.iter().map(|value| json!({ "type": "string", "const": value })).collect();
            json!({ "oneOf": branches })
        }),
        select(vec!["string", "object"]).prop_map(|name| json!({ "type": [name, "null"] })),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let object = (vec((words(), inner.clone()), 0..4), any::<bool>(), json::value()).prop_map(
            move |(properties, required, default)| {
                let names: Vec<String> = properties.iter().map(|(name, _)| name.clone()).collect();
                let mut properties: Map<String, Value> = properties.into_iter().collect();
                if let (true, Some(Value::Object(first))) = (wild, properties.values_mut().next()) {
                    first.insert("default".to_owned(), default);
                }
                let required = if required { names } else { Vec::new() };
                json!({ "type": "object", "properties": properties, "required": required })
            },
        );
        let tagged = (btree_map(words(), inner.clone(), 1..4), any::<bool>()).prop_map(
            |(variants, open)| {
                let mut branches: Vec<Value> = variants
                    .iter()
                    .map(|(tag, payload)| {
                        json!({
                            "type": "object",
                            "properties": { "kind": { "type": "string", "const": tag } },
                            "required": ["kind"],
                            "allOf": [payload],
                        })
                    })
                    .collect();
                if open {
                    branches.extend(variants.values().next().cloned());
                }
                json!({ "anyOf": branches })
            },
        );
        prop_oneof![
            3 => object,
            2 => tagged,
            1 => vec(inner.clone(), 1..4).prop_map(|branches| json!({ "anyOf": branches })),
            1 => vec(inner.clone(), 1..3).prop_map(|parts| json!({ "allOf": parts })),
            1 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            1 => inner.clone().prop_map(
                |values| json!({ "type": "object", "additionalProperties": values })
            ),
            u32::from(wild) => keywords(inner.boxed()),
        ]
    })
}

/// An object of keywords with values that need not suit them.
fn keywords(values: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let known = vec![
        "$ref",
        "$defs",
        "$schema",
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "const",
        "enum",
        "default",
        "title",
        "description",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minLength",
        "maxLength",
        "minItems",
        "pattern",
        "discriminator",
        "deprecated",
        "x-side",
        "x-method",
        "x-name",
        "x-mehtod",
        "x-deserialize-default-on-error",
        "x-deserialize-skip-invalid-items",
        "x-capability",
        "x-capabilities",
        "contentEncoding",
        "multipleOf",
        "dependentSchemas",
        "x-docs-ignore",
    ];
    vec((select(known), prop_oneof![2 => values, 1 => json::value().boxed()]), 0..6).prop_map(
        |members| {
            Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        },
    )
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["a", "b", "kind", "type", "class", "a-b", "fooBar", "", "__proto__", "self"])
            .prop_map(String::from),
        "[a-z]{1,4}",
        json::text(),
    ]
}
