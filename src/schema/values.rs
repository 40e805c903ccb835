//! Whether values fit what schemas say of values, and which are the same.

use serde_json::{Number, Value};

use super::{Bounds, JsonType, SchemaObject};
use crate::ir::is_multiple;

/// Tells whether a value fits a schema of values, as far as it can be told: patterns are not looked
/// at, nor what stands in arrays.
pub(crate) fn fits(value: &Value, schema: &SchemaObject) -> bool {
    let is_type = schema.types.is_empty() || schema.types.iter().any(|ty| is_of(value, *ty));
    let is_constant = schema.constant.as_ref().is_none_or(|it| is_equal(it, value));
    let is_listed = schema
        .enumeration
        .as_ref()
        .is_none_or(|values| values.iter().any(|(it, _)| is_equal(it, value)));
    let is_within = match value {
        Value::Number(number) => {
            let step = schema.multiple_of.as_ref();
            is_between(number, &schema.bounds) && step.is_none_or(|it| is_multiple(number, it))
        }
        Value::String(text) => {
            let length = text.chars().count() as u64;
            schema.min_length.is_none_or(|least| length >= least)
                && schema.max_length.is_none_or(|most| length <= most)
        }
        Value::Array(items) => {
            let count = items.len() as u64;
            schema.min_items.is_none_or(|least| count >= least)
                && schema.max_items.is_none_or(|most| count <= most)
        }
        _ => true,
    };
    schema.boolean != Some(false) && is_type && is_constant && is_listed && is_within
}

fn is_of(value: &Value, ty: JsonType) -> bool {
    match (value, ty) {
        (Value::Null, JsonType::Null)
        | (Value::Bool(_), JsonType::Boolean)
        | (Value::Number(_), JsonType::Number)
        | (Value::String(_), JsonType::String)
        | (Value::Array(_), JsonType::Array)
        | (Value::Object(_), JsonType::Object) => true,
        (Value::Number(number), JsonType::Integer) => {
            number.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

fn is_between(number: &Number, bounds: &Bounds) -> bool {
    let order = |bound: &Option<Number>| bound.as_ref().map(|bound| compare(number, bound));
    order(&bounds.minimum).is_none_or(std::cmp::Ordering::is_ge)
        && order(&bounds.maximum).is_none_or(std::cmp::Ordering::is_le)
        && order(&bounds.exclusive_minimum).is_none_or(std::cmp::Ordering::is_gt)
        && order(&bounds.exclusive_maximum).is_none_or(std::cmp::Ordering::is_lt)
}

/// Tells whether two values are the same JSON: `1` and `1.0` are.
pub(super) fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other).is_eq(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| {
                    other.get(name).is_some_and(|other| is_equal(value, other))
                })
        }
        (one, other) => one == other,
    }
}

pub(super) fn compare(one: &Number, other: &Number) -> std::cmp::Ordering {
    if let (Some(one), Some(other)) = (one.as_i128(), other.as_i128()) {
        return one.cmp(&other);
    }
    let [one, other] = [one, other].map(|it| it.as_f64().unwrap_or_default());
    one.partial_cmp(&other).unwrap_or(std::cmp::Ordering::Equal)
}
