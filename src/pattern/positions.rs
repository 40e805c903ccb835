//! An expression as positions: the characters that it asks for, and which may follow which.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use super::ecma::AMBIGUOUS;

/// The most positions of an expression, with each repetition written out.
const MOST: usize = 1_000;

const TOO_LONG: &str = "it is too long, with its repetitions written out";
const INNER_EDGE: &str = "it asks for the begin or the end of the text in the middle";

type Result<T> = std::result::Result<T, &'static str>;

/// The characters that an expression asks for. What can follow in two ways is listed twice.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// The condition of each position.
    pub labels: Vec<Label>,
    /// The positions that may come after each.
    follow: Vec<Vec<usize>>,
    /// Those with which a match may begin.
    pub first: Vec<usize>,
    /// Those with which it may end.
    pub last: Vec<usize>,
    /// True if each text has a match: an empty one.
    pub nullable: bool,
}

/// The condition of a position.
#[derive(Debug)]
pub(super) enum Label {
    /// A character.
    Character(ClassUnicode),
    /// The begin of the text.
    Start,
    /// The end of the text.
    End,
}

/// A part of an expression: the positions with which it may begin and end.
struct Part {
    nullable: bool,
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Part {
    const EMPTY: Self = Self { nullable: true, first: Vec::new(), last: Vec::new() };
}

impl Positions {
    /// Fails, in words that follow the name of the pattern, where languages differ or where it is
    /// too long.
    pub(super) fn new(hir: &Hir) -> Result<Self> {
        let mut positions = Self::default();
        let whole = positions.part(hir)?;
        (positions.first, positions.last) = (whole.first, whole.last);
        positions.nullable = whole.nullable;
        if positions.has_inner_edge() {
            return Err(INNER_EDGE);
        }
        Ok(positions)
    }

    /// Tells whether something comes before the begin of the text, or after its end.
    fn has_inner_edge(&self) -> bool {
        self.labels.iter().zip(&self.follow).any(|(label, follow)| {
            let mut after = follow.iter().filter_map(|at| self.labels.get(*at));
            match label {
                Label::Start => false,
                Label::Character(_) => after.any(|it| matches!(it, Label::Start)),
                Label::End => after.any(|it| !matches!(it, Label::End)),
            }
        })
    }

    /// The positions that may come after one.
    pub(super) fn after(&self, at: usize) -> &[usize] {
        self.follow.get(at).map_or(&[], Vec::as_slice)
    }

    /// Tells whether a position is the begin of the text.
    pub(super) fn is_start(&self, at: usize) -> bool {
        matches!(self.labels.get(at), Some(Label::Start))
    }

    fn part(&mut self, hir: &Hir) -> Result<Part> {
        match hir.kind() {
            HirKind::Empty => Ok(Part::EMPTY),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|_| AMBIGUOUS)?;
                text.chars().try_fold(Part::EMPTY, |before, c| {
                    let class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
                    let after = self.position(Label::Character(class))?;
                    Ok(self.sequence(before, after))
                })
            }
            HirKind::Class(Class::Unicode(class)) => self.position(Label::Character(class.clone())),
            HirKind::Look(Look::Start) => self.position(Label::Start),
            HirKind::Look(Look::End) => self.position(Label::End),
            HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => Err(AMBIGUOUS),
            HirKind::Capture(capture) => self.part(&capture.sub),
            HirKind::Concat(parts) => parts.iter().try_fold(Part::EMPTY, |before, part| {
                let after = self.part(part)?;
                Ok(self.sequence(before, after))
            }),
            HirKind::Alternation(parts) => {
                let mut all = Part { nullable: false, ..Part::EMPTY };
                for part in parts {
                    let part = self.part(part)?;
                    all.nullable |= part.nullable;
                    all.first.extend(part.first);
                    all.last.extend(part.last);
                }
                Ok(all)
            }
            HirKind::Repetition(repetition) => self.repetition(repetition),
        }
    }

    fn position(&mut self, label: Label) -> Result<Part> {
        let at = self.labels.len();
        if at == MOST {
            return Err(TOO_LONG);
        }
        self.labels.push(label);
        self.follow.push(Vec::new());
        Ok(Part { nullable: false, first: vec![at], last: vec![at] })
    }

    /// `x{2,4}` is `xx(x(x)?)?`, `x{2,}` is `xx+`.
    fn repetition(&mut self, repetition: &Repetition) -> Result<Part> {
        let Repetition { min, max, sub, .. } = repetition;
        let mut rest = Part::EMPTY;
        if let Some(max) = max {
            for _ in *min..*max {
                let once = self.part(sub)?;
                rest = self.sequence(once, rest);
                rest.nullable = true;
            }
        } else {
            rest = self.part(sub)?;
            self.connect(&rest.last, &rest.first);
            rest.nullable |= *min == 0;
        }
        let ahead = if max.is_none() { min.saturating_sub(1) } else { *min };
        for _ in 0..ahead {
            let once = self.part(sub)?;
            rest = self.sequence(once, rest);
        }
        Ok(rest)
    }

    fn sequence(&mut self, mut before: Part, after: Part) -> Part {
        self.connect(&before.last, &after.first);
        if before.nullable {
            before.first.extend(&after.first);
        }
        let last = if after.nullable {
            before.last.extend(&after.last);
            before.last
        } else {
            after.last
        };
        Part { nullable: before.nullable && after.nullable, first: before.first, last }
    }

    fn connect(&mut self, from: &[usize], to: &[usize]) {
        for at in from {
            if let Some(follow) = self.follow.get_mut(*at) {
                follow.extend(to);
            }
        }
    }
}
