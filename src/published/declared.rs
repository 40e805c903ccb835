//! The public types of a published package, as its source declares them.

use crate::source::Span;

/// A public type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its name in code.
    pub name: String,
    /// The shape of its values, as far as it is known.
    pub shape: Shape,
    /// The properties that have a constant string as their only value, with the string: they tell
    /// the type from others.
    pub constants: Vec<(String, String)>,
    /// Its functions.
    pub functions: Vec<Member>,
    /// The fields that it has from classes that are declared beside it. They say nothing about
    /// which type it is.
    pub inherited: Vec<Member>,
    /// Where its name stands.
    pub span: Span,
}

/// The shape of the values of a type, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Objects with these fields.
    Fields(Vec<Member>),
    /// These constants.
    Values(Vec<Member>),
    /// Unknown values.
    Other,
}

/// A field, a constant or a function of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in messages, as far as the source tells. Of a function: its name in code.
    pub wire: String,
    /// Its name in code. Empty where it has none beside that in messages.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

impl Type {
    /// A type of which nothing else is known.
    pub(super) fn new(name: impl Into<String>, span: Span) -> Self {
        let (constants, functions, inherited) = (Vec::new(), Vec::new(), Vec::new());
        let name = name.into();
        Self { name, shape: Shape::Other, constants, functions, inherited, span }
    }

    /// Tells whether no message is of the type, as far as that can be seen: it has functions and no
    /// properties, or is an error that is raised.
    pub(super) fn is_code(&self) -> bool {
        let is_error = ["Error", "Exception"].iter().any(|end| self.name.ends_with(end));
        self.words().is_empty() && (is_error || !self.functions.is_empty())
    }

    /// Its fields or constants, its own first.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        let own = match &self.shape {
            Shape::Fields(members) | Shape::Values(members) => members.as_slice(),
            Shape::Other => &[],
        };
        own.iter().chain(&self.inherited)
    }

    /// The names of its properties or constants, in a spelling that does not depend on the
    /// language, each once and in order.
    pub(super) fn words(&self) -> Vec<String> {
        match &self.shape {
            Shape::Fields(members) | Shape::Values(members) => {
                sorted(members.iter().map(|member| member.wire.as_str()))
            }
            Shape::Other => Vec::new(),
        }
    }
}

/// Names in a spelling that does not depend on the language, each once and in order.
pub(super) fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = names.map(folded).collect();
    names.sort();
    names.dedup();
    names
}

/// A name without case and punctuation.
pub(super) fn folded(name: &str) -> String {
    let kept = name.chars().filter(|character| character.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The bytes of a text from here to there.
pub(super) fn span(source: u32, start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { source, start: offset(start), end: offset(end) }
}
