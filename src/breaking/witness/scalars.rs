//! Values without parts: the smallest, and those around their edges.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::decode::{Mode, scalar};
use crate::ir::{IntegerType, NumberType, StringType};
use crate::pattern;

/// The most texts that are made for a pattern.
const MOST: usize = 64;

/// A value of each JSON type.
pub(super) fn any() -> [Value; 6] {
    [json!({}), json!("text"), json!(1), json!(true), json!([]), Value::Null]
}

fn number_value(number: f64) -> Value {
    // `0` rather than `0.0`: the same number, as people write it.
    #[allow(clippy::cast_possible_truncation, reason = "only whole numbers in range get here")]
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

pub(super) fn nearest_to_zero(integer: &IntegerType) -> Option<Value> {
    let (low, high) = integer.range();
    let value: i128 = 0.clamp(low, high.max(low));
    let step = i128::from(integer.multiple_of.unwrap_or(1));
    let over = value.rem_euclid(step);
    let up = if over == 0 { value } else { value - over + step };
    integer_value(if up <= high { up } else { value - over })
}

fn integer_value(value: i128) -> Option<Value> {
    serde_json::Number::from_i128(value).map(Value::Number)
}

/// The ends of an integer's range, and what lies between.
pub(super) fn edges(integer: &IntegerType) -> Vec<Value> {
    let (low, high) = integer.range();
    let candidates =
        [0, 1, -1, 2, integer.minimum.unwrap_or(low), integer.maximum.unwrap_or(high), low, high];
    let step = i128::from(integer.multiple_of.unwrap_or(1));
    let candidates = candidates.into_iter().chain([1, 2, 3, 5, -1].map(|times| times * step));
    let within = candidates.filter(|value| (low..=high).contains(value) && value % step == 0);
    within.filter_map(integer_value).collect()
}

/// Values around the edges of a number's range, those nearest to zero first.
pub(super) fn numbers(number: &NumberType) -> Vec<Value> {
    let edges = [number.minimum, number.maximum, number.above, number.below];
    let around = edges.into_iter().flatten().flat_map(|edge| [edge, edge - 0.5, edge + 0.5]);
    let steps = number.multiple_of.into_iter().flat_map(|step| [1.0, 2.0, 3.0].map(|it| it * step));
    let mut all: Vec<f64> = [0.0, 0.5, 0.123, -1.5, 1e3, -1e3, 1e9, -1e9]
        .into_iter()
        .chain(around)
        .chain(steps)
        .collect();
    all.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let values = all.into_iter().map(number_value);
    values.filter(|value| scalar::number(value, number).is_ok()).collect()
}

/// The shortest text.
pub(super) fn sample(string: Option<&StringType>) -> Option<Value> {
    let takes_empty = |it: &StringType| it.pattern.is_none() && it.min_length.unwrap_or(0) == 0;
    let Some(string) = string.filter(|it| !takes_empty(it)) else { return Some(json!("")) };
    texts(Some(string)).into_iter().min_by_key(|text| text.to_string().len())
}

/// Texts that tell most patterns apart.
const PROBES: [&str; 12] = ["", "a", "A", "0", "-1", " ", "_", "a b", "A0", "é", "/", "a.b"];

/// Texts of the lengths that matter, and one that no enum lists; where there is a pattern, texts
/// that match it.
pub(super) fn texts(string: Option<&StringType>) -> Vec<Value> {
    let Some(string) = string else { return vec![json!("unlisted"), json!("")] };
    let (least, most) = (string.min_length.unwrap_or(0), string.max_length.unwrap_or(u64::MAX));
    let lengths = [least, 1, 8, most].into_iter().filter(|length| (least..=most).contains(length));
    let text = |length: u64| usize::try_from(length).ok().filter(|length| *length <= 10_000);
    let mut found: Vec<String> = lengths
        .filter_map(text)
        .map(|length| "unlisted".repeat(length / 8 + 1)[..length].to_owned())
        .collect();
    found.extend(PROBES.map(str::to_owned));
    found.extend(string.pattern.iter().flat_map(|pattern| pattern::texts(pattern, MOST)));
    let mut seen = HashSet::new();
    found.retain(|text| seen.insert(text.clone()));
    let values = found.into_iter().map(Value::from);
    values.filter(|value| is_text(value, string)).collect()
}

/// Tells whether a value is known to be a text of a type.
fn is_text(value: &Value, string: &StringType) -> bool {
    let text = value.as_str().unwrap_or_default();
    let is_known = string.pattern.as_ref().is_none_or(|it| pattern::matches(it, text).is_some());
    is_known && scalar::string(value, string, Mode::Exact).is_ok()
}
