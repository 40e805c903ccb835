//! The variants that have refused a value: they need not be tried for it again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ptr;

use serde_json::Value;

use super::error::DecodeError;
use super::mode::Mode;
use super::outer::Outer;

/// The variants that have refused values, while one value is decoded.
///
/// A variant that is tried decodes its parts, and another variant decodes them again. So without
/// this the time would double with each level of a recursive union.
#[derive(Debug, Default)]
pub(super) struct Refused(RefCell<HashMap<Trial, DecodeError>>);

/// A value that is decoded as a variant.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Trial {
    /// The address of the value, which does not move while it is decoded.
    value: usize,
    mode: Mode,
    /// The union of which it is decoded as a variant, and those around that one to which members of
    /// the value belong; each by its address and by whether its tag has selected the variant.
    unions: Vec<(usize, bool)>,
    /// The index of the variant.
    variant: usize,
}

impl Refused {
    /// The error with which the variant has refused the value before.
    pub(super) fn get(&self, trial: &Trial) -> Option<DecodeError> {
        self.0.borrow().get(trial).cloned()
    }

    /// Notes that the variant has refused the value.
    pub(super) fn insert(&self, trial: Trial, error: DecodeError) {
        self.0.borrow_mut().insert(trial, error);
    }
}

impl Trial {
    /// A value that is decoded as the variant of this index. None for a value without parts, which
    /// may well be decoded again.
    pub(super) fn new(
        value: &Value,
        mode: Mode,
        outer: &Outer<'_>,
        variant: usize,
    ) -> Option<Self> {
        // Another way to the same variant counts as this one, if nothing on it takes a member.
        let counts = |(at, it): &(usize, &Outer<'_>)| *at == 0 || it.takes_members();
        let unions = outer.unions().enumerate().filter(counts);
        let unions = unions.map(|(_, it)| (ptr::from_ref(it.union).addr(), it.tag.is_some()));
        let unions = unions.collect();
        (value.is_object() || value.is_array()).then(|| Self {
            value: ptr::from_ref(value).addr(),
            mode,
            unions,
            variant,
        })
    }
}
