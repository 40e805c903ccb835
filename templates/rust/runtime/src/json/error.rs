//! Why a value could not be read.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// What reading gives.
pub type Result<T> = std::result::Result<T, DecodeError>;

/// Why a value could not be read: where, what was expected, and what kind of thing was found.
///
/// It never holds a value of the message, only names of properties.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Details>);

#[derive(Clone, PartialEq, Eq)]
struct Details {
    /// Innermost step first: steps are added while the error travels outwards.
    path: Vec<Step>,
    expected: Cow<'static, str>,
    found: Cow<'static, str>,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Property(Cow<'static, str>),
    Item(usize),
}

impl Step {
    pub(super) fn property(name: &str) -> Self {
        Self::Property(Cow::Owned(name.to_owned()))
    }
}

/// A malformed value that was forgiven: replaced by what the schema allows in its place, or
/// left out of its array. Or an integer that was rounded, where any JSON may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// What was wrong with it, and where.
    pub error: DecodeError,
}

impl DecodeError {
    /// An error at the value being read.
    pub fn new(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Details {
            path: Vec::new(),
            expected: expected.into(),
            found: found.into(),
        }))
    }

    pub(super) fn missing(property: &'static str) -> Self {
        let mut error = Self::new("a required property", "nothing");
        error.push(Step::Property(Cow::Borrowed(property)));
        error
    }

    pub(super) fn push(&mut self, step: Step) {
        self.0.path.push(step);
    }

    /// The same error, seen from the value that has this one as a property.
    #[must_use]
    pub fn within(mut self, property: impl Into<Cow<'static, str>>) -> Self {
        self.push(Step::Property(property.into()));
        self
    }

    /// Where the value is: `params.prompt[2].type`. Empty for the whole value.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            match step {
                Step::Item(index) => {
                    let _ = write!(path, "[{index}]");
                }
                Step::Property(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
            }
        }
        path
    }

    /// What was expected there: `a string`.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What kind of thing was found: `an array`, `nothing`.
    pub fn found(&self) -> &str {
        &self.0.found
    }
}

/// The most choices that an error lists.
const MOST_CHOICES: usize = 20;

/// `one of "a", "b"`
pub fn one_of(values: &[impl serde::Serialize]) -> String {
    let listed = values.iter().take(MOST_CHOICES);
    let listed = listed.map(|value| serde_json::to_string(value).unwrap_or_default());
    let listed = listed.collect::<Vec<_>>().join(", ");
    let prefix = if values.len() == 1 { "" } else { "one of " };
    match values.len().saturating_sub(MOST_CHOICES) {
        0 => format!("{prefix}{listed}"),
        others => format!("{prefix}{listed} or {others} more"),
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if !path.is_empty() {
            write!(formatter, "{path}: ")?;
        }
        write!(
            formatter,
            "expected {}, found {}",
            self.0.expected, self.0.found
        )
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DecodeError({self})")
    }
}

impl std::error::Error for DecodeError {}
