//! The decode plan's own interpreter, as one more language.

use acp_bindgen::Protocol;
use acp_bindgen::decode::{
    DecodeError, DecodePlan, Decoder, Mode, Remark, RemarkKind, UnknownFields,
};
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
    entries.iter().map(|entry| answer(&decoder, mode, entry)).collect()
}

/// Asserts that an examination comes to the same end as decoding, and forgives only what it says.
fn agrees(
    decoder: &Decoder<'_>,
    mode: Mode,
    outcome: &Result<Value, DecodeError>,
    ty: &Type,
    value: &Value,
) {
    let examined = decoder.examine(ty, value);
    assert_eq!(examined.value.as_ref(), outcome.as_ref().ok(), "{ty:?}: {value}");
    let refused = examined.remarks.iter().find_map(|remark| match &remark.kind {
        RemarkKind::Refused(refusal) => Some((remark.path(), refusal)),
        _ => None,
    });
    let error = outcome.as_ref().err();
    assert_eq!(refused.as_ref().map(|(path, _)| path.clone()), error.map(DecodeError::path));
    if let Some(((path, refusal), error)) = refused.zip(error) {
        let said = (&refusal.expected, &refusal.found);
        assert_eq!(said, (&error.expected, &error.found), "{ty:?} at {path}: {value}");
    }
    let forgives = |remark: &Remark| matches!(remark.kind, RemarkKind::Forgiven { .. });
    assert!(mode == Mode::Lenient || !examined.remarks.iter().any(forgives), "{ty:?}: {value}");
}

fn answer(decoder: &Decoder<'_>, mode: Mode, entry: &Entry) -> Answer {
    let refused =
        |path: String, error: String| Answer { ok: false, value: Value::Null, path, error };
    let value: Value = match serde_json::from_str(&entry.raw) {
        Ok(value) => value,
        Err(error) => return refused(String::new(), error.to_string()),
    };
    let ty = Type::Named { name: entry.type_name.clone() };
    let outcome = decoder.decode(&ty, &value);
    agrees(decoder, mode, &outcome, &ty, &value);
    match outcome {
        Ok(value) => Answer { ok: true, value, path: String::new(), error: String::new() },
        Err(error) => refused(error.path(), error.to_string()),
    }
}
