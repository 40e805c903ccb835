//! Constants: string literals, property keys, numbers, and JSON values.

use std::fmt::Write;

use serde_json::Value;

use crate::backend::doc::columns::plain;
use crate::ir::Name;

/// A TypeScript string literal, in the quotes that prettier prefers: double, unless that takes
/// more escapes. Everything but plain letters, digits and punctuation is escaped.
pub(super) fn literal(value: &str) -> String {
    let double = value.matches('"').count();
    let single = value.matches('\'').count();
    let quote = if double > single { '\'' } else { '"' };
    let mut out = String::with_capacity(value.len() + 2);
    out.push(quote);
    for character in value.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => out.extend(['\\', quote]),
            _ if plain(character).is_some() => out.push(character),
            _ => push_escaped(&mut out, character),
        }
    }
    out.push(quote);
    out
}

/// A property's name in an object: bare where it is an identifier, else a string literal.
pub(super) fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { literal(name) }
}

/// A property's name in an object *literal*, where `__proto__` would be the prototype.
pub(super) fn object_key(name: &str) -> String {
    if name == "__proto__" { String::from("[\"__proto__\"]") } else { key(name) }
}

/// Tells whether the text can stand as a property's name without quotes.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_letter = |character: char| match character {
        '$' | '_' => true,
        _ => character.is_alphabetic() && plain(character).is_some(),
    };
    let mut characters = name.chars();
    characters.next().is_some_and(is_letter)
        && characters.all(|character| is_letter(character) || character.is_ascii_digit())
}

/// How a property of an object is read.
pub(super) fn access(name: &Name) -> String {
    let wire = &name.wire;
    if is_identifier(wire) { format!(".{wire}") } else { format!("[{}]", literal(wire)) }
}

/// A letter or digit that is printed as it is.
pub(super) fn is_plain_letter(character: char) -> bool {
    character.is_alphanumeric() && plain(character).is_some()
}

/// A constant as a literal type or expression.
pub(super) fn constant(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        Value::Number(number) => number_text(number),
        other => other.to_string(),
    }
}

/// A constant that is no array or object, as an expression.
pub(super) fn scalar(value: &Value) -> Option<String> {
    (!value.is_array() && !value.is_object()).then(|| constant(value))
}

/// A number in prettier's spelling: no trailing zeros after the point, no `+` in the exponent.
fn number_text(number: &serde_json::Number) -> String {
    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return trim_zeros(&text).to_owned();
    };
    format!("{}e{}", trim_zeros(mantissa), exponent.trim_start_matches('+'))
}

fn trim_zeros(mantissa: &str) -> &str {
    if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    }
}

/// A JSON value as an expression that makes it anew: an array or object by the runtime's `fresh`.
pub(super) fn fresh(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => String::from("[]"),
        Value::Object(members) if members.is_empty() => String::from("{}"),
        Value::Array(_) | Value::Object(_) => format!("fresh({})", literal(&value.to_string())),
        // A number that JavaScript does not hold is written as the one that it does.
        Value::Number(whole) if !whole.is_f64() => number(whole.as_f64().unwrap_or_default()),
        scalar => constant(scalar),
    }
}

/// A number as JavaScript holds it: of all that are not above the limit, the largest.
pub(super) fn at_most(limit: i128) -> String {
    #[allow(clippy::cast_precision_loss, reason = "what it rounds to is looked at")]
    let mut nearest = limit as f64;
    #[allow(clippy::cast_possible_truncation, reason = "a bound is far from the end of the type")]
    if nearest as i128 > limit {
        nearest = nearest.next_down();
    }
    number(nearest)
}

/// A number as JavaScript holds it: of all that are not below the limit, the smallest.
pub(super) fn at_least(limit: i128) -> String {
    match at_most(-limit) {
        zero if zero == "0" => zero,
        positive => match positive.strip_prefix('-') {
            Some(negated) => negated.to_owned(),
            None => format!("-{positive}"),
        },
    }
}

/// A number, as prettier writes it.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e21 { format!("{value}") } else { format!("{value:e}") }
}

/// A character as JavaScript and JSON escape it.
pub(super) fn push_escaped(out: &mut String, character: char) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}
