//! How the fields of an object are decoded.

use serde::Serialize;
use serde_json::Value;

use super::decoders::{Decoder, DecoderBuilder};
use crate::backend::typescript::literals::literal;
use crate::ir::{Fallback, Field, Leniency, Type};

/// How fields are decoded. What has changed is put into a copy.
#[derive(Debug, Serialize)]
pub(super) struct FieldsModel {
    /// The fields about which there is something to check.
    fields: Vec<FieldDecoder>,
    /// How many of them are decoded. If any, the object may turn out to be wrong when it has
    /// already changed.
    pub(super) decoded: usize,
    /// Whether the object can come out changed.
    pub(super) changes: bool,
}

/// How one field is decoded.
#[derive(Debug, Serialize)]
struct FieldDecoder {
    key: Key,
    /// Whether nothing else would notice that it is not there.
    is_missed: bool,
    /// The expression that an absent field takes.
    default: Option<String>,
    /// Whether nothing is decoded if it is absent, or `null`.
    skips_absent: bool,
    skips_null: bool,
    /// How a value is decoded, unless any will do.
    decoder: Option<Decoder>,
    /// The function that sees to a value that changed or failed.
    reaction: &'static str,
    /// What it puts in place of a value that failed: an expression.
    fallback: Option<String>,
}

/// A property's name.
#[derive(Debug, Serialize)]
pub(super) struct Key {
    literal: String,
    /// Whether every object has one of that name by its prototype, which does not count.
    is_inherited: bool,
}

impl Key {
    pub(super) fn new(builder: &mut DecoderBuilder<'_>, name: &str) -> Self {
        let is_inherited = INHERITED.contains(&name);
        if is_inherited {
            builder.imports.decoding(["own"]);
        }
        Self { literal: literal(name), is_inherited }
    }
}

/// The properties of `Object.prototype`.
const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

impl FieldsModel {
    pub(super) fn new(builder: &mut DecoderBuilder<'_>, fields: &[Field]) -> Self {
        builder.imports.decoding(["isObject", "mismatch"]);
        let mut decoders = Vec::with_capacity(fields.len());
        for field in fields {
            let place = field.name.camel();
            let decoder = if field.leniency.skip_invalid_items {
                builder.lenient(&field.ty, &place)
            } else {
                builder.decoder(&field.ty, &place)
            };
            let is_free = !field.presence.is_required() && field.default.is_none();
            if !(is_free && decoder.is_any()) {
                decoders.push((field, decoder));
            }
        }
        let fields: Vec<FieldDecoder> = decoders
            .into_iter()
            .map(|(field, decoder)| FieldDecoder::new(builder, field, decoder))
            .collect();
        let decoded = fields.iter().filter(|field| field.decoder.is_some()).count();
        if decoded > 0 {
            builder.imports.decoding(["FAIL"]);
        }
        let changes = decoded > 0 || fields.iter().any(|field| field.default.is_some());
        Self { fields, decoded, changes }
    }
}

impl FieldDecoder {
    fn new(builder: &mut DecoderBuilder<'_>, field: &Field, decoder: Decoder) -> Self {
        let is_required = field.presence.is_required();
        let default = field.default.as_ref().filter(|_| !is_required).map(|default| {
            builder.imports.decoding(["fill"]);
            default_value(builder, field, default, &decoder)
        });
        // Decoding itself notices what is not there, unless anything will do or is forgiven.
        let is_missed = is_required && (decoder.is_any() || field.leniency.on_error.is_some());
        if is_missed {
            builder.imports.decoding(["missing"]);
        }
        let (reaction, fallback) =
            if decoder.is_any() { ("", None) } else { reaction(builder, field, &decoder) };
        Self {
            key: Key::new(builder, &field.name.wire),
            is_missed,
            skips_absent: !is_required && default.is_none(),
            skips_null: field.presence.is_nullable(),
            default,
            decoder: Some(decoder).filter(|decoder| !decoder.is_any()),
            reaction,
            fallback,
        }
    }
}

/// The function that sees to a value that changed or failed, and what it puts in place of one
/// that failed.
fn reaction(
    builder: &mut DecoderBuilder<'_>,
    field: &Field,
    decoder: &Decoder,
) -> (&'static str, Option<String>) {
    let Leniency { on_error, on_null, .. } = &field.leniency;
    let (function, fallback) = match (on_error, on_null) {
        (Some(fallback), _) => ("forgive", Some(fallback)),
        (None, Some(fallback)) => ("forgiveNull", Some(fallback)),
        (None, None) => ("put", None),
    };
    builder.imports.decoding([function]);
    let value = fallback.and_then(|fallback| match fallback {
        Fallback::Value { value } => Some(value),
        Fallback::Absent => field.default.as_ref().filter(|_| !field.presence.is_required()),
    });
    (function, value.map(|value| default_value(builder, field, value, decoder)))
}

/// A default as an expression. Within records, defaults are filled in.
fn default_value(
    builder: &mut DecoderBuilder<'_>,
    field: &Field,
    value: &Value,
    decoder: &Decoder,
) -> String {
    let fresh = builder.fresh(value);
    let is_whole = matches!(value, Value::Array(items) if items.is_empty())
        || !matches!(value, Value::Array(_) | Value::Object(_))
        || holds_no_record(builder, &field.ty);
    match &decoder.function {
        Some(function) if !is_whole => {
            let given = [fresh, String::from("context")];
            let arguments: Vec<String> =
                given.into_iter().chain(decoder.arguments.iter().cloned()).collect();
            format!("{function}({})", arguments.join(", "))
        }
        _ => fresh,
    }
}

/// Whether a value of the type has no fields in it that could have defaults, as far as is seen
/// at once.
fn holds_no_record(builder: &DecoderBuilder<'_>, ty: &Type) -> bool {
    match builder.scope.protocol.resolve(ty) {
        Type::Array(array) => holds_no_record(builder, &array.items),
        Type::Map(map) => holds_no_record(builder, &map.values),
        Type::Nullable { inner } => holds_no_record(builder, inner),
        Type::Named { .. } => false,
        _ => true,
    }
}
