//! Foreign text made plain: the one list of characters that hide or direct others.

/// Tells whether a character only hides or directs others: bidirectional controls, invisible
/// characters and tags. Joiners, which scripts and emoji need, are not among them.
pub fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Removes control characters and hidden ones, and makes every line end `\n`. Tabs stay.
pub fn plain_text(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return text.to_owned();
    }
    text.replace("\r\n", "\n")
        .chars()
        .filter_map(|character| match character {
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
            '\n' | '\t' => Some(character),
            _ => (!character.is_control() && !is_hidden(character)).then_some(character),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn what_hides_goes_and_what_joins_stays() {
        assert_eq!(plain_text("a\u{202e}b\0c\u{feff}\u{e0041}\td"), "abc\td");
        assert_eq!(plain_text("a\r\nb\rc\u{2028}d\u{85}e"), "a\nb\nc\nd\ne");
        assert_eq!(plain_text("👩\u{200d}👧 می\u{200c}خواهم"), "👩\u{200d}👧 می\u{200c}خواهم");
    }
}
