//! Reads a regular expression as ECMA-262 means it.

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    AssertionKind, Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem,
    ErrorKind, GroupKind, HexLiteralKind, Literal, LiteralKind, Repetition, RepetitionKind,
    RepetitionRange, SpecialLiteralKind,
};
use regex_syntax::hir::{self, Class, ClassUnicode, ClassUnicodeRange, Hir, Look};

/// The deepest groups in groups.
const DEPTH: u32 = 50;

const LOOKS_AROUND: &str = "it looks ahead or behind";
const REFERS_BACK: &str = "it refers back to a group";
/// The constructs that other languages do not have, or read in another way.
pub(super) const AMBIGUOUS: &str = "its syntax does not mean the same in every language";

type Result<T> = std::result::Result<T, &'static str>;

/// Reads an expression. What other languages do not have or read in another way is an error that
/// says why: `\p{…}`, flags, sets of sets, look-around, back references.
pub(super) fn parse(pattern: &str) -> Result<Hir> {
    let ast = ParserBuilder::new().nest_limit(DEPTH).build().parse(pattern);
    let ast = ast.map_err(|error| match error.kind() {
        ErrorKind::UnsupportedLookAround => LOOKS_AROUND,
        ErrorKind::UnsupportedBackreference => REFERS_BACK,
        _ => AMBIGUOUS,
    })?;
    Reader { pattern }.read(&ast)
}

struct Reader<'a> {
    pattern: &'a str,
}

impl Reader<'_> {
    fn read(&self, ast: &Ast) -> Result<Hir> {
        Ok(match ast {
            Ast::Empty(_) => Hir::empty(),
            Ast::Literal(literal) => {
                Hir::literal(character(literal)?.encode_utf8(&mut [0; 4]).as_bytes())
            }
            Ast::Dot(_) => {
                let mut class = class(&[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')]);
                class.negate();
                Hir::class(Class::Unicode(class))
            }
            Ast::Assertion(assertion) => Hir::look(match assertion.kind {
                AssertionKind::StartLine => Look::Start,
                AssertionKind::EndLine => Look::End,
                AssertionKind::WordBoundary => Look::WordAscii,
                AssertionKind::NotWordBoundary => Look::WordAsciiNegate,
                _ => return Err(AMBIGUOUS),
            }),
            Ast::ClassPerl(perl) => Hir::class(Class::Unicode(perl_class(perl))),
            Ast::ClassBracketed(brackets) => Hir::class(Class::Unicode(bracketed(brackets)?)),
            Ast::Repetition(repetition) => self.repetition(repetition)?,
            Ast::Group(group) => {
                let is_plain = match &group.kind {
                    GroupKind::CaptureIndex(_) => true,
                    GroupKind::CaptureName { starts_with_p, .. } => !starts_with_p,
                    GroupKind::NonCapturing(flags) => flags.items.is_empty(),
                };
                if !is_plain {
                    return Err(AMBIGUOUS);
                }
                self.read(&group.ast)?
            }
            Ast::Alternation(alternation) => Hir::alternation(self.all(&alternation.asts)?),
            Ast::Concat(concat) => Hir::concat(self.all(&concat.asts)?),
            Ast::Flags(_) | Ast::ClassUnicode(_) => return Err(AMBIGUOUS),
        })
    }

    fn all(&self, asts: &[Ast]) -> Result<Vec<Hir>> {
        asts.iter().map(|ast| self.read(ast)).collect()
    }

    fn repetition(&self, repetition: &Repetition) -> Result<Hir> {
        let operator = &repetition.op;
        let written = self.pattern.get(operator.span.start.offset..operator.span.end.offset);
        let is_plain = !matches!(*repetition.ast, Ast::Repetition(_) | Ast::Assertion(_))
            && written.is_some_and(|written| !written.starts_with("{,"));
        if !is_plain {
            return Err(AMBIGUOUS);
        }
        let (min, max) = match &operator.kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore => (0, None),
            RepetitionKind::OneOrMore => (1, None),
            RepetitionKind::Range(RepetitionRange::Exactly(count)) => (*count, Some(*count)),
            RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (*least, None),
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (*least, Some(*most)),
        };
        let sub = Box::new(self.read(&repetition.ast)?);
        Ok(Hir::repetition(hir::Repetition { min, max, greedy: true, sub }))
    }
}

/// The character that is written, if each language reads it so.
fn character(literal: &Literal) -> Result<char> {
    match &literal.kind {
        LiteralKind::Verbatim
        | LiteralKind::Meta
        | LiteralKind::Superfluous
        | LiteralKind::HexFixed(HexLiteralKind::X | HexLiteralKind::UnicodeShort)
        | LiteralKind::HexBrace(HexLiteralKind::UnicodeShort)
        | LiteralKind::Special(
            SpecialLiteralKind::FormFeed
            | SpecialLiteralKind::Tab
            | SpecialLiteralKind::LineFeed
            | SpecialLiteralKind::CarriageReturn
            | SpecialLiteralKind::VerticalTab,
        ) => Ok(literal.c),
        _ => Err(AMBIGUOUS),
    }
}

fn class(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(low, high)| ClassUnicodeRange::new(*low, *high)))
}

/// The class of `\d`, `\s` or `\w`, as ECMA-262 defines it.
fn perl_class(perl: &ClassPerl) -> ClassUnicode {
    let mut found = match perl.kind {
        ClassPerlKind::Digit => class(&[('0', '9')]),
        ClassPerlKind::Word => class(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        ClassPerlKind::Space => class(&[
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{feff}', '\u{feff}'),
        ]),
    };
    if perl.negated {
        found.negate();
    }
    found
}

fn bracketed(brackets: &ClassBracketed) -> Result<ClassUnicode> {
    let ClassSet::Item(item) = &brackets.kind else { return Err(AMBIGUOUS) };
    let mut found = class(&[]);
    add(&mut found, item)?;
    if brackets.negated {
        found.negate();
    }
    Ok(found)
}

fn add(found: &mut ClassUnicode, item: &ClassSetItem) -> Result<()> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => {
            let character = character(literal)?;
            found.push(ClassUnicodeRange::new(character, character));
        }
        ClassSetItem::Range(range) => {
            let (low, high) = (character(&range.start)?, character(&range.end)?);
            found.push(ClassUnicodeRange::new(low, high));
        }
        ClassSetItem::Perl(perl) => found.union(&perl_class(perl)),
        ClassSetItem::Union(union) => {
            union.items.iter().try_for_each(|item| add(found, item))?;
        }
        ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) | ClassSetItem::Bracketed(_) => {
            return Err(AMBIGUOUS);
        }
    }
    Ok(())
}
