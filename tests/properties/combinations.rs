//! What stands at one place: random keywords beside each other, judged by a validator.

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use serde_json::{Value, json};

use super::random_schemas::{anything, container, containers, schema, values};
use super::support::{self, Random};

/// How the decoders judge values of schemas, where the validator is right.
#[derive(Debug, Default)]
struct Tally {
    /// Both say the same of all values.
    exact: usize,
    /// What is not valid is taken, and a warning says so.
    wider: usize,
    /// It is taken without a word.
    silent: Vec<String>,
    /// What is valid is refused.
    narrower: Vec<String>,
    /// Nothing is generated.
    refused: Vec<String>,
}

fn judge(document: &Value, values: &[Value], tally: &mut Tally) {
    let mut whole = document["$defs"]["It"].clone();
    whole["$defs"] = document["$defs"].clone();
    let validator = jsonschema::validator_for(&whole).unwrap();
    let lowered = support::lowered("random.json", &document.to_string());
    let shown = document["$defs"].to_string();
    let made = lowered.protocol.as_ref().filter(|protocol| protocol.type_def("It").is_some());
    let Some(protocol) = made else {
        // What no value fits is an error, or left out.
        let codes = lowered.codes();
        if !codes.contains(&"unsatisfiable") || values.iter().any(|it| validator.is_valid(it)) {
            tally.refused.push(format!("{shown} {codes:?}"));
        }
        return;
    };
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    let ty = Type::Named { name: String::from("It") };
    let (mut narrower, mut wider) = (Vec::new(), Vec::new());
    for value in values {
        match (validator.is_valid(value), decoder.decode(&ty, value).is_ok()) {
            (true, false) => narrower.push(value),
            (false, true) => wider.push(value),
            _ => {}
        }
    }
    let told =
        lowered.codes().iter().any(|code| ["unenforced-keyword", "unmodelled"].contains(code));
    match (narrower.is_empty(), wider.is_empty()) {
        (false, _) => tally.narrower.push(format!("{shown} {narrower:?}")),
        (true, true) => tally.exact += 1,
        (true, false) if told => tally.wider += 1,
        (true, false) => tally.silent.push(format!("{shown} {wider:?}")),
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
        judge(&document, &values(), &mut tally);
    }
    tally.check();
}

#[test]
fn what_is_said_of_keys_and_items_is_exact_or_wider_and_said() {
    let mut tally = Tally::default();
    let mut random = Random(43);
    for _ in 0..2000 {
        let document = json!({ "title": "Random", "$defs": { "It": container(&mut random, 1) } });
        judge(&document, &containers(), &mut tally);
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
        judge(&document, &values, &mut tally);
    }
    tally.check();
}

impl Tally {
    fn check(&self) {
        let Tally { exact, wider, silent, narrower, refused } = self;
        let counts = [*exact, *wider, silent.len(), narrower.len(), refused.len()];
        eprintln!("exact, wider, silent, narrower, refused: {counts:?}");
        let shown = |all: &[String]| all.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
        let text = format!(
            "silent\n{}\nnarrower\n{}\nrefused\n{}",
            shown(silent),
            shown(narrower),
            shown(refused)
        );
        assert!(
            silent.is_empty() && narrower.is_empty() && refused.is_empty(),
            "{counts:?}\n{text}"
        );
    }
}
