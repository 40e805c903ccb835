//! Filters that make text of a schema harmless in a language.

use serde_json::Value;

/// The filters of one language, for templates that a user wrote.
#[derive(Clone, Copy)]
pub(super) struct SyntaxFilters {
    /// The language's name.
    pub(super) id: &'static str,
    /// Makes an identifier of letters, digits and `_`: one that does not begin with a digit and
    /// is no keyword.
    pub(super) ident: fn(&str) -> String,
    /// Writes a constant that is no array or object.
    pub(super) literal: fn(&Value) -> Option<String>,
    /// Writes the lines of a comment, marks included.
    pub(super) doc: fn(&str) -> Vec<String>,
}
