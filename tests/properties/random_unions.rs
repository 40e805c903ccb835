//! Random schemas of unions, conditions, constants and references that lead to themselves.

use serde_json::{Map, Value, json};

use super::random_schemas::anything;
use super::support::Random;

/// A schema of objects, unions, tuples and constants, in each other.
pub(crate) fn nested(random: &mut Random, depth: usize) -> Value {
    at_place(random, depth, false)
}

/// The same. `is_inside`: it is that of a property or an item, which may lead back.
fn at_place(random: &mut Random, depth: usize, is_inside: bool) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return plain(random, is_inside) };
    let mut all = Map::new();
    let types = [json!("object"), json!(["object", "null"]), json!(["array", "object", "string"])];
    if !random.once_in(3) {
        all.insert("type".to_owned(), random.pick(&types).clone());
    }
    for _ in 0..=random.below(3) {
        let (name, said) = match random.below(16) {
            0 | 1 => ("properties", members(random, depth)),
            2 => ("required", json!([random.pick(&["a", "kind"])])),
            3 => ("additionalProperties", json!(random.once_in(2))),
            4 => ("unevaluatedProperties", json!(false)),
            5 | 6 => ("anyOf", list(random, depth)),
            7 => ("oneOf", list(random, depth)),
            8 => ("allOf", list(random, depth)),
            9 if is_inside => ("$ref", json!(random.pick(&["#/$defs/It", "#/$defs/Other"]))),
            10 => ("prefixItems", json!([at_place(random, depth, true)])),
            11 => ("items", at_place(random, depth, true)),
            12 => ("not", nested(random, depth)),
            13 => {
                all.insert("then".to_owned(), nested(random, depth));
                ("if", nested(random, 0))
            }
            14 => ("dependentSchemas", json!({ "a": nested(random, 0) })),
            _ => ("oneOf", tagged(random, depth)),
        };
        all.insert(name.to_owned(), said);
    }
    Value::from(all)
}

fn list(random: &mut Random, depth: usize) -> Value {
    (0..=random.below(2)).map(|_| nested(random, depth)).collect()
}

fn members(random: &mut Random, depth: usize) -> Value {
    json!({ "a": at_place(random, depth, true), "kind": at_place(random, 0, true) })
}

/// Alternatives that a property tells apart.
fn tagged(random: &mut Random, depth: usize) -> Value {
    let tags = ["x", "y"].map(|tag| {
        let mut branch = json!({
            "type": "object", "properties": { "kind": { "const": tag } }, "required": ["kind"],
        });
        if random.once_in(2) {
            branch["properties"]["a"] = at_place(random, depth, true);
        }
        branch
    });
    json!(tags)
}

/// A schema without others of its own.
fn plain(random: &mut Random, is_inside: bool) -> Value {
    let constants = [json!({ "a": 1 }), json!([1]), json!("x"), json!(null), json!(1), json!({})];
    match random.below(6) {
        0 => json!({ "const": random.pick(&constants) }),
        1 => json!({ "const": random.pick(&constants), "minProperties": 1, "items": false }),
        2 => json!({ "enum": ["x", "y"] }),
        3 if is_inside => {
            json!({ "$ref": random.pick(&["#/$defs/It", "#/$defs/Other"]), "minLength": 1 })
        }
        _ => anything(random, 0),
    }
}

/// A value of objects, arrays and others in each other.
pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
    let plain = ["x", "y", ""].map(Value::from).into_iter().chain([json!(1), json!(null)]);
    let plain: Vec<Value> = plain.chain([json!(true), json!({}), json!([])]).collect();
    let Some(depth) = depth.checked_sub(1) else { return random.pick(&plain).clone() };
    match random.below(4) {
        0 => random.pick(&plain).clone(),
        1 => (0..=random.below(2)).map(|_| value(random, depth)).collect(),
        _ => {
            let mut members = Map::new();
            for key in ["a", "kind", "b"] {
                if random.once_in(2) {
                    members.insert(key.to_owned(), value(random, depth));
                }
            }
            Value::from(members)
        }
    }
}
