//! Sentences of a report, in which names stand between backticks.

use crate::breaking::change::Change;
use crate::diagnostic::printable;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words.
    Words(String),
    /// A name, without its backticks. It holds none itself.
    Name(String),
}

/// Takes a sentence apart. What a schema has put into it is on one line and acts on no display.
///
/// A backtick without a second one is a word like any other. That a name with backticks in it is
/// cut in the wrong places does no harm: every piece is made safe for where it goes.
pub(super) fn pieces(sentence: &str) -> Vec<Piece> {
    let sentence = printable(sentence);
    let mut pieces = Vec::new();
    let mut rest = sentence.as_ref();
    while let Some((words, (name, after))) =
        rest.split_once('`').and_then(|(words, tail)| Some((words, tail.split_once('`')?)))
    {
        if !words.is_empty() {
            pieces.push(Piece::Words(words.to_owned()));
        }
        if !name.is_empty() {
            pieces.push(Piece::Name(name.to_owned()));
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest.to_owned()));
    }
    pieces
}

/// A sentence as plain text on one line, its backticks kept.
pub(super) fn plain(sentence: &str) -> String {
    printable(sentence).into_owned()
}

/// Writes the summary of a finding, with the type that it is in, unless it names that itself.
pub(super) fn told(change: &Change) -> String {
    let names_it = change.summary.contains(change.ty.as_str());
    if names_it || change.rule.id.starts_with("method-") {
        return change.summary.clone();
    }
    format!("`{}`: {}", change.ty.replace('`', "'"), change.summary)
}

/// Counts something: `1 finding`, `2 findings`.
pub(super) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A sentence with a capital and a full stop, of one that has neither.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_backticks() {
        let words = |text: &str| Piece::Words(text.into());
        let name = |text: &str| Piece::Name(text.into());
        assert_eq!(pieces("`a.b` is now `c`"), [name("a.b"), words(" is now "), name("c")]);
        assert_eq!(pieces("no name"), [words("no name")]);
        assert_eq!(pieces("one ` alone"), [words("one ` alone")]);
        assert_eq!(pieces("`a` and ` alone"), [name("a"), words(" and ` alone")]);
        assert_eq!(pieces("``"), []);
        assert_eq!(pieces("`a\nb\u{202e}`"), [name("a\\nb\\u{202e}")]);
    }

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence("a thing is gone"), "A thing is gone.");
        assert_eq!(sentence("Done!"), "Done!");
        assert_eq!(sentence(""), "");
        assert_eq!(count(1, "finding"), "1 finding");
        assert_eq!(count(0, "finding"), "0 findings");
    }
}
