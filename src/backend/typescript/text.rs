//! Text from a schema as TypeScript: string literals, property keys, comments.

use std::fmt::Write;

use serde_json::Value;

use crate::backend::doc::columns::plain;
use crate::source::plain_text;

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

/// Whether the text can stand as a property's name without quotes.
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

/// The lines of a description, harmless within `/** … */`.
///
/// A comment's end, and an `@` that would begin a tag, are escaped; control and direction
/// characters are dropped. Blank lines at either end are left out.
pub(in crate::backend) fn comment_lines(description: &str) -> Vec<String> {
    let lines: Vec<String> = plain_text(description).split('\n').map(comment_line).collect();
    let Some(first) = lines.iter().position(|line| !line.is_empty()) else { return Vec::new() };
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
    lines.into_iter().take(last + 1).skip(first).collect()
}

fn comment_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\t' => out.push(' '),
            '/' if out.ends_with('*') => out.push_str("\\/"),
            '@' if begins_tag(&out, characters.peek().copied()) => out.push_str("\\@"),
            _ => out.push(character),
        }
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    out
}

/// Whether an `@` after this text and before this character is the beginning of a tag.
fn begins_tag(before: &str, next: Option<char>) -> bool {
    let starts = before.chars().next_back().is_none_or(|last| last.is_whitespace() || last == '{');
    starts && next.is_some_and(|next| !next.is_whitespace())
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

    use super::{comment_lines, constant, is_identifier, key, literal, object_key};

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

    #[test]
    fn comments_cannot_be_ended_or_tagged_from_within() {
        assert_eq!(comment_lines("a */ b"), ["a *\\/ b"]);
        assert_eq!(comment_lines("*\u{202e}/"), ["*\\/"]);
        assert_eq!(comment_lines("**/"), ["**\\/"]);
        assert_eq!(
            comment_lines("@deprecated no @see x, a@b, {@link x} @ y"),
            ["\\@deprecated no \\@see x, a@b, {\\@link x} @ y"]
        );
        assert_eq!(comment_lines("\n\r\n a  \r\tb\u{2028}c\0\u{7}\n\n"), [" a", " b", "c"]);
        assert!(comment_lines(" \n ").is_empty());
    }
}
