//! Python literals.

use serde_json::{Number, Value};

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_cannot_end_early() {
        assert_eq!(string("a\"b"), r#"'a"b'"#);
        assert_eq!(string("a\"b'c"), r#""a\"b'c""#);
        assert_eq!(string("\\"), r#""\\""#);
        assert_eq!(string("\n\u{0}\u{202e}\u{1f600}"), "\"\\n\\x00\\u202e\\U0001f600\"");
        assert_eq!(string("{x}"), "\"{x}\"");
    }

    #[test]
    fn numbers_keep_their_kind() {
        let literal = |value: Value| scalar(&value).unwrap();
        assert_eq!(literal(json!(1)), "1");
        assert_eq!(literal(json!(1.0)), "1.0");
        assert_eq!(literal(json!(1e300)), "1e300");
        assert_eq!(literal(json!(18_446_744_073_709_551_615_u64)), "18446744073709551615");
        assert_eq!(integer(json!(-32000.0).as_number().unwrap()), "-32000");
    }
}
