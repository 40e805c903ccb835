//! Python literals.

use serde_json::{Number, Value};

use crate::pattern::{Syntax, spell};

/// A string, with the quotes that a formatter would choose. Everything outside printable ASCII
/// is escaped.
pub(super) fn string(text: &str) -> String {
    let count = |quote: char| text.chars().filter(|character| *character == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push(quote);
    for character in text.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ if character == quote => {
                literal.push('\\');
                literal.push(quote);
            }
            ' '..='~' => literal.push(character),
            _ => literal.push_str(&escape(u32::from(character))),
        }
    }
    literal.push(quote);
    literal
}

/// A pattern of the schema, for `re`.
pub(super) fn pattern_of(source: &str) -> String {
    pattern(&spell(source, Syntax::Python))
}

/// A pattern as `re` reads it: raw, where it can be.
pub(super) fn pattern(spelled: &str) -> String {
    let quotes = ['"', '\''].map(|quote| spelled.contains(quote));
    match quotes {
        [false, _] => format!("r\"{spelled}\""),
        [true, false] => format!("r'{spelled}'"),
        [true, true] => string(spelled),
    }
}

fn escape(code_point: u32) -> String {
    match code_point {
        0..=0xff => format!("\\x{code_point:02x}"),
        0x100..=0xffff => format!("\\u{code_point:04x}"),
        _ => format!("\\U{code_point:08x}"),
    }
}

/// A number. An integer keeps its digits.
pub(super) fn number(number: &Number) -> String {
    if let Some(float) = number.as_f64().filter(|_| number.is_f64()) {
        // Rust and Python agree on this form, and it always has a point or an exponent.
        return format!("{float:?}");
    }
    number.to_string()
}

/// A whole number, also where JSON spells it with a fraction of zero.
pub(super) fn integer(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => format!("{float:.0}"),
        None => number.to_string(),
    }
}

/// A constant that has a literal of its own: not an array or object.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::from("None")),
        Value::Bool(true) => Some(String::from("True")),
        Value::Bool(false) => Some(String::from("False")),
        Value::Number(value) => Some(number(value)),
        Value::String(text) => Some(string(text)),
        Value::Array(_) | Value::Object(_) => None,
    }
}
