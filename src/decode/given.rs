//! Fields whose values the schema gives: a default, or what becomes of a value that is forgiven.

use std::cell::Cell;
use std::ptr;

use crate::ir::Field;

/// A field of which a value that the schema gives is being decoded.
#[derive(Debug)]
pub(super) struct Given<'g> {
    pub(super) field: &'g Field,
    /// The field in whose value that field is.
    pub(super) next: Option<&'g Given<'g>>,
    /// True once the value has had to hold itself.
    pub(super) is_endless: Cell<bool>,
}

impl Given<'_> {
    /// Tells whether the field is one of these, whose value then has to hold itself.
    pub(super) fn is_within(&self, field: &Field) -> bool {
        if ptr::eq(self.field, field) {
            self.is_endless.set(true);
            return true;
        }
        self.next.is_some_and(|next| next.is_within(field))
    }
}
