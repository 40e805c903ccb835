//! Literals.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A constant that is no array or object, as text. `null` is the unit.
#[cfg(feature = "cli")]
pub(super) fn constant(value: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
    match value {
        Value::Null => Some(String::from("()")),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => number
            .as_i128()
            .map(|it| text(integer(it)))
            .or(number.as_f64().map(|it| text(float(it)))),
        Value::String(text) => Some(Literal::string(text).to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// A text on one line, without what a reader could not see.
pub(super) fn printable(text: &str) -> String {
    let words = text.split(|next: char| next.is_whitespace() || next.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// An integer, its digits in groups of three.
pub(super) fn integer(number: i128) -> TokenStream {
    let digits = number.unsigned_abs().to_string();
    signed(number < 0, &grouped(&digits, digits.len() % 3))
}

/// An integer that nothing beside it gives a type: one of 64 bits where it needs these.
pub(super) fn untyped_integer(number: i64) -> TokenStream {
    if i32::try_from(number).is_ok() {
        return integer(number.into());
    }
    let digits = number.unsigned_abs().to_string();
    signed(number < 0, &(grouped(&digits, digits.len() % 3) + "_i64"))
}

/// A number of 64 bits, its digits in groups of three.
pub(super) fn float(number: f64) -> TokenStream {
    let text = format!("{:?}", number.abs());
    let is_negative = number.is_sign_negative();
    let (digits, exponent) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
    let grouped = match digits.split_once('.') {
        Some((whole, fraction)) => {
            format!("{}.{}", grouped(whole, whole.len() % 3), grouped(fraction, 0))
        }
        None => digits.to_owned(),
    };
    signed(is_negative, &(grouped + exponent))
}

/// A literal with its sign, which is a token of its own.
fn signed(is_negative: bool, digits: &str) -> TokenStream {
    // Digits always are a literal.
    let literal = digits.parse::<Literal>().ok();
    if is_negative { quote!(-#literal) } else { quote!(#literal) }
}

/// Digits in groups of three, of which the first has `first`, or three if that is 0.
fn grouped(digits: &str, first: usize) -> String {
    if digits.len() <= 4 {
        return digits.to_owned();
    }
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % 3 == first {
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
    fn nothing_hides_in_a_literal() {
        let text = |text: &str| Literal::string(text).to_string();
        assert_eq!(text("a\"b\\c\n"), r#""a\"b\\c\n""#);
        assert_eq!(text("\u{1}\u{202e}é"), "\"\\u{1}\\u{202e}é\"");
    }

    #[test]
    fn digits_are_grouped() {
        let shown = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(shown(integer(4096)), "4096");
        assert_eq!(shown(integer(65_535)), "65_535");
        assert_eq!(shown(integer(-4_294_967_295)), "-4_294_967_295");
        assert_eq!(shown(float(0.5)), "0.5");
        assert_eq!(shown(float(1.0)), "1.0");
        assert_eq!(shown(float(-1e300)), "-1e300");
        assert_eq!(shown(float(12_345.678_912)), "12_345.678_912");
        assert_eq!(shown(float(-9.223_372_036_854_776e18)), "-9.223_372_036_854_776e18");
    }
}
