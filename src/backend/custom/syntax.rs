//! The syntax filters that templates can name: those of the languages of this program, and those
//! that other languages can share.

use std::fmt::Write as _;

use serde_json::Value;

use crate::backend::syntax::SyntaxFilters;
use crate::backend::{python, rust, typescript};
use crate::ir::Name;

const ALL: [SyntaxFilters; 5] = [
    rust::SYNTAX,
    typescript::SYNTAX,
    python::SYNTAX,
    SyntaxFilters {
        id: "json",
        ident: plain_ident,
        literal: |value| Some(value.to_string()),
        doc: no_comment,
    },
    SyntaxFilters { id: "c", ident: plain_ident, literal: c_literal, doc: c_comment },
];

/// The filters of a language. The error names all languages that have some.
pub(super) fn syntax(id: &str) -> Result<SyntaxFilters, String> {
    ALL.into_iter().find(|filters| filters.id == id).ok_or_else(|| {
        let ids = ALL.map(|filters| filters.id);
        format!("no syntax is called `{id}`; there are {}", ids.join(", "))
    })
}

/// Any text as letters, digits and `_`, as it is where it consists of nothing else.
pub(super) fn letters(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    Name::new(text).snake()
}

fn plain_ident(word: &str) -> String {
    let digit = word.starts_with(|first: char| first.is_ascii_digit());
    if digit { format!("_{word}") } else { word.to_owned() }
}

/// JSON has no comments.
fn no_comment(_: &str) -> Vec<String> {
    Vec::new()
}

/// Strings in double quotes with `\uXXXX` and `\UXXXXXXXX`, as Go and C# take them; C, where it
/// needs no universal name for a control character.
fn c_literal(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text,
        Value::Array(_) | Value::Object(_) => return None,
        other => return Some(other.to_string()),
    };
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(character),
            '\u{10000}'.. => drop(write!(out, "\\U{:08x}", u32::from(character))),
            _ => drop(write!(out, "\\u{:04x}", u32::from(character))),
        }
    }
    out.push('"');
    Some(out)
}

/// Lines that begin with `//`. None ends a block comment, or goes on in the next line.
fn c_comment(text: &str) -> Vec<String> {
    typescript::comment_lines(text)
        .into_iter()
        .map(|line| match line.as_str() {
            "" => String::from("//"),
            line if line.ends_with('\\') => format!("// {line}."),
            line => format!("// {line}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn c_text_is_harmless() {
        let literal = |text: &str| c_literal(&json!(text)).unwrap();
        assert_eq!(literal("a\"\\\n\0é\u{202e}😀"), r#""a\"\\\n\u0000\u00e9\u202e\U0001f600""#);
        assert_eq!(c_literal(&json!(-1.5)).as_deref(), Some("-1.5"));
        assert_eq!(c_literal(&json!([])), None);
        assert_eq!(c_comment("a */ b\n\nc\u{2028}d\\"), ["// a *\\/ b", "//", "// c", "// d\\."]);
    }

    #[test]
    fn any_text_becomes_an_identifier() {
        for id in ["rust", "typescript", "python", "c"] {
            let filters = syntax(id).unwrap();
            for text in ["a b; drop", "2x", "class", "", "é", "self", "*/", "A\"b"] {
                let ident = (filters.ident)(&letters(text));
                let rest = ident.strip_prefix("r#").unwrap_or(&ident);
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                assert!(!rest.is_empty() && rest.chars().all(is_word), "{id}: {ident}");
                assert!(!rest.starts_with(|first: char| first.is_ascii_digit()), "{id}: {ident}");
            }
        }
        assert_eq!((syntax("rust").unwrap().ident)("type"), "r#type");
        assert_eq!((syntax("python").unwrap().ident)("class"), "class_");
        assert_eq!((syntax("typescript").unwrap().ident)("new"), "new_");
        assert!(syntax("cobol").is_err());
    }
}
