//! What stands at one place: random keywords beside each other, judged by a validator.

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use serde_json::{Value, json};

use super::random_schemas::{anything, container, containers, schema, values};
use super::random_unions::{nested, value};
use super::support::{self, Random};

/// How the decoders judge values of a schema, where the validator is right.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// Both say the same of all values.
    Exact,
    /// What is not valid is taken, and a warning says so.
    Wider,
    /// It is taken without a word.
    Silent,
    /// What is valid is refused.
    Narrower,
    /// Nothing is generated.
    Refused,
}

fn judge(document: &Value, values: &[Value]) -> Outcome {
    let mut whole = document["$defs"]["It"].clone();
    if whole.is_object() {
        whole["$defs"] = document["$defs"].clone();
    }
    let Ok(validator) = jsonschema::validator_for(&whole) else { return Outcome::Exact };
    let lowered = support::lowered("random.json", &document.to_string());
    let made = lowered.protocol.as_ref().filter(|protocol| protocol.type_def("It").is_some());
    let Some(protocol) = made else {
        // What no value fits is an error, or left out; what takes twice as long at each level, too.
        let codes = lowered.codes();
        let is_impossible = || !values.iter().any(|it| validator.is_valid(it));
        let said = |code: &&str| ["unsatisfiable", "infinite-type"].contains(code);
        let is_right =
            codes.contains(&"doubled-property") || codes.iter().any(said) && is_impossible();
        return if is_right { Outcome::Exact } else { Outcome::Refused };
    };
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    let ty = Type::Named { name: String::from("It") };
    let mut is_wider = false;
    for value in values {
        match (validator.is_valid(value), decoder.decode(&ty, value).is_ok()) {
            (true, false) => return Outcome::Narrower,
            (false, true) => is_wider = true,
            _ => {}
        }
    }
    let told =
        lowered.codes().iter().any(|code| ["unenforced-keyword", "unmodelled"].contains(code));
    match (is_wider, told) {
        (false, _) => Outcome::Exact,
        (true, true) => Outcome::Wider,
        (true, false) => Outcome::Silent,
    }
}

/// Leaves parts of a schema out, and values, as long as the outcome stays the same.
fn shrunk(document: &Value, values: &[Value]) -> String {
    let outcome = judge(document, values);
    let same = |document: &Value, values: &[Value]| judge(document, values) == outcome;
    let one = values.iter().find(|it| same(document, std::slice::from_ref(it)));
    let values: Vec<Value> = one.map_or(values.to_vec(), |one| vec![one.clone()]);
    let mut smallest = document.clone();
    while let Some(smaller) = smaller(&smallest["$defs"])
        .into_iter()
        .map(|it| json!({ "title": "Random", "$defs": it }))
        .find(|it| it["$defs"].get("It").is_some() && same(it, &values))
    {
        smallest = smaller;
    }
    let codes = support::lowered("random.json", &smallest.to_string()).codes();
    format!("{outcome:?} {} {} {codes:?}", smallest["$defs"], Value::from(values))
}

/// The value without one of its parts, each of them.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let without = members.keys().map(|key| {
                let mut less = members.clone();
                less.remove(key);
                Value::from(less)
            });
            let within = members.iter().flat_map(|(key, member)| {
                smaller(member).into_iter().map(|part| {
                    let mut less = members.clone();
                    less.insert(key.clone(), part);
                    Value::from(less)
                })
            });
            without.chain(within).collect()
        }
        Value::Array(items) => {
            let without = (0..items.len()).map(|at| {
                let mut less = items.clone();
                less.remove(at);
                Value::from(less)
            });
            let within = items
                .iter()
                .enumerate()
                .flat_map(|(at, item)| smaller(item).into_iter().map(move |part| (at, part)));
            let within = within.map(|(at, part)| {
                let mut less = items.clone();
                less[at] = part;
                Value::from(less)
            });
            without.chain(within).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn what_stands_at_one_place_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random = Random(41);
    for _ in 0..2000 {
        let other = schema(&mut random, 0);
        let it = schema(&mut random, 2);
        let document = json!({ "title": "Random", "$defs": { "It": it, "Other": other } });
        tally.add(&document, &values());
    }
    tally.check();
}

#[test]
fn what_is_said_of_keys_and_items_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random = Random(43);
    for _ in 0..2000 {
        let document = json!({ "title": "Random", "$defs": { "It": container(&mut random, 1) } });
        tally.add(&document, &containers());
    }
    tally.check();
}

#[test]
fn what_mixes_types_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random = Random(47);
    let values: Vec<Value> = values().into_iter().chain(containers()).collect();
    for _ in 0..2000 {
        let other = anything(&mut random, 0);
        let it = anything(&mut random, 2);
        let document = json!({ "title": "Random", "$defs": { "It": it, "Other": other } });
        tally.add(&document, &values);
    }
    tally.check();
}

#[test]
fn what_is_nested_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random =
        Random(53 + std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0));
    for _ in 0..1500 {
        let other = nested(&mut random, 1);
        let it = nested(&mut random, 2);
        let values: Vec<Value> = (0..30).map(|_| value(&mut random, 3)).collect();
        let document = json!({ "title": "Random", "$defs": { "It": it, "Other": other } });
        tally.add(&document, &values);
    }
    tally.check();
}

/// Schemas that once came out wrong, a line each.
#[test]
fn what_was_wrong_once_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random = Random(59);
    let nested: Vec<Value> = (0..60).map(|_| value(&mut random, 3)).collect();
    let keys = ["a", "b", "c", "kind"];
    let members = [json!("a"), json!("b"), json!("x"), json!(1), json!(2), json!({}), json!(true)];
    let mut object = || {
        let chosen = keys.into_iter().filter(|_| random.once_in(2)).collect::<Vec<_>>();
        let member = |key: &str| (key.to_owned(), random.pick(&members).clone());
        Value::Object(chosen.into_iter().map(member).collect())
    };
    let few: Vec<Value> = (0..300).map(|_| object()).collect();
    let values: Vec<Value> =
        values().into_iter().chain(containers()).chain(nested).chain(few).collect();
    for line in include_str!("found.txt").lines() {
        let it: Value = serde_json::from_str(line).unwrap();
        let document = json!({ "title": "Found", "$defs": { "It": it } });
        tally.add(&document, &values);
    }
    tally.check();
}

/// How many schemas came out how, and those that came out wrong.
#[derive(Default)]
struct Tally {
    exact: usize,
    wider: usize,
    wrong: Vec<(Value, Vec<Value>)>,
}

impl Tally {
    fn add(&mut self, document: &Value, values: &[Value]) {
        match judge(document, values) {
            Outcome::Exact => self.exact += 1,
            Outcome::Wider => self.wider += 1,
            _ => self.wrong.push((document.clone(), values.to_vec())),
        }
    }

    fn check(&self) {
        eprintln!("exact: {}, wider and said: {}", self.exact, self.wider);
        let shown = self.wrong.iter().take(40).map(|(document, values)| shrunk(document, values));
        let shown: Vec<String> = shown.collect();
        assert!(shown.is_empty(), "{} wrong:\n{}", self.wrong.len(), shown.join("\n"));
    }
}
