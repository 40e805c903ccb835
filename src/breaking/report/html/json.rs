//! JSON in colours.

use serde::Serialize;

/// A piece of a line of JSON, with the class that colours it; empty for none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Token {
    /// The class.
    pub(super) class: &'static str,
    /// The text.
    pub(super) text: String,
}

/// Takes a line apart. What is no JSON is text without a colour.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (class, length) = next(rest);
        let (text, after) = rest.split_at(length);
        match tokens.last_mut() {
            Some(last) if last.class == class => last.text.push_str(text),
            _ => tokens.push(Token { class, text: visible(text) }),
        }
        rest = after;
    }
    tokens
}

/// The class and the length of the first token, which is not empty.
fn next(text: &str) -> (&'static str, usize) {
    let Some(first) = text.chars().next() else { return ("", 0) };
    if first == '"' {
        let length = string(text);
        let is_key = text.get(length..).is_some_and(|after| after.trim_start().starts_with(':'));
        return (if is_key { "key" } else { "string" }, length);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if is_word(first) {
        return ("constant", text.find(|c| !is_word(c)).unwrap_or(text.len()));
    }
    let plain = |c: char| c != '"' && !is_word(c);
    ("", text.find(|c| !plain(c)).unwrap_or(text.len()))
}

/// The length of a string with its quotes, or of the rest where it does not end.
fn string(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The text with what would not show itself written out.
fn visible(text: &str) -> String {
    crate::diagnostic::printable(&text.replace('\t', "  ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_strings_and_constants_are_told_apart() {
        let classes = |line: &str| -> Vec<(&str, String)> {
            tokens(line).into_iter().map(|token| (token.class, token.text)).collect()
        };
        assert_eq!(
            classes(r#"  "a\"": ["b", -1.5e3, true],"#),
            [
                ("", "  ".into()),
                ("key", r#""a\"""#.into()),
                ("", ": [".into()),
                ("string", r#""b""#.into()),
                ("", ", ".into()),
                ("constant", "-1.5e3".into()),
                ("", ", ".into()),
                ("constant", "true".into()),
                ("", "],".into()),
            ]
        );
        assert_eq!(classes("\"open"), [("string", "\"open".into())]);
        assert_eq!(classes("é"), [("", "é".into())]);
    }
}
