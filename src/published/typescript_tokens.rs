//! The tokens of TypeScript, as far as declarations need them.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    /// The first byte.
    pub(super) start: usize,
    /// The byte after the last.
    pub(super) end: usize,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// The text between quotes, as it is written.
    Text(&'t str),
    /// Any other character.
    Mark(char),
}

impl<'t> Token<'t> {
    pub(super) fn word(self) -> Option<&'t str> {
        if let Kind::Word(word) = self.kind { Some(word) } else { None }
    }

    pub(super) fn text(self) -> Option<&'t str> {
        if let Kind::Text(text) = self.kind { Some(text) } else { None }
    }

    pub(super) fn is(self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(super) fn opens(self) -> bool {
        matches!(self.kind, Kind::Mark('{' | '(' | '['))
    }

    pub(super) fn closes(self) -> bool {
        matches!(self.kind, Kind::Mark('}' | ')' | ']'))
    }
}

/// The tokens of a text, without space and comments.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let (kind, length) = if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if matches!(first, '"' | '\'' | '`') {
            let length = quoted(rest, first);
            let inner = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
            (Some(Kind::Text(inner)), length)
        } else if is_of_word(first) {
            let length = rest.find(|character| !is_of_word(character)).unwrap_or(rest.len());
            (Some(Kind::Word(rest.get(..length).unwrap_or_default())), length)
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            (Some(Kind::Mark(first)), first.len_utf8())
        };
        found.extend(kind.map(|kind| Token { kind, start: at, end: at + length }));
        at += length;
    }
    found
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The length of a string with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
