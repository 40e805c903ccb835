//! Sentences of a report, in which names stand between backticks.

use std::fmt::Write as _;

use serde::Serialize;

use crate::breaking::change::{Affected, Change};
use crate::breaking::policy::Waiver;
use crate::breaking::report::SourceVerdict;
use crate::breaking::verdict::{Effect, Verdict, Wire};
use crate::diagnostic::printable;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Piece {
    /// True if it is a name, without its backticks. Else it is words.
    pub(super) is_name: bool,
    /// The text. That of a name holds no backticks, unless it is all of the sentence.
    pub(super) text: String,
}

/// Takes a sentence apart. What a schema has put into it is on one line and acts on no display.
///
/// A backtick without a second one is a word like any other. That a name with backticks in it is
/// cut in the wrong places does no harm: every piece is made safe for where it goes.
pub(super) fn pieces(sentence: &str) -> Vec<Piece> {
    let sentence = printable(sentence);
    let mut pieces = Vec::new();
    let mut push = |is_name, text: &str| {
        if !text.is_empty() {
            pieces.push(Piece { is_name, text: text.to_owned() });
        }
    };
    let mut rest = sentence.as_ref();
    while let Some((words, (name, after))) =
        rest.split_once('`').and_then(|(words, tail)| Some((words, tail.split_once('`')?)))
    {
        push(false, words);
        push(true, name);
        rest = after;
    }
    push(false, rest);
    pieces
}

/// A sentence as plain text on one line, its backticks kept.
pub(super) fn plain(sentence: &str) -> String {
    printable(sentence).into_owned()
}

/// Writes the summary of a finding, with the type that it is in, unless it names that itself.
pub(crate) fn told(change: &Change) -> String {
    let names_it = change.summary.contains(change.ty.as_str());
    if names_it || change.rule.id.starts_with("method-") {
        return change.summary.clone();
    }
    format!("{}: {}", quoted(&change.ty), change.summary)
}

/// The word for a verdict on the wire.
pub(super) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Risk => "risk",
        Verdict::Break => "breaks",
    }
}

/// The words for what happens where receivers forgive, after `separator`, if that is milder.
pub(super) fn forgiven(strict: Verdict, lenient: Verdict, separator: &str) -> String {
    if lenient == strict {
        return String::new();
    }
    format!("{separator}{} where receivers forgive", verdict_word(lenient))
}

/// The word for what happens to all code of a language.
pub(super) fn source_word(verdict: SourceVerdict) -> &'static str {
    match verdict {
        SourceVerdict::Ok => "ok",
        SourceVerdict::Cond => "depends",
        SourceVerdict::Break => "breaks",
    }
}

/// The words for what happens to code, of one finding.
pub(super) fn effect_words(effect: Effect) -> String {
    match effect {
        Effect::Ok => "ok".to_owned(),
        Effect::Conditional(written) => format!("depends ({})", written.replace(['-', '+'], " ")),
        Effect::Readers => "readers break".to_owned(),
        Effect::Builders => "builders break".to_owned(),
        Effect::Name => "a name is gone".to_owned(),
        Effect::Break => "breaks".to_owned(),
    }
}

/// Both ways in a few words.
pub(super) fn wire_words(wire: Wire) -> String {
    format!("old→new {}, new→old {}", verdict_word(wire.old_to_new), verdict_word(wire.new_to_old))
}

/// Says what happens to code, language by language.
pub(super) fn effects(change: &Change) -> String {
    let languages = change.source.languages();
    let words = languages.map(|(name, effect)| format!("{name} {}", effect_words(effect)));
    words.join(", ")
}

/// Says who sends what has changed, who gets it, and what happens.
pub(super) fn affected(affected: &Affected) -> String {
    format!(
        "{}: {} sends, {} receives: {}",
        affected.direction.arrow(),
        quoted(&affected.sender),
        quoted(&affected.receiver),
        verdict_word(affected.verdict)
    )
}

/// A name between backticks, which it cannot end itself.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

/// Says what happens to messages where receivers forgive, and why, if that is milder.
pub(super) fn in_effect(change: &Change) -> Option<String> {
    let why = change.softened_by.as_deref().unwrap_or("receivers forgive it");
    Some(format!("{} ({why})", wire_words(change.effective_wire?)))
}

/// Says until when a finding is accepted, and why.
pub(super) fn until(waiver: &Waiver) -> String {
    format!("until {}: {}", waiver.expires, waiver.reason)
}

/// The text as part of an address (RFC 3986): unreserved characters and those that are `kept` as
/// they are, every other byte as `%` and two digits.
pub(super) fn percent_encoded(text: &str, kept: &str) -> String {
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
        let words = |text: &str| Piece { is_name: false, text: text.into() };
        let name = |text: &str| Piece { is_name: true, text: text.into() };
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
