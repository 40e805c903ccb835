//! Texts that an expression matches.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::matching::{holds, matches, parse, ranges};

/// The longest text that is made.
const LONGEST: usize = 200;

/// The most parts of an expression that an attempt at a text looks at.
const STEPS: usize = 2_000;

/// Texts that a pattern matches as a whole, the shortest first: each alternative, the ends of each
/// class, the fewest repetitions and one more. At most this many.
pub(crate) fn texts(pattern: &str, most: usize) -> Vec<String> {
    let Some(hir) = parse(pattern) else { return Vec::new() };
    let mut found = texts_for(&hir, most);
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    found.dedup();
    found.retain(|text| matches(pattern, text) == Some(true));
    found
}

/// The shortest text that a pattern matches as a whole and that fits, of those that repeat each
/// part as often as the others. `None` for what has no such simple answer: look-around, back
/// references, or too many repetitions.
pub(crate) fn first_text(pattern: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let hir = parse(pattern)?;
    let texts = (0..LONGEST).map(|extra| {
        let mut attempt = Attempt { text: String::new(), steps: STEPS };
        attempt.append(&hir, u32::try_from(extra).unwrap_or(0)).then_some(attempt.text)
    });
    texts.map_while(|text| text).find(|text| fits(text))
}

/// Texts of an expression, whatever stands around it.
fn texts_for(hir: &Hir, most: usize) -> Vec<String> {
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
        HirKind::Capture(capture) => texts_for(&capture.sub, most),
        HirKind::Alternation(parts) => {
            parts.iter().flat_map(|part| texts_for(part, most / parts.len() + 1)).collect()
        }
        HirKind::Concat(parts) => {
            let each = parts.iter().map(|part| texts_for(part, most));
            each.reduce(|so_far, next| joined(&so_far, &next)).unwrap_or_default()
        }
        HirKind::Repetition(repetition) => {
            let once = texts_for(&repetition.sub, most);
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

/// A match in the making.
struct Attempt {
    text: String,
    /// The number of parts of the expression that may still be looked at.
    steps: usize,
}

impl Attempt {
    /// Adds a match of an expression. Where it may repeat a part, it is repeated `extra` times
    /// more than it has to be. `false` if there is no match, or one too long.
    fn append(&mut self, hir: &Hir, extra: u32) -> bool {
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => true,
            HirKind::Literal(literal) => std::str::from_utf8(&literal.0)
                .map(|literal| self.text.push_str(literal))
                .is_ok_and(|()| self.text.len() <= LONGEST),
            HirKind::Class(class) => {
                of_class(class).map(|character| self.text.push(character)).is_some()
            }
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(u32::MAX);
                let times = repetition.min.saturating_add(extra).min(most);
                (0..times).all(|_| self.append(&repetition.sub, 0))
            }
            HirKind::Capture(capture) => self.append(&capture.sub, extra),
            HirKind::Concat(parts) => parts.iter().all(|part| self.append(part, extra)),
            HirKind::Alternation(parts) => {
                parts.first().is_some_and(|part| self.append(part, extra))
            }
        }
    }
}

/// A character of a class: a letter or digit if it has one.
fn of_class(class: &Class) -> Option<char> {
    let mut friendly = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain("-_. ".chars());
    let found = friendly.find(|wanted| holds(class, *wanted));
    found.or_else(|| ranges(class).first().map(|(low, _)| *low))
}

#[cfg(test)]
mod tests {
    use super::*;

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
