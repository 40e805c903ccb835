//! The texts that an expression matches.

use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::ecma;

/// The most steps in which an answer is looked for.
const STEPS: usize = 100_000;

/// Tells whether a pattern matches some part of a text, as JSON Schema asks. `None` for what has
/// no simple answer: look-around, back references, or too many ways to match.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let hir = parse(pattern)?;
    let text: Vec<char> = text.chars().collect();
    let mut matcher = Matcher { text: &text, steps: STEPS };
    let starts = (0..=text.len()).collect();
    Some(!matcher.ends(&hir, &starts)?.is_empty())
}

/// Reads an expression as JSON Schema means it, or else as Rust does: `\p{L}` is alike in both.
pub(super) fn parse(pattern: &str) -> Option<Hir> {
    let as_rust = || ParserBuilder::new().nest_limit(50).build().parse(pattern).ok();
    ecma::parse(pattern).ok().or_else(as_rust)
}

struct Matcher<'a> {
    text: &'a [char],
    steps: usize,
}

impl Matcher<'_> {
    /// The positions at which a match can end that begins at one of these.
    fn ends(&mut self, hir: &Hir, starts: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        self.steps = self.steps.checked_sub(starts.len().max(1))?;
        Some(match hir.kind() {
            HirKind::Empty => starts.clone(),
            HirKind::Literal(literal) => {
                let literal: Vec<char> = std::str::from_utf8(&literal.0).ok()?.chars().collect();
                let after = |at: &usize| {
                    let end = at + literal.len();
                    (self.text.get(*at..end)? == literal.as_slice()).then_some(end)
                };
                starts.iter().filter_map(after).collect()
            }
            HirKind::Class(class) => {
                let is_in = |at: &&usize| self.text.get(**at).is_some_and(|c| holds(class, *c));
                starts.iter().filter(is_in).map(|at| at + 1).collect()
            }
            HirKind::Look(look) => {
                let mut kept = starts.clone();
                match look {
                    Look::Start => kept.retain(|at| *at == 0),
                    Look::End => kept.retain(|at| *at == self.text.len()),
                    Look::WordAscii | Look::WordUnicode => kept.retain(|at| self.is_edge(*at)),
                    Look::WordAsciiNegate | Look::WordUnicodeNegate => {
                        kept.retain(|at| !self.is_edge(*at));
                    }
                    _ => return None,
                }
                kept
            }
            HirKind::Capture(capture) => self.ends(&capture.sub, starts)?,
            HirKind::Concat(parts) => {
                let mut ends = starts.clone();
                for part in parts {
                    ends = self.ends(part, &ends)?;
                }
                ends
            }
            HirKind::Alternation(parts) => {
                let mut ends = BTreeSet::new();
                for part in parts {
                    ends.extend(self.ends(part, starts)?);
                }
                ends
            }
            HirKind::Repetition(repetition) => {
                let mut current = starts.clone();
                for _ in 0..repetition.min {
                    current = self.ends(&repetition.sub, &current)?;
                }
                let mut all = current.clone();
                for _ in repetition.min..repetition.max.unwrap_or(u32::MAX) {
                    let next = self.ends(&repetition.sub, &current)?;
                    current = next.difference(&all).copied().collect();
                    if current.is_empty() {
                        break;
                    }
                    all.extend(&current);
                }
                all
            }
        })
    }

    /// Tells whether a word begins or ends here.
    fn is_edge(&self, at: usize) -> bool {
        let is_word = |at: Option<usize>| {
            let found = at.and_then(|at| self.text.get(at));
            found.is_some_and(|c| c.is_alphanumeric() || *c == '_')
        };
        is_word(at.checked_sub(1)) != is_word(Some(at))
    }
}

pub(super) fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
    }
}

pub(super) fn holds(class: &Class, c: char) -> bool {
    ranges(class).iter().any(|(low, high)| (*low..=*high).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_json_schema_says() {
        for (pattern, text, expected) in [
            ("^[a-z]+$", "abc", true),
            ("^[a-z]+$", "", false),
            ("^[a-z]+$", "aBc", false),
            ("b", "abc", true),
            ("^(on|off)$", "off", true),
            ("^(on|off)$", "offf", false),
            ("^\\d{2,3}$", "12", true),
            ("^\\d{2,3}$", "1234", false),
            ("^(a|ab)(c|bcd)*$", "abcd", true),
            ("^(a*)*$", "aaaa", true),
            ("\\bfan\\b", "a fan", true),
            ("\\bfan\\b", "fans", false),
            ("é.", "éa", true),
        ] {
            assert_eq!(matches(pattern, text), Some(expected), "{pattern} {text}");
        }
        assert_eq!(matches("(?=a)b", "b"), None);
    }
}
