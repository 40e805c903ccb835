//! Rules for the keys of an object.

use serde_json::{Map, Value};

use super::error::DecodeError;
use super::mode::Mode;
use super::scalar::{is_other, is_within, looked_at, sized};
use crate::ir::{KeyNames, KeyRules};

/// Checks the keys of an object, its values aside.
pub(super) fn check(
    rules: &KeyRules,
    found: &Map<String, Value>,
    mode: Mode,
) -> Result<(), DecodeError> {
    let (low, high) = (rules.min_properties, rules.max_properties);
    if !is_within(found.len(), low, high) {
        return Err(DecodeError::new(sized("properties", low, high), &Value::from(found.len())));
    }
    for (key, wanted) in &rules.dependent {
        let mut wanted = wanted.iter().filter(|_| found.contains_key(key));
        if let Some(missing) = wanted.find(|it| !found.contains_key(*it)) {
            return Err(DecodeError::missing().in_key(missing));
        }
    }
    for choice in &rules.choices {
        let count = choice.count(|key| found.contains_key(key));
        if count == 0 || choice.only_one && count > 1 {
            let found = if count == 0 { "none of them" } else { "more" };
            return Err(DecodeError::described(choice.expected(), found));
        }
    }
    let Some(names) = rules.names.as_ref().filter(|_| mode != Mode::Lenient) else { return Ok(()) };
    match found.iter().find(|(key, _)| !is_allowed(names, key, mode)) {
        Some((key, value)) => Err(DecodeError::new("no property of this name", value).in_key(key)),
        None => Ok(()),
    }
}

fn is_allowed(names: &KeyNames, key: &str, mode: Mode) -> bool {
    let text = &names.text;
    let pattern = looked_at(text, mode);
    names.listed.as_ref().is_none_or(|listed| listed.iter().any(|it| it == key))
        && is_within(key.chars().count(), text.min_length, text.max_length)
        && !pattern.is_some_and(|pattern| is_other(pattern, key))
}
