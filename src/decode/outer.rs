//! Unions around a value: it is decoded as a variant of each of them.

use crate::ir::Union;

/// A union, of which a variant is being decoded from the same value.
#[derive(Clone, Copy)]
pub(super) struct Outer<'o> {
    pub(super) union: &'o Union,
    /// The tag's property, if the tag has selected the variant.
    pub(super) tag: Option<&'o str>,
    /// The union of which that one is a variant.
    pub(super) next: Option<&'o Outer<'o>>,
}

impl<'o> Outer<'o> {
    /// The unions around the value, the innermost first.
    pub(super) fn unions(&self) -> impl Iterator<Item = &Outer<'o>> {
        std::iter::successors(Some(self), |outer| outer.next)
    }

    /// Tells whether members of the value can belong to this union itself.
    pub(super) fn takes_members(&self) -> bool {
        self.tag.is_some() || !self.union.shared.is_empty()
    }

    /// Tells whether a member of the value belongs to one of the unions.
    pub(super) fn owns(&self, key: &str) -> bool {
        let is_shared = |union: &Union| union.shared.iter().any(|field| field.name.wire == key);
        self.unions().any(|outer| outer.tag == Some(key) || is_shared(outer.union))
    }
}
