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
    append(value, Some(Start { depth: 0, column: 0 }), &mut pieces);
    pieces
}

/// A value on one line.
pub(super) fn compact(value: &Value) -> String {
    let mut pieces = Vec::new();
    append(value, None, &mut pieces);
    pieces.into_iter().map(|(_, text)| text).collect()
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

/// The start of a value that may take several lines.
#[derive(Clone, Copy)]
struct Start {
    /// The number of values around it.
    depth: usize,
    /// The number of characters before it on its line.
    column: usize,
}

/// Writes a value, on several lines if it has a start.
fn append(value: &Value, start: Option<Start>, pieces: &mut Vec<(Token, String)>) {
    let (open, close, members): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
        Value::Object(members) => {
            ('{', '}', members.iter().map(|(key, member)| (Some(key), member)).collect())
        }
        Value::String(text) => return pieces.push((Token::String, string(text))),
        constant => {
            // Formatters write no sign where it is `+`.
            return pieces.push((Token::Constant, constant.to_string().replace("e+", "e")));
        }
    };
    let breaks = |start: &Start| !members.is_empty() && !fits(value, start.column);
    let depth = start.filter(breaks).map(|start| start.depth);
    let (before, between, after) = if let Some(depth) = depth {
        let indent = format!("\n{}", "  ".repeat(depth + 1));
        (indent.clone(), format!(",{indent}"), format!("\n{}", "  ".repeat(depth)))
    } else {
        let space = if value.is_object() && !members.is_empty() { " " } else { "" };
        (space.to_owned(), ", ".to_owned(), space.to_owned())
    };
    pieces.push((Token::Layout, format!("{open}{before}")));
    for (index, (key, member)) in members.into_iter().enumerate() {
        if index > 0 {
            pieces.push((Token::Layout, between.clone()));
        }
        let mut column = before.len().saturating_sub(1);
        if let Some(key) = key.map(String::as_str).map(string) {
            column += key.chars().count() + 2;
            pieces.extend([(Token::Key, key), (Token::Layout, ": ".to_owned())]);
        }
        let start = depth.map(|depth| Start { depth: depth + 1, column });
        append(member, start, pieces);
    }
    pieces.push((Token::Layout, format!("{after}{close}")));
}

/// Tells whether a value that begins at this column goes on one line: an array of what never takes
/// several lines does, if there is room.
fn fits(value: &Value, column: usize) -> bool {
    value.is_array() && is_simple(value) && column + compact(value).chars().count() < WIDTH
}

/// Tells whether a value never takes several lines.
fn is_simple(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => !is_table(items) && items.iter().all(is_simple),
        _ => true,
    }
}

/// Tells whether items are several arrays of several items each: formatters give each a line.
fn is_table(items: &[Value]) -> bool {
    let has_several = |item: &Value| item.as_array().is_some_and(|items| items.len() > 1);
    items.len() > 1 && items.iter().all(has_several)
}
