//! The decode plan's own interpreter, as one more language.

use acp_bindgen::Protocol;
use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use serde_json::Value;

use super::corpus::Entry;
use super::run::Answer;

/// One answer for each entry, in order.
pub(crate) fn answers(
    protocol: &Protocol,
    unknown: UnknownFields,
    strict: bool,
    entries: &[&Entry],
) -> Vec<Answer> {
    let plan = DecodePlan::new(protocol, unknown);
    let mode = if strict { Mode::Strict } else { Mode::Lenient };
    let decoder = Decoder::new(protocol, &plan, mode);
    entries.iter().map(|entry| answer(&decoder, entry)).collect()
}

fn answer(decoder: &Decoder<'_>, entry: &Entry) -> Answer {
    let refused =
        |path: String, error: String| Answer { ok: false, value: Value::Null, path, error };
    let value: Value = match serde_json::from_str(&entry.raw) {
        Ok(value) => value,
        Err(error) => return refused(String::new(), error.to_string()),
    };
    let ty = Type::Named { name: entry.type_name.clone() };
    match decoder.decode(&ty, &value) {
        Ok(value) => Answer { ok: true, value, path: String::new(), error: String::new() },
        Err(error) => refused(error.path(), error.to_string()),
    }
}
