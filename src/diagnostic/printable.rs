//! Text of a schema on its way to a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::source::is_hidden;

/// The text on one line, with every character that could move the cursor, change colours or
/// reorder text written as an escape (`\u{1b}`).
///
/// ```
/// use acp_bindgen::diagnostic::printable;
///
/// assert_eq!(printable("hello"), "hello");
/// assert_eq!(printable("\u{1b}[31mhello\n"), "\\u{1b}[31mhello\\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            '\r' => safe.push_str("\\r"),
            other if is_unprintable(other) => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(other));
            }
            other => safe.push(other),
        }
    }
    Cow::Owned(safe)
}

/// Tells whether a character acts on a terminal or on the text around it instead of showing
/// itself: control characters (C0, DEL, C1), hidden ones, joiners, line separators.
pub(super) fn is_unprintable(character: char) -> bool {
    character.is_control()
        || is_hidden(character)
        || matches!(character, '\u{200c}' | '\u{200d}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_acts_on_a_terminal_is_spelled_out() {
        assert_eq!(printable("größe ✓"), "größe ✓");
        assert_eq!(
            printable("a\u{1b}[31mb\n\u{9b}2J\u{202e}c"),
            "a\\u{1b}[31mb\\n\\u{9b}2J\\u{202e}c"
        );
    }
}
