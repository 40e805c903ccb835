//! Functions beside a call: they make it, and do what everybody would do next.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The functions that offer options, and give back what was chosen (annotation `x-choice`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// The name of the function that gives the option, or none.
    pub name: Name,
    /// The property of the params that holds the options: a required array.
    pub options: Name,
    /// The name of the options' type: a record.
    pub option: String,
    /// The property of an option that tells it from others: a required string.
    pub id: Name,
    /// The property of the result that says what was chosen: a union, of which one variant names an
    /// option.
    pub outcome: Name,
    /// The name of that union.
    pub union: String,
    /// The tag of that variant.
    pub tag: String,
    /// The property of the variant that holds the id of what was chosen: a required string.
    pub chosen: Name,
    /// Which options mean yes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub yes: Option<Yes>,
}

/// The function that tells whether an option was chosen that means yes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Yes {
    /// Its name.
    pub name: Name,
    /// The required property of an option that says what it means.
    pub property: Name,
    /// Its values that mean yes.
    pub values: Vec<String>,
}

/// The function that reads or writes a file at the other end, or on the disk if that end has no such
/// method (annotation `x-file-access`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct FileAccess {
    /// Its name.
    pub name: Name,
    /// The property of the params that holds the path: a required string.
    pub path: Name,
    /// The property that holds the text, a required string: of the result where a file is read, of
    /// the params where one is written.
    pub text: Name,
    /// True if it writes.
    pub writes: bool,
    /// The property of the params that holds the number of the first line to read. The first line
    /// of a file is 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub line: Option<Name>,
    /// The property of the params that holds how many lines are read at most.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub limit: Option<Name>,
}
