//! Types, written shortly.

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::{
    Enum, EnumBase, Field, Handler, IntegerType, Presence, Protocol, Tagging, Type, TypeDef,
    TypeKind, Union,
};

/// The number of an enum's values that are listed beside its name.
const VALUES: usize = 2;

/// A type: `[ContentBlock]`, `string`, `object | null`.
pub(super) fn expression(ty: &Type) -> String {
    match ty {
        Type::Any => "any".into(),
        Type::Null => "null".into(),
        Type::Boolean => "boolean".into(),
        Type::Integer(integer) => integer_name(integer),
        Type::Number(_) => "number".into(),
        Type::String(_) => "string".into(),
        Type::Literal { value } => printable(&value.to_string()).into_owned(),
        Type::Array(array) => format!("[{}]", expression(&array.items)),
        Type::Map(map) if *map.values == Type::Any => "object".into(),
        Type::Map(map) => format!("{{string: {}}}", expression(&map.values)),
        Type::Nullable { inner } => format!("{} | null", expression(inner)),
        Type::Named { name } => printable(name).into_owned(),
    }
}

/// The type of a field: `ContentBlock`, `StopReason (end_turn | max_tokens | …)`, with its null
/// and its default.
pub(super) fn field_type(field: &Field, protocol: &Protocol) -> String {
    let mut text = expression(&field.ty);
    if let Type::Named { name } = &field.ty
        && let Some(TypeKind::Enum(values)) = protocol.type_def(name).map(|def| &def.kind)
    {
        text.push_str(&format_values(values));
    }
    if field.presence.is_nullable() {
        text.push_str(" | null");
    }
    if let Some(default) = &field.default {
        text.push_str(" = ");
        text.push_str(&printable(&default.to_string()));
    }
    text
}

/// The name of a field, with a question mark if it may be absent.
pub(super) fn field_name(field: &Field) -> String {
    let optional = matches!(field.presence, Presence::Optional | Presence::OptionalNullable);
    format!("{}{}", printable(&field.name.wire), if optional { "?" } else { "" })
}

/// A handler: `agent`, `either side`.
pub(super) fn handler_words(handler: &Handler) -> String {
    match handler {
        Handler::Side { name } => printable(name).into_owned(),
        Handler::Either => "either side".into(),
        Handler::Protocol => "the connection".into(),
    }
}

/// The kind of a type in a few words: `record of 3 fields`, `open enum of 5`.
pub(super) fn kind(def: &TypeDef) -> String {
    match &def.kind {
        TypeKind::Record(record) => match record.fields.len() {
            0 => "empty record".into(),
            1 => "record of 1 field".into(),
            fields => format!("record of {fields} fields"),
        },
        TypeKind::Union(union) => union_kind(union),
        TypeKind::Enum(Enum { base, values, open }) => {
            let open = if open.is_some() { "open " } else { "" };
            let base = match base {
                EnumBase::String => "enum",
                EnumBase::Integer(_) => "integer enum",
            };
            format!("{open}{base} of {}", values.len())
        }
        TypeKind::Tuple(tuple) => {
            let open = if tuple.rest.is_some() { "open " } else { "" };
            format!("{open}tuple of {}", tuple.items.len())
        }
        TypeKind::Alias { target } => expression(target),
    }
}

fn union_kind(union: &Union) -> String {
    let open = if union.open.is_some() { "open " } else { "" };
    let variants = union.variants.len();
    match &union.tagging {
        Tagging::Internal { property } => {
            format!("{open}union of {variants} by `{}`", printable(&property.wire))
        }
        Tagging::Shape => format!("{open}union of {variants} by shape"),
    }
}

fn format_values(values: &Enum) -> String {
    let mut shown: Vec<String> = values
        .values
        .iter()
        .take(VALUES)
        .map(|value| printable(&value.name.wire).into_owned())
        .collect();
    if values.values.len() > VALUES || values.open.is_some() {
        shown.push("…".into());
    }
    format!(" ({})", shown.join(" | "))
}

fn integer_name(integer: &IntegerType) -> String {
    let format = integer.format.and_then(|format| serde_json::to_value(format).ok());
    format.as_ref().and_then(|format| format.as_str()).unwrap_or("integer").to_owned()
}
