//! Unions around a value: it is decoded as a variant of each of them.

use crate::ir::Union;

/// A union, of which a variant is being decoded from the same value.
#[derive(Clone, Copy)]
pub(super) struct Outer<'o> {
    pub(super) name: &'o str,
    pub(super) union: &'o Union,
    /// The tag's property, if the tag has selected the variant.
    pub(super) tag: Option<&'o str>,
    /// The union of which that one is a variant.
    pub(super) next: Option<&'o Outer<'o>>,
}

impl Outer<'_> {
    /// Tells whether the value is already being decoded as this union.
    pub(super) fn is_within(&self, name: &str) -> bool {
        self.name == name || self.next.is_some_and(|next| next.is_within(name))
    }

    /// Tells whether a member of the value belongs to one of the unions.
    pub(super) fn owns(&self, key: &str) -> bool {
        self.tag == Some(key)
            || self.union.shared.iter().any(|field| field.name.wire == key)
            || self.next.is_some_and(|next| next.owns(key))
    }
}
