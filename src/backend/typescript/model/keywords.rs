//! Keywords that restrict values, as arguments of the functions that decode these.

use serde::Serialize;

use crate::backend::typescript::literals::{self, at_least, at_most};
use crate::ir::{IntegerType, KeyChoice, KeyRules, NumberType, StringType};
use crate::pattern::{Syntax, spell};

/// The rules for the keys of an object, as an object of JavaScript.
pub(super) fn key_rules(rules: &KeyRules) -> String {
    let bounds = |low: Option<u64>, high: Option<u64>| {
        let low = low.map(|low| format!("minimum: {low}"));
        low.into_iter().chain(high.map(|high| format!("maximum: {high}")))
    };
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| literals::literal(name)).collect();
        format!("[{}]", names.join(", "))
    };
    let object = |members: Vec<String>| match members.as_slice() {
        [] => String::from("{}"),
        _ => format!("{{ {} }}", members.join(", ")),
    };
    let mut members: Vec<String> = bounds(rules.min_properties, rules.max_properties).collect();
    if !rules.dependent.is_empty() {
        let each = rules.dependent.iter();
        let each = each.map(|(key, it)| format!("{}: {}", literals::object_key(key), list(it)));
        members.push(format!("dependent: {}", object(each.collect())));
    }
    if !rules.choices.is_empty() {
        let choice = |choice: &KeyChoice| {
            let sets: Vec<String> = choice.sets.iter().map(|set| list(set)).collect();
            let expected = literals::literal(&choice.expected());
            let only_one = choice.only_one.then(|| String::from("onlyOne: true"));
            let sets = [format!("expected: {expected}"), format!("sets: [{}]", sets.join(", "))];
            object(sets.into_iter().chain(only_one).collect())
        };
        let choices: Vec<String> = rules.choices.iter().map(choice).collect();
        members.push(format!("choices: [{}]", choices.join(", ")));
    }
    if let Some(names) = &rules.names {
        let listed = names.listed.as_ref().map(|names| format!("listed: {}", list(names)));
        let pattern = names.text.checked_pattern().map(|it| format!("pattern: {}", pattern(it)));
        let said = bounds(names.text.min_length, names.text.max_length);
        let said = said.chain(listed).chain(pattern);
        members.push(format!("names: {}", object(said.collect())));
    }
    object(members)
}

/// A constant of rules that decoders look at.
#[derive(Debug, Serialize)]
pub(super) struct RulesConstant {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: &'static str,
    pub value: String,
}

/// A pattern, as a call.
pub(super) fn pattern(source: &str) -> String {
    let spelled = spell(source, Syntax::JavaScript);
    let spelled = Some(spelled).filter(|spelled| spelled != source);
    let arguments = [source].into_iter().chain(spelled.as_deref()).map(literals::literal);
    format!("pattern({})", arguments.collect::<Vec<_>>().join(", "))
}

/// The largest integer up to which a JavaScript number is exact.
const SAFE: i128 = (1 << 53) - 1;

/// The bounds of an integer, those of its format and of JavaScript included.
pub(super) fn integer_bounds(integer: &IntegerType) -> Vec<String> {
    let (low, high) = integer.range();
    if low <= -SAFE && high >= SAFE {
        return Vec::new();
    }
    vec![at_least(low.max(-SAFE)), at_most(high.min(SAFE))]
}

pub(super) fn number_bounds(number: &NumberType) -> Vec<String> {
    match (number.minimum, number.maximum) {
        (None, None) => Vec::new(),
        (Some(low), None) => vec![literals::number(low)],
        (low, Some(high)) => {
            vec![
                low.map_or_else(|| String::from("undefined"), literals::number),
                literals::number(high),
            ]
        }
    }
}

pub(super) fn string_bounds(string: &StringType) -> Vec<String> {
    length_bounds(string.min_length, string.max_length)
}

pub(super) fn length_bounds(low: Option<u64>, high: Option<u64>) -> Vec<String> {
    let low = low.unwrap_or(0);
    match high {
        None if low == 0 => Vec::new(),
        None => vec![low.to_string()],
        Some(high) => vec![low.to_string(), high.to_string()],
    }
}
