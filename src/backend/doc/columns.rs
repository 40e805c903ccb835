//! The columns that characters take in a line.

/// The columns of a text, as formatters count them.
pub(in crate::backend) fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|character| plain(character).unwrap_or(1)).sum()
}

/// The columns of a character that is printed as it is; none for one that is to be escaped because
/// its width or effect is not beyond doubt.
pub(in crate::backend) fn plain(character: char) -> Option<usize> {
    match character {
        ' '..='~' => Some(1),
        // Latin, Greek and Cyrillic letters.
        '\u{c0}'..='\u{24f}'
        | '\u{386}'..='\u{3ff}'
        | '\u{400}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
            if character.is_alphabetic() =>
        {
            Some(1)
        }
        // Kana, Han and Hangul.
        '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fa5}'
        | '\u{ac00}'..='\u{d7a3}' => Some(2),
        _ => None,
    }
}
