//! Errors of decoding: why a value is refused, and where.

use std::fmt;

use serde_json::Value;

use crate::ir::JsonType;
use crate::source::Location;

/// The reason for which a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The way to what is wrong, from the inside out.
    pub(super) steps: Vec<PathStep>,
    /// The value that was expected: `a string`.
    pub expected: String,
    /// The value that was found: `null`, `"red"`, `an object`. Never all of a large value.
    pub found: String,
    /// True if nothing is there, but something has to be.
    pub(super) is_missing: bool,
    /// The location in the schema of what refuses it. Only known where remarks are made.
    pub(super) schema: Option<Box<Location>>,
}

/// The most choices that an error lists: those of a long list are not all sent to a peer.
const MOST_CHOICES: usize = 20;

/// Names a choice: `one of "text", "image"`.
pub(super) fn one_of(choices: impl ExactSizeIterator<Item: fmt::Display>) -> String {
    let count = choices.len();
    let listed: Vec<String> = choices.take(MOST_CHOICES).map(|each| each.to_string()).collect();
    let listed = listed.join(", ");
    match count {
        0 => String::from("a string"),
        1 => listed,
        _ if count > MOST_CHOICES => {
            format!("one of {listed} or {} more", count - MOST_CHOICES)
        }
        _ => format!("one of {listed}"),
    }
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// Into the member of an object.
    Key(String),
    /// Into the item of an array.
    Index(usize),
}

impl DecodeError {
    pub(super) fn new(expected: impl Into<String>, found: &Value) -> Self {
        Self {
            steps: Vec::new(),
            expected: expected.into(),
            found: shown(found),
            is_missing: false,
            schema: None,
        }
    }

    /// Something else than a value of the wrong kind.
    pub(super) fn described(expected: impl Into<String>, found: &str) -> Self {
        let (expected, found) = (expected.into(), found.to_owned());
        Self { steps: Vec::new(), expected, found, is_missing: false, schema: None }
    }

    /// A member that has to be there is not.
    pub(super) fn missing() -> Self {
        Self {
            steps: Vec::new(),
            expected: "a required property".to_owned(),
            found: "nothing".to_owned(),
            is_missing: true,
            schema: None,
        }
    }

    /// Moves the error to an object in whose member it is.
    pub(super) fn in_key(self, key: &str) -> Self {
        self.within(PathStep::Key(key.to_owned()))
    }

    /// Moves the error to the value of which the refused one is this part.
    pub(super) fn within(mut self, step: PathStep) -> Self {
        self.steps.push(step);
        self
    }

    /// Says where the schema has what refuses it, unless something inside already did.
    pub(super) fn located(mut self, schema: &Location) -> Self {
        self.schema.get_or_insert_with(|| Box::new(schema.clone()));
        self
    }

    /// The steps to what is wrong, from the outside in.
    pub fn steps(&self) -> impl Iterator<Item = &PathStep> {
        self.steps.iter().rev()
    }

    /// The path of what is wrong: `update.content[2].text`, nothing for the value itself.
    pub fn path(&self) -> String {
        path(self.steps())
    }
}

/// Steps from the outside in as a path: `update.content[2].text`.
pub(crate) fn path<'a>(steps: impl Iterator<Item = &'a PathStep>) -> String {
    steps.fold(String::new(), |path, step| match step {
        // A dot stands only after something: an empty key at the beginning leaves no trace.
        PathStep::Key(key) if path.is_empty() => key.clone(),
        step => format!("{path}{step}"),
    })
}

impl fmt::Display for PathStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(formatter, ".{key}"),
            Self::Index(index) => write!(formatter, "[{index}]"),
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.steps.is_empty() {
            write!(formatter, "{}: ", self.path())?;
        }
        write!(formatter, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for DecodeError {}

/// A value in a few characters.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => JsonType::from_value(value).words().to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => other.to_string(),
    }
}
