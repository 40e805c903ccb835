//! What the drafts of JSON Schema have called otherwise, or meant otherwise.

use crate::source::Node;

/// Keywords of definitions, now and in older drafts.
pub(super) const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// Tells whether a document is of a draft in which nothing counts beside a `$ref`: before 2019-09.
pub(super) fn is_old(root: &Node) -> bool {
    let dialect = root.get("$schema").and_then(Node::as_str).unwrap_or_default();
    ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|draft| dialect.contains(draft))
}
