//! Defaults: each must be a value of its field's type.

use serde_json::{Number, Value};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{EnumBase, Field, IntegerType, Protocol, Record, Type, TypeKind, Union};

/// Reports every default that its own field would reject.
pub(super) fn check(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    for def in protocol.types.values() {
        let fields: &[Field] = match &def.kind {
            TypeKind::Record(record) => &record.fields,
            TypeKind::Union(union) => &union.shared,
            TypeKind::Enum(_) | TypeKind::Alias { .. } => &[],
        };
        for field in fields {
            if let Some(value) = &field.default {
                let nullable = field.presence.is_nullable() && value.is_null();
                if !nullable && let Err(problem) = fits(protocol, value, &field.ty) {
                    diagnostics.push(
                        Diagnostic::error(
                            "invalid-default",
                            format!(
                                "the default of {}.{} is not a value of its type: {problem}",
                                def.name.wire, field.name.wire
                            ),
                        )
                        .at(field.place.clone())
                        .help("correct the default, or the type"),
                    );
                }
            }
        }
    }
}

/// Whether a JSON value is one of a type, without any leniency; if not, where and why.
///
/// This is the same judgement that generated decoders make.
pub(crate) fn fits(protocol: &Protocol, value: &Value, ty: &Type) -> Result<(), String> {
    fits_beyond(protocol, value, ty, &[])
}

/// The same for a value that is being read as these unions: one that is a variant of itself adds
/// nothing.
fn fits_beyond(
    protocol: &Protocol,
    value: &Value,
    ty: &Type,
    open: &[&Union],
) -> Result<(), String> {
    let expected = |what: &str| Err(format!("expected {what}, found {}", describe(value)));
    let require = |holds: bool, what: &str| if holds { Ok(()) } else { expected(what) };
    match ty {
        Type::Any => Ok(()),
        Type::Null => require(value.is_null(), "null"),
        Type::Boolean => require(value.is_boolean(), "a boolean"),
        Type::Integer(integer) => require(is_integer(value, integer), "an integer in range"),
        Type::Number(number) => {
            let within = |value: f64| {
                number.minimum.is_none_or(|low| value >= low)
                    && number.maximum.is_none_or(|high| value <= high)
            };
            require(value.as_f64().is_some_and(within), "a number in range")
        }
        Type::String(string) => {
            let within = |text: &str| {
                let length = text.chars().count() as u64;
                string.min_length.is_none_or(|low| length >= low)
                    && string.max_length.is_none_or(|high| length <= high)
            };
            require(value.as_str().is_some_and(within), "a string of the right length")
        }
        Type::Literal { value: constant } => require(value == constant, &constant.to_string()),
        Type::Array(array) => {
            let Value::Array(items) = value else { return expected("an array") };
            let count = items.len() as u64;
            let within = array.min_items.is_none_or(|low| count >= low)
                && array.max_items.is_none_or(|high| count <= high);
            require(within, "an array of the right length")?;
            items.iter().try_for_each(|item| fits(protocol, item, &array.items))
        }
        Type::Map(map) => {
            let Value::Object(members) = value else { return expected("an object") };
            members.values().try_for_each(|member| fits(protocol, member, &map.values))
        }
        Type::Nullable { inner } => {
            if value.is_null() {
                Ok(())
            } else {
                fits_beyond(protocol, value, inner, open)
            }
        }
        Type::Named { name } => match protocol.types.get(name).map(|def| &def.kind) {
            Some(kind) => fits_kind(protocol, value, kind, open),
            None => Ok(()),
        },
    }
}

fn fits_kind(
    protocol: &Protocol,
    value: &Value,
    kind: &TypeKind,
    open: &[&Union],
) -> Result<(), String> {
    match kind {
        TypeKind::Alias { target } => fits_beyond(protocol, value, target, open),
        TypeKind::Record(Record { fields, .. }) => fits_fields(protocol, value, fields),
        TypeKind::Union(union) if open.iter().any(|other| std::ptr::eq(*other, union)) => {
            Err("no other variant fits".to_owned())
        }
        TypeKind::Union(union) => fits_union(protocol, value, union, open),
        TypeKind::Enum(of) => {
            let open = of.open.is_some()
                && match &of.base {
                    EnumBase::String => value.is_string(),
                    EnumBase::Integer(integer) => is_integer(value, integer),
                };
            if open || of.values.iter().any(|known| known.value == *value) {
                return Ok(());
            }
            let known: Vec<_> = of.values.iter().map(|known| known.value.to_string()).collect();
            Err(format!("expected one of {}, found {}", known.join(", "), describe(value)))
        }
    }
}

fn fits_fields(protocol: &Protocol, value: &Value, fields: &[Field]) -> Result<(), String> {
    let Value::Object(members) = value else {
        return Err(format!("expected an object, found {}", describe(value)));
    };
    for field in fields {
        match members.get(&field.name.wire) {
            None if field.presence.is_required() => {
                return Err(format!("`{}` is missing", field.name.wire));
            }
            None => {}
            Some(Value::Null) if field.presence.is_nullable() => {}
            Some(member) => fits(protocol, member, &field.ty)
                .map_err(|problem| format!("in `{}`: {problem}", field.name.wire))?,
        }
    }
    Ok(())
}

fn fits_union(
    protocol: &Protocol,
    value: &Value,
    union: &Union,
    open: &[&Union],
) -> Result<(), String> {
    let within: Vec<&Union> = open.iter().copied().chain([union]).collect();
    if !union.shared.is_empty() {
        fits_fields(protocol, value, &union.shared)?;
    }
    let payload =
        |ty: Option<&Type>| ty.map_or(Ok(()), |ty| fits_beyond(protocol, value, ty, &within));
    let tag = union.tag().and_then(|tag| value.get(&tag.wire)).and_then(Value::as_str);
    if let Some((_, variant)) = tag.and_then(|tag| union.tagged().find(|(known, _)| *known == tag))
    {
        return payload(variant.payload.as_ref());
    }
    let open = union.open.as_ref().filter(|_| tag.is_some());
    let found = open.is_some_and(|open| payload(open.payload.as_ref()).is_ok())
        || union.untagged().any(|variant| payload(variant.payload.as_ref()).is_ok());
    if found { Ok(()) } else { Err(format!("no variant fits {}", describe(value))) }
}

fn is_integer(value: &Value, integer: &IntegerType) -> bool {
    let (low, high) = integer.range();
    let whole = match value {
        Value::Number(number) => number.as_i128().or_else(|| whole(number)),
        _ => None,
    };
    whole.is_some_and(|whole| (low..=high).contains(&whole))
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a float cast saturates, and is then out of range"
)]
fn whole(number: &Number) -> Option<i128> {
    number.as_f64().filter(|value| value.fract() == 0.0).map(|value| value as i128)
}

fn describe(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
