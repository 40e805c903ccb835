//! Tuples: items by their places.

use super::Comparer;
use super::finding::ComparedLocation;
use crate::breaking::shape::List;
use crate::ir::Tuple;

impl<'a> Comparer<'a> {
    /// Compares how many items there may be, and those that may be in both.
    pub(super) fn tuples(&mut self, at: &ComparedLocation<'a>, old: &'a Tuple, new: &'a Tuple) {
        self.counts(at, List::Tuple(old), List::Tuple(new));
        for place in 0..old.items.len().max(new.items.len()) {
            if let (Some(from), Some(to)) = (old.item(place), new.item(place)) {
                self.types(&at.place(place), from, to);
            }
        }
        if let (Some(from), Some(to)) = (&old.rest, &new.rest) {
            self.types(&at.item(), &from.items, &to.items);
        }
    }
}
