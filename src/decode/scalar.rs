//! Values without parts, and the bounds of those with parts.

use std::collections::HashSet;

use serde_json::{Number, Value};

use super::error::{DecodeError, one_of};
use super::mode::Mode;
use super::plan::Listed;
use crate::ir::{Enum, EnumBase, IntegerType, NumberType, StringType, is_multiple_of};

type Result<T = Value> = std::result::Result<T, DecodeError>;

pub(crate) fn null(value: &Value) -> Result {
    if value.is_null() { Ok(Value::Null) } else { Err(DecodeError::new("null", value)) }
}

pub(crate) fn boolean(value: &Value) -> Result {
    if value.is_boolean() { Ok(value.clone()) } else { Err(DecodeError::new("a boolean", value)) }
}

/// Decodes a whole number; one that is written as a fraction (`1.0`) is encoded without it.
pub(crate) fn integer(value: &Value, integer: &IntegerType, mode: Mode) -> Result {
    let (low, high) = match mode {
        Mode::Lenient | Mode::Strict => integer.range(),
        Mode::Exact => (integer.minimum.unwrap_or(i128::MIN), integer.maximum.unwrap_or(i128::MAX)),
    };
    match value.as_number().and_then(whole) {
        None => Err(DecodeError::new("an integer", value)),
        Some(number) if (low..=high).contains(&number) => {
            let step = integer.multiple_of.map(i128::from);
            if let Some(step) = step.filter(|step| number % step != 0) {
                return Err(DecodeError::new(format!("a multiple of {step}"), value));
            }
            Ok(Number::from_i128(number).map_or_else(|| value.clone(), Value::Number))
        }
        Some(_) => {
            let bound = |bound: i128| Some(bound).filter(|it| ![i128::MIN, i128::MAX].contains(it));
            Err(DecodeError::new(format!("a number{}", within(bound(low), bound(high))), value))
        }
    }
}

pub(crate) fn number(value: &Value, number: &NumberType) -> Result {
    let Some(found) = value.as_f64() else { return Err(DecodeError::new("a number", value)) };
    // As `{:?}` writes them: `1e300`, not three hundred digits.
    let shown = |bound: f64| format!("{bound:?}").trim_end_matches(".0").to_owned();
    let (low, high) = (number.minimum, number.maximum);
    let expected = if low.is_some_and(|low| found < low) || high.is_some_and(|high| found > high) {
        format!("a number{}", within(low.map(shown), high.map(shown)))
    } else if let Some(bound) = number.above.filter(|bound| found <= *bound) {
        format!("a number above {}", shown(bound))
    } else if let Some(bound) = number.below.filter(|bound| found >= *bound) {
        format!("a number below {}", shown(bound))
    } else if let Some(step) = number.multiple_of.filter(|step| !is_multiple_of(found, *step)) {
        format!("a multiple of {}", shown(step))
    } else {
        return Ok(value.clone());
    };
    Err(DecodeError::new(expected, value))
}

/// Decodes a string. Its length is counted in code points.
pub(crate) fn string(value: &Value, string: &StringType, mode: Mode) -> Result {
    let Some(text) = value.as_str() else { return Err(DecodeError::new("a string", value)) };
    let (low, high) = (string.min_length, string.max_length);
    if !(low.is_none() && high.is_none() || is_within(text.chars().count(), low, high)) {
        let found = Value::from(text.chars().count());
        return Err(DecodeError::new(sized("characters", low, high), &found));
    }
    match looked_at(string, mode).filter(|pattern| is_other(pattern, text)) {
        Some(pattern) => Err(DecodeError::new(matching(pattern), value)),
        None => Ok(value.clone()),
    }
}

/// The pattern that a decoder looks at, if there is one.
pub(super) fn looked_at(string: &StringType, mode: Mode) -> Option<&str> {
    match mode {
        Mode::Lenient | Mode::Strict => string.checked_pattern(),
        Mode::Exact => string.pattern.as_deref(),
    }
}

/// Names the strings that match a pattern.
pub(crate) fn matching(pattern: &str) -> String {
    format!("a string that matches `{pattern}`")
}

/// Tells whether a text is known not to match a pattern.
#[cfg(feature = "patterns")]
pub(super) fn is_other(pattern: &str, text: &str) -> bool {
    crate::pattern::matches(pattern, text) == Some(false)
}

#[cfg(not(feature = "patterns"))]
pub(super) fn is_other(_: &str, _: &str) -> bool {
    false
}

/// The items of an array.
pub(crate) fn array(value: &Value, is_unique: bool, mode: Mode) -> Result<&[Value]> {
    let Value::Array(items) = value else { return Err(DecodeError::new("an array", value)) };
    if is_unique && mode == Mode::Exact {
        distinct(items)?;
    }
    Ok(items)
}

/// Checks that no item is there twice: `1` and `1.0` are the same.
pub(crate) fn distinct(items: &[Value]) -> Result<()> {
    let mut seen = HashSet::with_capacity(items.len());
    if items.iter().all(|item| seen.insert(spelling(item))) {
        return Ok(());
    }
    Err(DecodeError::new("items that all differ", &Value::Array(Vec::new())))
}

/// A text of a value that is that of its equals alone.
fn spelling(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            whole(number).map_or_else(|| number.to_string(), |number| number.to_string())
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spelling).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let spelled = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), spelling(value))
            };
            let mut members: Vec<String> = members.iter().map(spelled).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// Checks that an array has neither too few items nor too many.
pub(crate) fn count(count: usize, low: Option<u64>, high: Option<u64>) -> Result<()> {
    if is_within(count, low, high) {
        return Ok(());
    }
    Err(DecodeError::new(sized("items", low, high), &Value::from(count)))
}

pub(crate) fn literal(value: &Value, constant: &Value) -> Result {
    if is_same(value, constant) {
        return Ok(constant.clone());
    }
    Err(DecodeError::new(constant.to_string(), value))
}

pub(super) fn enumeration(
    value: &Value,
    values: &Enum,
    listed: Option<&Listed>,
    mode: Mode,
) -> Result {
    if let Some(known) = known(value, values, listed) {
        return Ok(known.clone());
    }
    if let Some(open) = &values.open {
        return match &values.base {
            EnumBase::String => string(value, &open.text, mode),
            EnumBase::Integer(base) => integer(value, base, mode),
        };
    }
    Err(DecodeError::new(one_of(values.values.iter().map(|known| &known.value)), value))
}

/// Tells whether a value is one that an enum names.
pub(super) fn is_known(value: &Value, values: &Enum, listed: Option<&Listed>) -> bool {
    known(value, values, listed).is_some()
}

fn known<'e>(value: &Value, values: &'e Enum, listed: Option<&Listed>) -> Option<&'e Value> {
    if let (Value::String(text), Some(listed)) = (value, listed) {
        return listed.get(text).and_then(|at| values.values.get(*at)).map(|known| &known.value);
    }
    values.values.iter().map(|known| &known.value).find(|known| is_same(value, known))
}

/// Tells whether two JSON values are the same: numbers by value, objects in any order.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || whole(one).is_some_and(|number| whole(other) == Some(number))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|it| is_same(one, it)))
        }
        _ => one == other,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a float cast saturates, and is then out of range"
)]
fn whole(number: &Number) -> Option<i128> {
    let float = || number.as_f64().filter(|value| value.fract() == 0.0);
    number.as_i128().or_else(|| float().map(|value| value as i128))
}

pub(super) fn is_within(length: usize, low: Option<u64>, high: Option<u64>) -> bool {
    let length = length as u64;
    low.is_none_or(|low| length >= low) && high.is_none_or(|high| length <= high)
}

/// `1 to 6 items`
pub(super) fn sized(unit: &str, low: Option<u64>, high: Option<u64>) -> String {
    let low = low.unwrap_or_default();
    high.map_or_else(|| format!("{low} or more {unit}"), |high| format!("{low} to {high} {unit}"))
}

/// ` from 1 to 6`
fn within(low: Option<impl ToString>, high: Option<impl ToString>) -> String {
    match (low.map(|low| low.to_string()), high.map(|high| high.to_string())) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => String::new(),
    }
}
