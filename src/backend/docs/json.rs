//! JSON as people read it, laid out as formatters lay it out.

use std::fmt::Write as _;

use serde_json::Value;

use crate::source::plain_text;

/// The widest line of an array that stands on one.
const WIDTH: usize = 80;

/// A piece of JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name in an object, with its quotes.
    Key,
    /// A string, with its quotes.
    String,
    /// A number, a boolean or `null`.
    Constant,
    /// Everything else.
    Layout,
}

/// A value on several lines, in pieces.
pub(super) fn pretty(value: &Value) -> Vec<(Token, String)> {
    let mut pieces = Vec::new();
    layout(value, 0, 0, &mut pieces);
    pieces
}

/// A value on one line.
pub(super) fn compact(value: &Value) -> String {
    inline(value).into_iter().map(|(_, text)| text).collect()
}

/// A string with quotes, in which nothing hides.
pub(super) fn string(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    let mut harmless = String::with_capacity(quoted.len());
    for character in quoted.chars() {
        let mut units = [0; 2];
        if plain_text(character.encode_utf8(&mut [0; 4])) == character.to_string()
            && character != '\t'
        {
            harmless.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(harmless, "\\u{unit:04x}");
            }
        }
    }
    harmless
}

/// Writes a value that begins `column` characters into a line, `before` of them indentation.
fn layout(value: &Value, depth: usize, column: usize, pieces: &mut Vec<(Token, String)>) {
    let plain = |text: String| (Token::Layout, text);
    let (open, close, count) = match value {
        Value::Object(members) if !members.is_empty() => ("{", "}", members.len()),
        Value::Array(items) if !items.is_empty() => {
            let on_one_line = inline(value);
            let width: usize = on_one_line.iter().map(|(_, text)| text.chars().count()).sum();
            if items.iter().all(is_simple) && column + width < WIDTH {
                return pieces.extend(on_one_line);
            }
            ("[", "]", items.len())
        }
        _ => return pieces.extend(inline(value)),
    };
    let indent = "  ".repeat(depth + 1);
    pieces.push(plain(format!("{open}\n")));
    let mut member = |index: usize, key: Option<&str>, value: &Value| {
        pieces.push(plain(indent.clone()));
        let mut column = indent.len();
        if let Some(key) = key {
            let key = string(key);
            column += key.chars().count() + 2;
            pieces.push((Token::Key, key));
            pieces.push(plain(": ".into()));
        }
        layout(value, depth + 1, column, pieces);
        pieces.push(plain(if index + 1 < count { ",\n".into() } else { "\n".into() }));
    };
    match value {
        Value::Object(members) => {
            for (index, (key, value)) in members.iter().enumerate() {
                member(index, Some(key), value);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| member(index, None, item));
        }
        _ => {}
    }
    pieces.push(plain(format!("{}{close}", "  ".repeat(depth))));
}

/// Tells whether a value never takes several lines.
fn is_simple(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.iter().all(is_simple),
        _ => true,
    }
}

fn inline(value: &Value) -> Vec<(Token, String)> {
    let layout = |text: &str| (Token::Layout, text.to_owned());
    match value {
        Value::String(text) => vec![(Token::String, string(text))],
        Value::Array(items) => {
            let mut pieces = vec![layout("[")];
            for (index, item) in items.iter().enumerate() {
                pieces.extend((index > 0).then(|| layout(", ")));
                pieces.extend(inline(item));
            }
            pieces.push(layout("]"));
            pieces
        }
        Value::Object(members) if members.is_empty() => vec![layout("{}")],
        Value::Object(members) => {
            let mut pieces = vec![layout("{ ")];
            for (index, (key, value)) in members.iter().enumerate() {
                pieces.extend((index > 0).then(|| layout(", ")));
                pieces.extend([(Token::Key, string(key)), layout(": ")]);
                pieces.extend(inline(value));
            }
            pieces.push(layout(" }"));
            pieces
        }
        constant => vec![(Token::Constant, constant.to_string())],
    }
}
