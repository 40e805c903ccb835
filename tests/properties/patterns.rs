//! Patterns that decoders look at, judged by a JSON Schema validator.

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use acp_bindgen::{Inputs, Patterns, SchemaText};
use serde_json::{Value, json};

use super::random_patterns::{patterns, texts};
use super::support::{self, Random};

/// How many random patterns there are, and how many random texts for each.
const COUNT: (usize, usize) = (600, 40);

#[test]
fn texts_match_as_a_validator_says_or_a_warning_says_that_nothing_is_looked_at() {
    let mut random = Random(71);
    let (mut complaints, mut checked, mut refused) = (Vec::new(), 0, 0);
    for pattern in patterns(&mut random, COUNT.0) {
        let it = json!({ "type": "string", "pattern": pattern });
        let validator = jsonschema::validator_for(&it).unwrap();
        let document = json!({ "title": "Patterns", "$defs": { "It": it } });
        let inputs = Inputs::from(SchemaText::from_value("patterns.json", &document));
        let lowered = support::lowered_from(inputs.patterns(Patterns::Check));
        let is_told = lowered.codes().contains(&"unenforced-keyword");
        checked += usize::from(!is_told);
        let protocol = lowered.protocol.unwrap();
        let plan = DecodePlan::new(&protocol, UnknownFields::Drop);
        let decoder = Decoder::new(&protocol, &plan, Mode::Lenient);
        let ty = Type::Named { name: String::from("It") };
        // To the validator `.` is all but a line feed; to ECMA-262, it ends at each end of a line.
        let has_dot = pattern.replace("\\.", "").contains('.');
        let is_judged = |text: &String| !has_dot || !text.contains(['\r', '\u{2028}']);
        for text in texts(&mut random, COUNT.1).into_iter().filter(is_judged) {
            let value = Value::from(text);
            let is_valid = is_told || validator.is_valid(&value);
            refused += usize::from(!is_valid);
            if decoder.decode(&ty, &value).is_ok() != is_valid {
                complaints.push(format!("{pattern} {value}: valid is {is_valid}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(checked > COUNT.0 / 3, "only {checked} patterns are looked at");
    assert!(refused > 1_000, "only {refused} texts do not match");
}
