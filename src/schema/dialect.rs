//! Dialects: the drafts of JSON Schema, as far as keywords mean other things in them.

use crate::source::Node;

/// Keywords of definitions, now and in older drafts.
pub(super) const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The dialect of a document, by its `$schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A draft before 2019-09: nothing counts beside a `$ref`, and a list of `items` is of items by
    /// their places.
    Old,
    /// 2019-09: a list of `items` is of items by their places.
    Draft2019,
    /// 2020-12: `prefixItems` is of items by their places.
    Draft2020,
    /// Another, or none: what can only be meant in one way means that.
    Unknown,
}

impl Dialect {
    /// The dialect of the document with this root.
    pub(super) fn declared_by(root: &Node) -> Self {
        let dialect = root.get("$schema").and_then(Node::as_str).unwrap_or_default();
        let old = ["draft-03", "draft-04", "draft-06", "draft-07"];
        if old.iter().any(|draft| dialect.contains(draft)) {
            Self::Old
        } else if dialect.contains("2019-09") {
            Self::Draft2019
        } else if dialect.contains("2020-12") {
            Self::Draft2020
        } else {
            Self::Unknown
        }
    }
}
