//! Inputs: two texts, each meant to be a schema.

use serde_json::{Value, json};

use super::bases::Bases;
use super::edit::{edit, garble};
use crate::mutations::mutated;
use crate::support::Random;

/// Two texts that are compared, the second of which is also generated from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) old: String,
    pub(crate) new: String,
    /// True if the second is what an author could have made of the first. More can then be asked of
    /// the comparison.
    pub(crate) is_sensible: bool,
}

impl Input {
    /// The input of this number: always the same for a seed.
    pub(crate) fn numbered(bases: &Bases, seed: u64, number: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number << 20));
        // The bundled schemas are large: their turn comes rarely.
        let of = if random.once_in(40) { &bases.large } else { &bases.small };
        let mut old = random.pick(of).clone();
        let is_sensible = random.once_in(4);
        if is_sensible {
            let new = mutated(&old, &mut random);
            return Self { old: old.to_string(), new: new.to_string(), is_sensible };
        }
        if random.once_in(4) {
            edit(&mut old, bases, &mut random);
        }
        let mut new = old.clone();
        edit(&mut new, bases, &mut random);
        let mut text = new.to_string();
        if random.once_in(12) {
            text = garble(&text, &mut random);
        }
        Self { old: old.to_string(), new: text, is_sensible }
    }

    /// As a file of the corpus.
    pub(crate) fn to_text(&self, found: &str) -> String {
        // What reads back as the same text is easier to read as a value.
        let value = |text: &String| {
            let value: Option<Value> = serde_json::from_str(text).ok();
            let spelled = value.as_ref().map(Value::to_string);
            value
                .filter(|_| spelled.as_ref() == Some(text))
                .unwrap_or_else(|| json!({ "text": text }))
        };
        let (old, new) = (value(&self.old), value(&self.new));
        let input = json!({ "found": found, "sensible": self.is_sensible, "old": old, "new": new });
        format!("{input:#}\n")
    }

    /// Reads a file of the corpus.
    pub(crate) fn parse(text: &str) -> Self {
        let input: Value = serde_json::from_str(text).unwrap();
        let text = |name: &str| {
            let value = &input[name];
            let text =
                value.get("text").filter(|_| value.as_object().is_some_and(|it| it.len() == 1));
            text.and_then(Value::as_str).map_or_else(|| value.to_string(), str::to_owned)
        };
        Self { old: text("old"), new: text("new"), is_sensible: input["sensible"] == true }
    }
}
