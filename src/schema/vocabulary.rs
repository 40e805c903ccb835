//! Which keywords there are, and what becomes of them.

use crate::diagnostic::Diagnostic;
use crate::ir::JsonType;
use crate::source::Location;

/// Keywords that only describe, or that say nothing a decoder could use.
pub(super) const DESCRIPTIVE: [&str; 11] = [
    "$schema",
    "$id",
    "$comment",
    "$anchor",
    "$vocabulary",
    "$defs",
    "definitions",
    "readOnly",
    "writeOnly",
    "contentMediaType",
    "contentSchema",
];

/// Keywords that restrict values in a way the IR has no word for.
pub(super) const UNMODELLED: [&str; 7] =
    ["if", "then", "else", "contains", "unevaluatedItems", "$dynamicRef", "$recursiveRef"];

/// Tells whether one of those that the IR has no word for says something of values of a type.
pub(super) fn is_about(keyword: &str, kind: JsonType) -> bool {
    match keyword {
        "patternProperties" | "dependentSchemas" | "dependencies" => kind == JsonType::Object,
        "contains" | "unevaluatedItems" => kind == JsonType::Array,
        _ => true,
    }
}

/// Keywords that a slip of the pen is worth being told about: without them, types change.
pub(super) const STRUCTURAL: &[&str] = &[
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "default",
    "description",
    "minimum",
    "maximum",
    "format",
];

/// Says that a keyword at one place is not enforced.
pub(super) fn unenforced(keyword: &str, location: &Location) -> Diagnostic {
    let message = format!("`{keyword}` is not enforced by generated code here");
    Diagnostic::warning("unenforced-keyword", message).at(location.clone()).help(
        "say it in one place with the `type` that it is about, or check it where the value is used",
    )
}
