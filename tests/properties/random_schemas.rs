//! Random schemas of a few keywords, and values for them.

use serde_json::{Map, Value, json};

use super::support::Random;

/// Keywords about values: each with the type that it speaks of.
fn keyword(random: &mut Random) -> (&'static str, Value) {
    let values =
        [json!("a"), json!("abc"), json!(1), json!(12), json!(2.5), json!(null), json!(true)];
    match random.below(13) {
        0 => ("type", json!(random.pick(&["string", "integer", "number", "boolean", "null"]))),
        1 => {
            ("type", json!([random.pick(&["string", "integer"]), random.pick(&["null", "number"])]))
        }
        2 => ("minimum", json!(random.below(5))),
        3 => ("maximum", json!(random.below(15))),
        4 => ("minLength", json!(random.below(4))),
        5 => ("maxLength", json!(random.below(4))),
        6 => ("exclusiveMinimum", json!(random.below(5))),
        7 => {
            let mut some: Vec<Value> = values.to_vec();
            some.retain(|_| random.once_in(2));
            ("enum", if some.is_empty() { json!(["a", 1]) } else { Value::from(some) })
        }
        8 => ("const", random.pick(&values).clone()),
        9 => ("format", json!("email")),
        10 => ("description", json!("Text.")),
        11 => ("multipleOf", random.pick(&[json!(2), json!(3), json!(0.5), json!(4)]).clone()),
        _ => ("type", json!(random.pick(&["string", "integer"]))),
    }
}

/// A schema of a few keywords, and of references and lists of such.
pub(crate) fn schema(random: &mut Random, depth: usize) -> Value {
    let mut all = Map::new();
    for _ in 0..=random.below(2) {
        let (keyword, value) = keyword(random);
        all.insert(keyword.to_owned(), value);
    }
    if depth > 0 {
        let inner = |random: &mut Random| {
            let count = 1 + random.below(2);
            Value::from((0..count).map(|_| schema(random, depth - 1)).collect::<Vec<_>>())
        };
        match random.below(4) {
            0 => _ = all.insert("$ref".into(), json!("#/$defs/Other")),
            1 => _ = all.insert("allOf".into(), inner(random)),
            2 => _ = all.insert("anyOf".into(), inner(random)),
            _ => {}
        }
    }
    Value::from(all)
}

/// Values of all types.
pub(crate) fn values() -> Vec<Value> {
    let numbers = [-1.5, 0.0, 1.0, 2.5, 3.0, 4.0, 7.0, 12.0, 14.0, 20.0].map(|it| json!(it));
    let whole = [-1, 0, 1, 2, 3, 4, 5, 9, 12, 15, 100].map(|it| json!(it));
    let texts = ["", "a", "ab", "abc", "abcd"].map(|it| json!(it));
    let others = [json!(null), json!(true), json!(false), json!([]), json!({}), json!([1])];
    numbers.into_iter().chain(whole).chain(texts).chain(others).collect()
}

/// A schema of an object or an array, with what can be said of its keys and items.
pub(crate) fn container(random: &mut Random, depth: usize) -> Value {
    if random.once_in(4) {
        let kinds = [
            json!({ "type": "integer" }),
            json!({ "type": ["string", "boolean"] }),
            json!({ "enum": ["a", "b"] }),
            json!({ "type": "array" }),
            json!(true),
        ];
        let items = random.pick(&kinds).clone();
        return json!({ "type": "array", "items": items, "uniqueItems": random.once_in(2) });
    }
    let mut all = Map::new();
    all.insert("type".into(), json!("object"));
    let keywords = [
        ("properties", json!({ "a": { "type": "string" }, "b": { "type": "integer" } })),
        ("required", json!(["a"])),
        ("minProperties", json!(1 + random.below(2))),
        ("maxProperties", json!(1 + random.below(2))),
        ("dependentRequired", json!({ "a": ["b"] })),
        ("dependentRequired", json!({ "b": ["c"], "c": ["a"] })),
        ("propertyNames", json!({ "maxLength": 1 })),
        ("propertyNames", json!({ "enum": ["a", "c"] })),
        ("additionalProperties", json!(false)),
        ("additionalProperties", json!({ "type": "integer" })),
        ("patternProperties", json!({ "^a": { "type": "string" } })),
        ("anyOf", json!([{ "required": ["a"] }, { "required": ["b", "c"] }])),
        ("oneOf", json!([{ "required": ["a"] }, { "type": "object", "required": ["b"] }])),
        ("not", json!({ "required": ["c"] })),
    ];
    for (keyword, said) in keywords {
        if random.once_in(4) {
            all.insert(keyword.into(), said);
        }
    }
    if depth > 0 && random.once_in(3) {
        let keyword = random.pick(&["allOf", "anyOf"]);
        let inner = [container(random, 0), container(random, 0)];
        all.insert((*keyword).to_owned(), json!(inner));
    }
    Value::from(all)
}

/// Objects of a few keys, and arrays.
pub(crate) fn containers() -> Vec<Value> {
    let keys = [("a", json!("x")), ("b", json!(1)), ("c", json!(2)), ("long", json!(3))];
    let objects = (0..16).map(|chosen| {
        let chosen = keys.iter().enumerate().filter(|(at, _)| chosen & (1 << at) != 0);
        let members: Map<String, Value> =
            chosen.map(|(_, (key, value))| ((*key).to_owned(), value.clone())).collect();
        Value::from(members)
    });
    let arrays = [
        json!([]),
        json!([1, 2]),
        json!([1, 1.0]),
        json!(["a", true]),
        json!([true, true]),
        json!(["a", "a"]),
        json!([[1], [1]]),
        json!([1, true]),
    ];
    objects.chain(arrays).chain([json!({ "a": 1 }), json!({ "c": "x" }), json!(1)]).collect()
}

/// A schema of a few keywords about objects, arrays and other values, often without a `type`.
pub(crate) fn anything(random: &mut Random, depth: usize) -> Value {
    let mut all = Map::new();
    for _ in 0..=random.below(2) {
        let (name, said) = match random.below(13) {
            0 => ("type", json!(random.pick(&["object", "array", "string", "integer"]))),
            1 => ("type", json!(["object", random.pick(&["string", "null", "array"])])),
            2 => ("properties", json!({ "a": leaf(random), "b": leaf(random) })),
            3 => ("required", json!([random.pick(&["a", "b", "c"])])),
            4 => ("items", leaf(random)),
            5 => ("prefixItems", json!([leaf(random)])),
            6 => ("additionalProperties", leaf(random)),
            7 => ("minItems", json!(random.below(3))),
            8 => ("minProperties", json!(random.below(3))),
            9 => ("not", json!({ "const": random.pick(&["a", "abc"]) })),
            10 => ("not", json!({ "required": [random.pick(&["a", "b"])] })),
            11 => {
                all.insert("then".to_owned(), leaf(random));
                ("if", leaf(random))
            }
            _ => keyword(random),
        };
        all.insert(name.to_owned(), said);
    }
    if depth > 0 {
        let inner = |random: &mut Random| {
            let count = 1 + random.below(2);
            Value::from((0..count).map(|_| anything(random, depth - 1)).collect::<Vec<_>>())
        };
        match random.below(5) {
            0 => _ = all.insert("$ref".into(), json!("#/$defs/Other")),
            1 => _ = all.insert("allOf".into(), inner(random)),
            2 => _ = all.insert("anyOf".into(), inner(random)),
            3 => _ = all.insert("oneOf".into(), inner(random)),
            _ => {}
        }
    }
    Value::from(all)
}

/// A schema of a property or an item.
fn leaf(random: &mut Random) -> Value {
    let kinds = [
        json!({ "type": "string" }),
        json!({ "type": "integer" }),
        json!({ "type": ["integer", "null"] }),
        json!({ "enum": ["x", 1] }),
        json!({ "minimum": 2 }),
        json!(true),
        json!(false),
        json!({}),
    ];
    random.pick(&kinds).clone()
}
