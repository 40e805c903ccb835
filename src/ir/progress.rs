//! Progress: an item of a state is told of from its start to its end.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The class that tells of an item: it opens it, changes it, and says how it ended (annotation
/// `x-status` with `completed` and `failed`). It belongs to the notification that carries the
/// changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// The name of the class, and of the function that makes one.
    pub name: Name,
    /// The name of the items, as messages and comments say it.
    pub thing: Name,
    /// The property of the notification's params that holds a value of the union.
    pub property: Name,
    /// The other properties of the params that are required.
    pub with: Vec<Name>,
    /// The name of the union.
    pub union: String,
    /// The tag of the variant that opens an item.
    pub opens: String,
    /// The name of what that variant carries: the items' type.
    pub item: String,
    /// The tag of the variant that changes an item. It may be the one that opens it.
    pub changes: String,
    /// The name of what that variant carries. It needs nothing but the key.
    pub change: String,
    /// The property of both that tells items apart.
    pub key: Name,
    /// The property of both that says how far the item has come.
    pub status: Name,
    /// Its value for an item that begins, if that is told.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub started: Option<String>,
    /// Its value for an item that has come to its end.
    pub completed: String,
    /// Its value for an item that has failed.
    pub failed: String,
    /// Its value for an item that a cancelled turn has ended.
    pub cancelled: String,
}
