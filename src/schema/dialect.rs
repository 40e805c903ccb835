//! Dialects: the drafts of JSON Schema, as far as keywords mean other things in them.

use std::collections::HashMap;

use crate::source::{Node, Span};

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

/// The dialects of the texts that a document is of: what references lead to may be of another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourceDialects {
    /// The dialect of the document.
    pub(super) document: Dialect,
    /// The dialects of other texts, by the numbers of their sources.
    pub(super) others: HashMap<u32, Dialect>,
}

impl SourceDialects {
    /// The dialects of a document by itself.
    pub(super) fn of_document(root: &Node) -> Self {
        Self { document: Dialect::declared_by(root), others: HashMap::new() }
    }

    /// The dialect of the text with this span.
    pub(super) fn at(&self, span: Span) -> Dialect {
        self.others.get(&span.source).copied().unwrap_or(self.document)
    }
}

/// Keywords that came with 2019-09.
const SINCE_2019: [&str; 6] = [
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "unevaluatedItems",
    "unevaluatedProperties",
];

impl Dialect {
    /// How a dialect without this keyword says it. None if it has the keyword.
    pub(super) fn instead_of(self, keyword: &str) -> Option<&'static str> {
        match (self, keyword) {
            (Self::Old, "dependentRequired" | "dependentSchemas") => {
                Some("drafts before 2019-09 write it as `dependencies`")
            }
            (Self::Old, keyword) if SINCE_2019.contains(&keyword) => {
                Some("drafts before 2019-09 do not have it; take it out, or name a newer `$schema`")
            }
            (Self::Draft2019 | Self::Draft2020, "dependencies") => {
                Some("write names as `dependentRequired`, and schemas as `dependentSchemas`")
            }
            _ => None,
        }
    }

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
