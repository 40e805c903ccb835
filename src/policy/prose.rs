//! Sentences of a report.

use std::fmt::Write as _;

use super::waivers::Waiver;
use crate::diagnostic::printable;

/// A sentence as plain text on one line, its backticks kept.
pub fn plain(sentence: &str) -> String {
    printable(sentence).into_owned()
}

/// A name between backticks, which it cannot end itself.
pub fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

/// Says until when a finding is accepted, and why.
pub fn until(waiver: &Waiver) -> String {
    format!("until {}: {}", waiver.expires, waiver.reason)
}

/// The text as part of an address (RFC 3986): unreserved characters and those that are `kept` as
/// they are, every other byte as `%` and two digits.
pub fn percent_encoded(text: &str, kept: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let character = char::from(byte);
        let is_unreserved = character.is_ascii_alphanumeric() || "-._~".contains(character);
        if is_unreserved || kept.contains(character) {
            encoded.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Counts something: `1 finding`, `2 findings`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A sentence with a capital and a full stop, of one that has neither.
pub fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence("a thing is gone"), "A thing is gone.");
        assert_eq!(sentence("Done!"), "Done!");
        assert_eq!(sentence(""), "");
        assert_eq!(count(1, "finding"), "1 finding");
        assert_eq!(count(0, "finding"), "0 findings");
    }
}
