//! The decode plan's own interpreter, as one more language.

use acp_bindgen::Protocol;
use acp_bindgen::decode::{
    DecodeError, DecodePlan, Decoder, Mode, Remark, RemarkKind, UnknownFields,
};
use acp_bindgen::ir::Type;
use acp_bindgen::source::{self, ParseErrorKind, SourceText, Sources};
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
    let refused = |path: String, error: String| Answer {
        ok: false,
        value: Value::Null,
        path,
        error,
        line: String::new(),
    };
    let value = match read(&entry.raw) {
        Ok(value) => value,
        Err((path, error)) => return refused(path, error),
    };
    let ty = Type::Named { name: entry.type_name.clone() };
    let outcome = decoder.decode(&ty, &value);
    agrees(decoder, mode, &outcome, &ty, &value);
    match outcome {
        Ok(value) => {
            let line = value.to_string();
            Answer { ok: true, value, path: String::new(), error: String::new(), line }
        }
        Err(error) => refused(error.path(), error.to_string()),
    }
}

/// `/a/1` as `a[1]`.
fn path_of(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1).map(|step| match step.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{step}"),
    });
    steps.collect::<String>().trim_start_matches('.').to_owned()
}

/// Reads a text as `validate` does, but that it forgives a key that is there twice.
fn read(text: &str) -> Result<Value, (String, String)> {
    let mut sources = Sources::default();
    let source = sources.add(SourceText::new("message", text));
    let (node, errors) = source::parse(&sources, source);
    let is_fatal =
        |error: &&source::ParseError| !matches!(error.kind, ParseErrorKind::DuplicateKey { .. });
    if let Some(error) = errors.iter().find(is_fatal) {
        return Err((path_of(&error.location.pointer), format!("{:?}", error.kind)));
    }
    Ok(node.expect("there is no other error").to_value())
}
