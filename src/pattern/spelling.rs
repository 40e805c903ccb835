//! A pattern as the engine of a language reads it, in characters of ASCII that can be seen.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use super::{Syntax, ecma};

/// Spells a pattern that has no obstacle.
pub(crate) fn spell(pattern: &str, syntax: Syntax) -> String {
    let Ok(hir) = ecma::parse(pattern) else { return pattern.to_owned() };
    let mut speller = Speller { syntax, text: String::new() };
    speller.spell(&hir, Place::Whole);
    speller.text
}

struct Speller {
    syntax: Syntax,
    text: String,
}

/// The context of a part, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Nothing, or other alternatives.
    Whole,
    /// Other parts before or after it.
    Sequence,
    /// An operator that repeats it.
    Repeated,
}

impl Speller {
    fn spell(&mut self, hir: &Hir, place: Place) {
        match hir.kind() {
            HirKind::Empty if place == Place::Repeated => self.text.push_str("(?:)"),
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                let text = String::from_utf8_lossy(&literal.0);
                self.grouped(place == Place::Repeated && text.chars().count() > 1, |it| {
                    text.chars().for_each(|c| it.character(c, "^$\\.*+?()[]{}|"));
                });
            }
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => {
                let edge = match (look, self.syntax) {
                    (Look::Start, _) => "^",
                    (_, Syntax::Python) => "\\Z",
                    _ => "$",
                };
                self.grouped(place == Place::Repeated, |it| it.text.push_str(edge));
            }
            HirKind::Capture(capture) => self.spell(&capture.sub, place),
            HirKind::Concat(parts) => self.grouped(place == Place::Repeated, |it| {
                for part in parts {
                    it.spell(part, Place::Sequence);
                }
            }),
            HirKind::Alternation(parts) => self.grouped(place > Place::Whole, |it| {
                for (index, part) in parts.iter().enumerate() {
                    it.text.push_str(if index == 0 { "" } else { "|" });
                    it.spell(part, Place::Whole);
                }
            }),
            HirKind::Repetition(repetition) => self.grouped(place == Place::Repeated, |it| {
                it.spell(&repetition.sub, Place::Repeated);
                it.text.push_str(&operator(repetition));
            }),
        }
    }

    fn grouped(&mut self, is_group: bool, spell: impl FnOnce(&mut Self)) {
        self.text.push_str(if is_group { "(?:" } else { "" });
        spell(self);
        self.text.push_str(if is_group { ")" } else { "" });
    }

    fn class(&mut self, class: &Class) {
        let Class::Unicode(class) = class else { return };
        let ends = [class.ranges().first(), class.ranges().last()];
        let is_nearly_all = class.ranges().len() > 1
            && ends[0].is_some_and(|range| range.start() == '\0')
            && ends[1].is_some_and(|range| range.end() == char::MAX);
        let mut listed: ClassUnicode = class.clone();
        if is_nearly_all {
            listed.negate();
        }
        self.text.push_str(if is_nearly_all { "[^" } else { "[" });
        let begin = self.text.len();
        let is_single = |range: &&ClassUnicodeRange| range.len() <= 2;
        let ranges = listed.ranges();
        for range in ranges.iter().filter(|range| !is_single(range)) {
            self.in_class(range.start(), false);
            self.text.push('-');
            self.in_class(range.end(), false);
        }
        let singles = ranges.iter().filter(is_single).flat_map(|it| it.start()..=it.end());
        let (dash, others): (Vec<char>, Vec<char>) = singles.partition(|c| *c == '-');
        for c in others {
            let is_first = self.text.len() == begin;
            self.in_class(c, is_first);
        }
        // At the end it is no range in any language.
        self.text.extend(dash);
        self.text.push(']');
    }

    fn in_class(&mut self, c: char, is_first: bool) {
        let special = match self.syntax {
            _ if is_first && c == '^' => "^",
            Syntax::JavaScript => "\\]-",
            // There `[[`, `&&`, `--` and `~~` are operators of sets.
            Syntax::Python | Syntax::Rust => "\\]-[&~|",
        };
        self.character(c, special);
    }

    /// A character, with a backslash before one of these.
    fn character(&mut self, c: char, special: &str) {
        let written = match c {
            '\t' => String::from("\\t"),
            '\n' => String::from("\\n"),
            '\r' => String::from("\\r"),
            ' '..='~' if special.contains(c) => format!("\\{c}"),
            ' '..='~' => c.to_string(),
            '\0'..='\u{7f}' => format!("\\x{:02x}", u32::from(c)),
            _ => match self.syntax {
                Syntax::JavaScript | Syntax::Rust => format!("\\u{{{:x}}}", u32::from(c)),
                Syntax::Python if c <= '\u{ffff}' => format!("\\u{:04x}", u32::from(c)),
                Syntax::Python => format!("\\U{:08x}", u32::from(c)),
            },
        };
        self.text.push_str(&written);
    }
}

fn operator(Repetition { min, max, .. }: &Repetition) -> String {
    match (min, max) {
        (0, None) => String::from("*"),
        (1, None) => String::from("+"),
        (0, Some(1)) => String::from("?"),
        (least, None) => format!("{{{least},}}"),
        (least, Some(most)) if least == most => format!("{{{least}}}"),
        (least, Some(most)) => format!("{{{least},{most}}}"),
    }
}
