//! Sentences of a report, in which names stand between backticks.

use serde::Serialize;

use crate::breaking::change::{Affected, Change};
use crate::breaking::report::SourceVerdict;
use crate::breaking::verdict::{Effect, Verdict, Wire};
use crate::diagnostic::printable;
use crate::policy::prose::quoted;

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

/// Says what happens to messages where receivers forgive, and why, if that is milder.
pub(super) fn in_effect(change: &Change) -> Option<String> {
    let why = change.softened_by.as_deref().unwrap_or("receivers forgive it");
    Some(format!("{} ({why})", wire_words(change.effective_wire?)))
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
}
