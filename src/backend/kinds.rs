//! JSON types of a type by the index of their words, until backends print the decode plan.

use crate::ir::{JsonType, JsonTypes, Protocol, Type};

/// Each JSON type, as the runtime's `kind` calls it.
pub(super) const KINDS: [&str; 6] =
    ["null", "a boolean", "a number", "a string", "an array", "an object"];

/// A set of [`KINDS`], by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(JsonTypes);

impl Kinds {
    /// Whether the kind of this index is in the set.
    pub(super) fn has(self, index: usize) -> bool {
        JsonType::EACH.get(index).is_some_and(|ty| self.0.contains(*ty))
    }
}

/// The JSON types that a value of the type can have.
pub(super) fn kinds(protocol: &Protocol, ty: &Type) -> Kinds {
    Kinds(protocol.json_types(ty))
}

/// Whether every value of a type is an object with named members.
pub(super) fn is_object(protocol: &Protocol, ty: &Type) -> bool {
    protocol.is_object(ty)
}
