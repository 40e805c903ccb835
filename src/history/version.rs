//! A version of a schema.

use crate::ir::Protocol;
use crate::schema::Schema;

/// A version of a schema, loaded.
#[derive(Debug)]
pub struct Version {
    /// The name that people know it by: a tag, a revision, a file's name.
    pub label: String,
    /// The name under which it was or will be released. `None`: it has none yet.
    pub version: Option<String>,
    /// The day on which it was made (`2026-11-22`), where git knows.
    pub date: Option<String>,
    /// The schema with its overlays.
    pub schema: Schema,
    /// The protocol.
    pub protocol: Protocol,
}
