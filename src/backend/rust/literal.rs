//! Literals.

/// A string literal, for any text. What a reader of the code could not see, or could be deceived
/// by, is escaped.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            ' '..='~' => literal.push(character),
            _ if character.is_alphanumeric() => literal.push(character),
            _ => literal.extend(character.escape_unicode()),
        }
    }
    literal.push('"');
    literal
}

/// A constant that is no array or object. `null` is the unit.
#[cfg(feature = "cli")]
pub(super) fn constant(value: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    match value {
        Value::Null => Some(String::from("()")),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => number.as_i128().map(integer).or(number.as_f64().map(float)),
        Value::String(text) => Some(string(text)),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// A text on one line, without what a reader could not see.
pub(super) fn printable(text: &str) -> String {
    let words = text.split(|next: char| next.is_whitespace() || next.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// An integer literal, its digits in groups of three.
pub(super) fn integer(number: i128) -> String {
    let digits = grouped(&number.unsigned_abs().to_string());
    if number < 0 { format!("-{digits}") } else { digits }
}

/// A literal of a number of 64 bits, its digits in groups of three.
pub(super) fn float(number: f64) -> String {
    let text = format!("{number:?}");
    if text.contains('e') {
        return text;
    }
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    format!("{sign}{}.{}", grouped(whole), grouped_from_start(fraction))
}

fn grouped(digits: &str) -> String {
    if digits.len() <= 4 {
        return digits.to_owned();
    }
    let first = (digits.len() - 1) % 3 + 1;
    let (head, tail) = digits.split_at(first);
    format!("{head}_{}", grouped_from_start(tail))
}

fn grouped_from_start(digits: &str) -> String {
    if digits.len() <= 4 {
        return digits.to_owned();
    }
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % 3 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_literal() {
        assert_eq!(string("a\"b\\c\n"), r#""a\"b\\c\n""#);
        assert_eq!(string("\0\u{202e}é"), "\"\\u{0}\\u{202e}é\"");
        for hostile in ["\"; panic!(); \"", "*/", "${x}", "\u{2028}\r"] {
            let literal: syn::LitStr = syn::parse_str(&string(hostile)).unwrap();
            assert_eq!(literal.value(), hostile);
        }
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(integer(4096), "4096");
        assert_eq!(integer(65_535), "65_535");
        assert_eq!(integer(-4_294_967_295), "-4_294_967_295");
        assert_eq!(float(0.5), "0.5");
        assert_eq!(float(1.0), "1.0");
        assert_eq!(float(12_345.678_912), "12_345.678_912");
    }
}
