//! Sentences of a report, in which names stand between backticks.

use serde::Serialize;

use crate::breaking::change::{Affected, Change};
use crate::breaking::report::{Report, SourceVerdict, Verdicts};
use crate::breaking::verdict::{Direction, Effect, Verdict, Wire};
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

/// Writes the summary of a finding after the place that it is about, or after what that is in where
/// the summary names the place itself.
pub(crate) fn told(change: &Change) -> String {
    let Change { ty, path, summary, .. } = change;
    let whole = quoted(&place(ty, path));
    let names_it = summary.contains(&whole) || path.is_empty() && names(summary, ty);
    if names_it || change.rule.id.starts_with("method-") {
        return summary.clone();
    }
    let (around, name) = innermost(path);
    let is_named = match name.strip_prefix('<') {
        Some(variant) => names(summary, variant.trim_end_matches('>')),
        None => summary.contains(&format!("`{name}`")),
    };
    let place = if is_named { quoted(&place(ty, around)) } else { whole };
    format!("{place}: {summary}")
}

/// A definition and a path in it.
pub(crate) fn place(ty: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with(['<', '[', '{']) { "" } else { "." };
    format!("{ty}{dot}{path}")
}

/// The last property or variant of a path, after the path to that.
fn innermost(path: &str) -> (&str, &str) {
    let path = path.trim_end_matches(['[', ']', '{', '}']);
    match path.strip_suffix('>').and_then(|path| path.rsplit_once('<')) {
        Some((around, variant)) => (
            around.trim_end_matches('.'),
            path.get(path.len() - variant.len() - 2..).unwrap_or(path),
        ),
        None => path.rsplit_once('.').unwrap_or(("", path)),
    }
}

/// Tells whether a sentence holds a name, and not only one that begins or ends with it.
fn names(sentence: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    sentence.match_indices(name).any(|(at, _)| {
        let (before, after) = (sentence.get(..at), sentence.get(at + name.len()..));
        !before.unwrap_or_default().ends_with(is_part)
            && !after.unwrap_or_default().starts_with(is_part)
    })
}

/// The word for a verdict on the wire.
pub(super) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Risk => "risk",
        Verdict::Break => "breaks",
    }
}

/// The words for the other verdicts on all messages of a direction beside the one that counts, each
/// after `separator`.
pub(super) fn beside(verdicts: &Verdicts, direction: Direction, separator: &str) -> String {
    let [strict, counted, effective] =
        [verdicts.wire, verdicts.counted_wire, verdicts.effective_wire]
            .map(|it| it.towards(direction));
    let words = [(strict, ALONE), (effective, "where receivers forgive")].into_iter();
    let words = words.filter(|(verdict, _)| *verdict != counted);
    let words = words.map(|(verdict, when)| format!("{} {when}", verdict_word(verdict)));
    words.flat_map(|word| [separator.to_owned(), word]).collect()
}

/// The word for what happens to all code of a language.
pub(super) fn source_word(verdict: SourceVerdict) -> &'static str {
    match verdict {
        SourceVerdict::Ok => "ok",
        SourceVerdict::Cond => "depends",
        SourceVerdict::Break => "breaks",
    }
}

/// The effect on the code of each language: its name, the verdict that counts, the other one in
/// words after `separator`, and how many changes break it and count as such.
pub(super) fn source_verdicts(
    report: &Report,
    separator: &str,
) -> [(&'static str, SourceVerdict, String, usize); 3] {
    let counted = report.verdict.counted_source.languages();
    let mut strict = report.verdict.source.languages().into_iter();
    let mut breaks = report.tally.counted_source_breaks.languages().into_iter();
    counted.map(|(language, counted)| {
        let strict = strict.next().map_or(counted, |(_, strict)| strict);
        let beside = if strict == counted {
            String::new()
        } else {
            format!("{separator}{} {ALONE}", source_word(strict))
        };
        (language, counted, beside, breaks.next().map_or(0, |(_, breaks)| breaks))
    })
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

/// The words for what happens by the schemas alone, where that does not count.
pub(super) const ALONE: &str = "by the schemas alone";

/// Says what happens to messages, each fact with a name: by which verdict the finding counts, and
/// the other one beside it, the milder one with the reason.
pub(super) fn wire_facts(change: &Change) -> Vec<(&'static str, String)> {
    let (strict, counted) = (change.wire, change.counted_wire());
    let why = change.softened_by.as_deref().unwrap_or("receivers forgive it");
    let milder = |wire: Wire| format!("{} ({why})", wire_words(wire));
    match change.effective_wire {
        None if change.is_softened() => {
            vec![("wire", wire_words(strict)), ("softened", why.to_owned())]
        }
        None => vec![("wire", wire_words(strict))],
        Some(_) if counted != strict => {
            vec![("wire", milder(counted)), (ALONE, wire_words(strict))]
        }
        Some(effective) => vec![("wire", wire_words(strict)), ("in effect", milder(effective))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_with_a_property_or_a_variant() {
        assert_eq!(innermost("a"), ("", "a"));
        assert_eq!(innermost("a.b[]{}"), ("a", "b"));
        assert_eq!(innermost("<k=a>.b"), ("<k=a>", "b"));
        assert_eq!(innermost("a.<k=a>"), ("a", "<k=a>"));
        assert_eq!(innermost("[]"), ("", ""));
        assert!(names("the variant k=a is new", "k=a") && !names("the variant k=ab", "k=a"));
    }

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
