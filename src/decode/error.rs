//! Why a value is refused, and where.

use std::fmt;

use serde_json::Value;

use crate::ir::JsonType;

/// The reason for which a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The way to what is wrong, from the inside out.
    steps: Vec<PathStep>,
    /// The value that was expected: `a string`.
    pub expected: String,
    /// The value that was found: `null`, `"red"`, `an object`. Never all of a large value.
    pub found: String,
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
        Self { steps: Vec::new(), expected: expected.into(), found: shown(found) }
    }

    /// A member that has to be there is not.
    pub(super) fn missing(key: &str) -> Self {
        let (expected, found) = ("a required property".to_owned(), "nothing".to_owned());
        Self { steps: vec![PathStep::Key(key.to_owned())], expected, found }
    }

    /// Moves the error to an object in whose member it is.
    pub(super) fn in_key(mut self, key: &str) -> Self {
        self.steps.push(PathStep::Key(key.to_owned()));
        self
    }

    /// Moves the error to an array in whose item it is.
    pub(super) fn in_item(mut self, index: usize) -> Self {
        self.steps.push(PathStep::Index(index));
        self
    }

    /// The steps to what is wrong, from the outside in.
    pub fn steps(&self) -> impl Iterator<Item = &PathStep> {
        self.steps.iter().rev()
    }

    /// The path of what is wrong: `update.content[2].text`, nothing for the value itself.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps() {
            path.push_str(&step.to_string());
        }
        path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
    }
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
        Value::Array(_) | Value::Object(_) => JsonType::of(value).words().to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => other.to_string(),
    }
}
