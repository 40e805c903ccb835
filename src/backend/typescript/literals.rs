//! Constants: string literals, property keys, numbers, and JSON values.

use std::fmt::Write;

use serde_json::Value;

use crate::backend::doc::columns::plain;

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{constant, is_identifier, key, literal, object_key};

    #[test]
    fn literals_choose_their_quotes_and_escape_the_rest() {
        assert_eq!(literal("plain"), "\"plain\"");
        assert_eq!(literal("say \"hi\""), "'say \"hi\"'");
        assert_eq!(literal("it's"), "\"it's\"");
        assert_eq!(literal("it's \"a\" and \"b\""), "'it\\'s \"a\" and \"b\"'");
        assert_eq!(literal("'\""), "\"'\\\"\"");
        assert_eq!(literal("a\\b\n\r\t\0"), "\"a\\\\b\\n\\r\\t\\u0000\"");
        assert_eq!(literal("${x} `y`"), "\"${x} `y`\"");
        assert_eq!(literal("\u{202e}\u{2028}\u{1f600}"), "\"\\u202e\\u2028\\ud83d\\ude00\"");
        assert_eq!(literal("größe 完成"), "\"größe 完成\"");
    }

    #[test]
    fn keys_are_bare_where_they_can_be() {
        assert_eq!(key("sessionId"), "sessionId");
        assert_eq!(key("_meta"), "_meta");
        assert_eq!(key("__proto__"), "__proto__");
        assert_eq!(key("class"), "class");
        assert_eq!(key("größe"), "größe");
        assert_eq!(key("a-b"), "\"a-b\"");
        assert_eq!(key("1"), "\"1\"");
        assert_eq!(key(""), "\"\"");
        assert_eq!(key("e\u{301}"), "\"e\\u0301\"");
        assert!(!is_identifier("a b"));
        assert_eq!(object_key("__proto__"), "[\"__proto__\"]");
        assert_eq!(object_key("a/b"), "\"a/b\"");
    }

    #[test]
    fn constants_are_spelled_as_prettier_does() {
        assert_eq!(constant(&json!(-32700)), "-32700");
        assert_eq!(constant(&json!(1.0)), "1");
        assert_eq!(constant(&json!(1.50)), "1.5");
        assert_eq!(constant(&json!(1e21)), "1e21");
        assert_eq!(constant(&json!(true)), "true");
        assert_eq!(constant(&json!(null)), "null");
    }
}
