//! Patterns: what a regular expression matches, and texts that it does.

use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The most steps in which an answer is looked for.
const STEPS: usize = 100_000;

/// The longest text that is made.
const LONGEST: usize = 200;

/// Tells whether a pattern matches some part of a text, as JSON Schema asks. `None` for what has
/// no simple answer: look-around, back references, or too many ways to match.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let hir = parse(pattern)?;
    let text: Vec<char> = text.chars().collect();
    let mut matcher = Matcher { text: &text, steps: STEPS };
    let starts = (0..=text.len()).collect();
    Some(!matcher.ends(&hir, &starts)?.is_empty())
}

/// Texts that a pattern matches as a whole, the shortest first: each alternative, the ends of each
/// class, the fewest repetitions and one more. At most this many.
pub(crate) fn texts(pattern: &str, most: usize) -> Vec<String> {
    let Some(hir) = parse(pattern) else { return Vec::new() };
    let mut found = of(&hir, most);
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    found.dedup();
    found.retain(|text| matches(pattern, text) == Some(true));
    found
}

fn parse(pattern: &str) -> Option<Hir> {
    ParserBuilder::new().nest_limit(50).build().parse(pattern).ok()
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

fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
    }
}

fn holds(class: &Class, c: char) -> bool {
    ranges(class).iter().any(|(low, high)| (*low..=*high).contains(&c))
}

/// Texts of an expression, whatever stands around it.
fn of(hir: &Hir, most: usize) -> Vec<String> {
    let mut found = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![String::new()],
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0).map(str::to_owned).into_iter().collect()
        }
        HirKind::Class(class) => {
            let plain = ['a', 'z', 'A', 'Z', '0', '9', '_', '-', ' ', '.', '/'];
            let ends = ranges(class).into_iter().flat_map(|(low, high)| [low, high]);
            let mut all: Vec<char> = plain.into_iter().filter(|c| holds(class, *c)).collect();
            all.extend(ends.filter(|c| c.is_ascii_graphic() && !plain.contains(c)));
            if all.is_empty() {
                all.extend(ranges(class).first().map(|(low, _)| *low));
            }
            all.into_iter().map(String::from).collect()
        }
        HirKind::Capture(capture) => of(&capture.sub, most),
        HirKind::Alternation(parts) => {
            parts.iter().flat_map(|part| of(part, most / parts.len() + 1)).collect()
        }
        HirKind::Concat(parts) => {
            let each = parts.iter().map(|part| of(part, most));
            each.reduce(|so_far, next| joined(&so_far, &next)).unwrap_or_default()
        }
        HirKind::Repetition(repetition) => {
            let once = of(&repetition.sub, most);
            let highest = repetition.max.unwrap_or(u32::MAX);
            let times = [repetition.min, repetition.min.saturating_add(1), 8.max(repetition.min)];
            let times = times.into_iter().filter(|times| *times <= highest);
            let repeated = |times: u32| {
                let times = usize::try_from(times).unwrap_or(usize::MAX).min(LONGEST);
                let mut texts: Vec<String> = once.iter().map(|one| one.repeat(times)).collect();
                texts.truncate(if times == 0 { 1 } else { usize::MAX });
                texts
            };
            times.flat_map(repeated).collect()
        }
    };
    found.retain(|text| text.len() <= LONGEST);
    found.truncate(most);
    found
}

/// Each text of one list before one of the other: every text of both is used once at least.
fn joined(first: &[String], second: &[String]) -> Vec<String> {
    let (Some(a), Some(b)) = (first.first(), second.first()) else { return Vec::new() };
    let before = second.iter().map(|second| format!("{a}{second}"));
    let after = first.iter().skip(1).map(|first| format!("{first}{b}"));
    before.chain(after).collect()
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

    #[test]
    fn texts_of_a_pattern_match_it() {
        for pattern in ["^[a-z]+$", "^(on|off)$", "^v\\d+\\.\\d+$", "x{3}", "^$", "^[A-F0-9]{8}$"] {
            let found = texts(pattern, 64);
            assert!(!found.is_empty(), "{pattern}");
            let all = found.iter().all(|text| matches(pattern, text) == Some(true));
            assert!(all && found.len() <= 64, "{pattern}: {found:?}");
        }
        let found = texts("^(on|off)$", 64);
        assert_eq!(found, ["on", "off"]);
    }
}
