//! Parts of a text that may be several things: each is tried.

use std::any::TypeId;
use std::collections::BTreeSet;

use super::error::Result;
use super::reader::Reader;

/// What has been tried in vain.
///
/// What is tried decodes its parts, and what is tried next decodes them again. So without this the
/// time would double with each level of a recursive union.
#[derive(Debug, Default)]
pub(super) struct Failures(BTreeSet<Failure>);

/// Something that was tried in vain.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    /// Where the reader was.
    at: usize,
    strict: bool,
    /// The function that reads.
    read: TypeId,
    /// The members that belonged to unions around it.
    owned: Vec<&'static [&'static str]>,
}

impl Reader<'_> {
    /// Reads something that need not be there. If it is not, the reader has not moved.
    #[doc(hidden)]
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Option<T> {
        let start = self.mark();
        let value = read(self).ok();
        if value.is_none() {
            self.repeats.doubt();
            self.restore(start);
            self.forget_drops(start);
        }
        value
    }

    /// The same, but not where it was tried in vain before.
    #[doc(hidden)]
    pub fn attempt_once<T, F>(&mut self, read: F) -> Option<T>
    where
        F: FnOnce(&mut Self) -> Result<T> + 'static,
    {
        let owned = self.owned.iter();
        let owned = owned.filter(|owned| owned.depth <= self.depth);
        let failure = Failure {
            at: self.at,
            strict: self.strict,
            read: TypeId::of::<F>(),
            owned: owned.map(|owned| owned.names).collect(),
        };
        if self.failures.0.contains(&failure) {
            return None;
        }
        let value = self.attempt(read);
        if value.is_none() {
            self.failures.0.insert(failure);
        }
        value
    }

    /// Reads something strictly, and forgives only if that fails.
    #[doc(hidden)]
    pub fn strict_first<T>(&mut self, read: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        if !self.strict {
            self.strict = true;
            let value = self.attempt(&read);
            self.strict = false;
            if let Some(value) = value {
                return Ok(value);
            }
        }
        read(self)
    }
}
