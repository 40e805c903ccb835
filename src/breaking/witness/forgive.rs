//! What a receiver makes of a value if it forgives what its schema says it may.

use serde_json::{Map, Value};

use crate::breaking::shape::{Kind, resolve};
use crate::ir::{Fallback, Field, Leniency, Protocol, Type, Union};

/// Reads a value the way generated decoders do. Gives it as it was understood, or why it was not.
pub(super) fn forgive(protocol: &Protocol, ty: &Type, value: &Value) -> Result<Value, String> {
    forgive_beyond(protocol, ty, value, &[])
}

/// The same for a value that is being read as these unions: one that is a variant of itself adds
/// nothing.
fn forgive_beyond(
    protocol: &Protocol,
    ty: &Type,
    value: &Value,
    open: &[&Union],
) -> Result<Value, String> {
    let resolved = resolve(protocol, ty);
    if resolved.nullable && value.is_null() {
        return Ok(Value::Null);
    }
    match (resolved.kind, value) {
        (Kind::Array(array), Value::Array(items)) => {
            let count = items.len() as u64;
            let enough = array.min_items.is_none_or(|low| count >= low)
                && array.max_items.is_none_or(|high| count <= high);
            if !enough {
                return Err(format!("{count} items are not as many as there have to be"));
            }
            items.iter().map(|item| forgive(protocol, &array.items, item)).collect()
        }
        (Kind::Map(map), Value::Object(members)) => members
            .iter()
            .map(|(name, member)| {
                forgive(protocol, &map.values, member).map(|value| (name.clone(), value))
            })
            .collect::<Result<Map<_, _>, _>>()
            .map(Value::Object),
        (Kind::Record(record), Value::Object(members)) => {
            forgive_fields(protocol, &record.fields, members.clone()).map(Value::Object)
        }
        (Kind::Union(union), _) if open.iter().any(|other| std::ptr::eq(*other, union)) => {
            Err("no other variant fits".to_owned())
        }
        (Kind::Union(union), value) => forgive_union(protocol, union, value, open),
        (Kind::Record(_) | Kind::Array(_) | Kind::Map(_), _) => {
            Err(format!("expected {}", resolved.kind.describe()))
        }
        _ => crate::lower::fits(protocol, value, ty).map(|()| value.clone()),
    }
}

fn forgive_fields(
    protocol: &Protocol,
    fields: &[Field],
    mut members: Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    for field in fields {
        let name = &field.name.wire;
        let Some(value) = members.get(name) else {
            if field.presence.is_required() {
                return Err(format!("`{name}` is missing"));
            }
            continue;
        };
        if value.is_null() && field.presence.is_nullable() {
            continue;
        }
        let Leniency { on_error, on_null, skip_invalid_items } = &field.leniency;
        let kept = match (resolve(protocol, &field.ty).kind, value) {
            (Kind::Array(array), Value::Array(items)) if *skip_invalid_items => {
                let good =
                    items.iter().filter_map(|item| forgive(protocol, &array.items, item).ok());
                let good = Value::Array(good.collect());
                forgive(protocol, &field.ty, &good)
            }
            _ => forgive(protocol, &field.ty, value),
        };
        let fallback = if value.is_null() {
            on_null.as_ref().or(on_error.as_ref())
        } else {
            on_error.as_ref()
        };
        match (kept, fallback) {
            (Ok(value), _) => {
                members.insert(name.clone(), value);
            }
            (Err(_), Some(Fallback::Absent)) => {
                members.shift_remove(name);
            }
            (Err(_), Some(Fallback::Value { value })) => {
                members.insert(name.clone(), value.clone());
            }
            (Err(problem), None) => return Err(format!("`{name}`: {problem}")),
        }
    }
    Ok(members)
}

fn forgive_union(
    protocol: &Protocol,
    union: &Union,
    value: &Value,
    open: &[&Union],
) -> Result<Value, String> {
    let within: Vec<&Union> = open.iter().copied().chain([union]).collect();
    let mut value = value.clone();
    if !union.shared.is_empty() {
        let Value::Object(members) = value else { return Err("expected an object".to_owned()) };
        value = Value::Object(forgive_fields(protocol, &union.shared, members)?);
    }
    let payload = |ty: Option<&Type>| match ty {
        Some(ty) => forgive_beyond(protocol, ty, &value, &within),
        None => Ok(value.clone()),
    };
    let tag = union.tag().and_then(|tag| value.get(&tag.wire)).and_then(Value::as_str);
    if let Some((_, variant)) = tag.and_then(|tag| union.tagged().find(|(known, _)| *known == tag))
    {
        return payload(variant.payload.as_ref());
    }
    let open =
        union.open.as_ref().filter(|_| tag.is_some()).map(|open| payload(open.payload.as_ref()));
    let untagged = union.untagged().map(|variant| payload(variant.payload.as_ref()));
    let mut readings = open.into_iter().chain(untagged);
    readings.find_map(Result::ok).ok_or_else(|| "no variant fits".to_owned())
}
