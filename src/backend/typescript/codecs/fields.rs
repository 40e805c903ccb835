//! How the fields of an object are decoded.

use serde::Serialize;
use serde_json::Value;

use super::code::{assign, call, fresh, give, read, words};
use super::decoder::{Decoder, Parts};
use crate::backend::doc::{Doc, text};
use crate::backend::typescript::text::literal;
use crate::ir::{Fallback, Field, Leniency, Name, Type};

/// Statements that decode the fields of an object, and put what has changed into a copy.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct Fields {
    /// The fields about which there is something to check.
    pub(super) checked: Vec<FieldCode>,
    /// Whether the object can come out changed.
    pub(super) changes: bool,
    /// Whether it may turn out that it cannot be decoded, once it has changed.
    pub(super) can_fail: bool,
    /// The variables that are declared before: `let field: unknown;`
    pub(super) variables: Vec<&'static str>,
}

/// Statements for one field.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct FieldCode {
    /// `field = value["key"];`
    pub(super) read: String,
    /// `return missing(…);` where nothing else would notice that it is not there.
    pub(super) missing: Option<String>,
    /// `result = fill(…);` where an absent field has a default.
    pub(super) fill: Option<String>,
    /// What must hold of `field` for it to be decoded.
    pub(super) guard: Option<&'static str>,
    /// How it is decoded.
    pub(super) decode: Option<Decode>,
}

/// Statements that decode a value.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct Decode {
    /// `decoded = …;`
    pub(super) decode: String,
    /// `result = put(…);` for a value that changed or failed.
    pub(super) change: String,
}

/// The state in which a field's statements are made.
struct Variables {
    field: &'static str,
    decoded: &'static str,
}

/// Makes the statements for fields.
pub(super) fn fields(parts: &mut Parts<'_>, fields: &[Field]) -> Fields {
    let decoders: Vec<(&Field, Decoder)> = fields
        .iter()
        .map(|field| {
            let place = lower_first(&field.name);
            let decoder = if field.leniency.skip_invalid_items {
                parts.lenient(&field.ty, &place)
            } else {
                parts.decoder(&field.ty, &place)
            };
            (field, decoder)
        })
        .filter(|(field, decoder)| {
            let is_free = !field.presence.is_required() && field.default.is_none();
            !(is_free && matches!(decoder, Decoder::Any))
        })
        .collect();
    let decoded = decoders.iter().filter(|(_, it)| matches!(it, Decoder::Call(..))).count();
    let (hoists_field, hoists_decoded) = (decoders.len() > 1, decoded > 1);
    let variables = Variables {
        field: if hoists_field { "field" } else { "const field" },
        decoded: if hoists_decoded { "decoded" } else { "const decoded" },
    };
    let fields: Vec<FieldCode> = decoders
        .into_iter()
        .map(|(field, decoder)| field_code(parts, field, decoder, &variables))
        .collect();
    let can_fail = fields.iter().any(|field| field.decode.is_some());
    if can_fail {
        parts.used.decoding("FAIL");
    }
    let changes = can_fail || fields.iter().any(|field| field.fill.is_some());
    let declarations = [
        (hoists_field, "let field: unknown;"),
        (hoists_decoded, "let decoded: unknown;"),
        (can_fail, "let result: Members | typeof FAIL = value;"),
        (changes && !can_fail, "let result = value;"),
    ];
    let declared = declarations.into_iter().filter(|(is_needed, _)| *is_needed);
    let variables = declared.map(|(_, declaration)| declaration).collect();
    Fields { checked: fields, changes, can_fail, variables }
}

fn field_code(
    parts: &mut Parts<'_>,
    field: &Field,
    decoder: Decoder,
    variables: &Variables,
) -> FieldCode {
    let key = &field.name.wire;
    let is_any = matches!(decoder, Decoder::Any);
    let fill = field.default.as_ref().filter(|_| !field.presence.is_required()).map(|default| {
        let default = default_value(parts, field, default, &decoder);
        assign("result", call(parts.used.decoding("fill"), change(key, default)), 4)
    });
    // Decoding itself notices what is not there, unless anything will do or is forgiven.
    let unnoticed = is_any || field.leniency.on_error.is_some();
    let missing = (unnoticed && field.presence.is_required()).then(|| {
        let arguments = [text("context"), text(literal(key))];
        give(call(parts.used.decoding("missing"), arguments), 4)
    });
    let nullable = field.presence.is_nullable();
    let guard = match (field.presence.is_required() || fill.is_some(), nullable) {
        (true, false) => None,
        (true, true) => Some("field !== null"),
        (false, false) => Some("field !== undefined"),
        (false, true) => Some("field !== undefined && field !== null"),
    };
    let decode = (!is_any).then(|| {
        let at = if fill.is_some() || guard.is_some() { 4 } else { 2 };
        let (function, fallback) = reaction(parts, field, &decoder);
        let arguments = change(key, text("decoded")).into_iter().chain(fallback);
        Decode {
            change: assign("result", call(function, arguments), at + 2),
            decode: assign(variables.decoded, decoder.call("field"), at),
        }
    });
    FieldCode {
        read: read(variables.field, "value", key, parts.used, 2),
        missing,
        fill,
        guard: guard.filter(|_| decode.is_some()),
        decode,
    }
}

/// The arguments of a function that changes a property.
fn change(key: &str, value: Doc) -> Vec<Doc> {
    let mut arguments = words(["context", "value", "result"]);
    arguments.extend([text(literal(key)), value]);
    arguments
}

/// The function that sees to a value that changed or failed, and what it puts in place of one
/// that failed.
fn reaction(
    parts: &mut Parts<'_>,
    field: &Field,
    decoder: &Decoder,
) -> (&'static str, Option<Doc>) {
    let Leniency { on_error, on_null, .. } = &field.leniency;
    let (function, fallback) = match (on_error, on_null) {
        (Some(fallback), _) => ("forgive", fallback),
        (None, Some(fallback)) => ("forgiveNull", fallback),
        (None, None) => return (parts.used.decoding("put"), None),
    };
    let value = match fallback {
        Fallback::Value { value } => Some(value),
        Fallback::Absent => field.default.as_ref().filter(|_| !field.presence.is_required()),
    };
    let value = value.map(|value| default_value(parts, field, value, decoder));
    (parts.used.decoding(function), value)
}

/// A default as an expression. Within records, defaults are filled in.
fn default_value(parts: &mut Parts<'_>, field: &Field, value: &Value, decoder: &Decoder) -> Doc {
    let fresh = fresh(value, parts.used);
    let is_whole = matches!(value, Value::Array(items) if items.is_empty())
        || !matches!(value, Value::Array(_) | Value::Object(_))
        || holds_no_record(parts, &field.ty);
    match decoder {
        Decoder::Call(function, arguments) if !is_whole => {
            call(function, [fresh, text("context")].into_iter().chain(arguments.iter().cloned()))
        }
        _ => fresh,
    }
}

/// Whether a value of the type has no fields in it that could have defaults, as far as is seen
/// at once.
fn holds_no_record(parts: &Parts<'_>, ty: &Type) -> bool {
    match parts.scope.protocol.resolve(ty) {
        Type::Array(array) => holds_no_record(parts, &array.items),
        Type::Map(map) => holds_no_record(parts, &map.values),
        Type::Nullable { inner } => holds_no_record(parts, inner),
        Type::Named { .. } => false,
        _ => true,
    }
}

/// A field's words as the end of a function's name.
fn lower_first(name: &Name) -> String {
    name.camel()
}
