//! Members of objects that are not listed, and objects told apart by their members.

use std::borrow::Cow;

use super::error::Result;
use super::reader::{Mark, Reader};

/// The names of members that belong to a union around the object's own type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owned {
    /// How many more levels may be opened within the object.
    pub(super) depth: u16,
    pub(super) names: &'static [&'static str],
}

impl<'a> Reader<'a> {
    /// Reads a part of the object that the reader is in, to which members of these names do not
    /// belong.
    #[doc(hidden)]
    pub fn beside<T>(
        &mut self,
        names: &'static [&'static str],
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.owning(self.depth, names, read)
    }

    /// Reads an object, of which members of these names do not belong to its type.
    #[doc(hidden)]
    pub fn without<T>(
        &mut self,
        names: &'static [&'static str],
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.owning(self.depth.saturating_sub(1), names, read)
    }

    fn owning<T>(
        &mut self,
        depth: u16,
        names: &'static [&'static str],
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.owned.len();
        self.owned.push(Owned { depth, names });
        let result = read(self);
        self.owned.truncate(before);
        result
    }

    /// Whether a member of the object that the reader is in belongs to a union around its type.
    pub(super) fn is_owned(&self, name: &str) -> bool {
        let owned = self.owned.iter().rev();
        let mut owned = owned.take_while(|owned| owned.depth == self.depth);
        owned.any(|owned| owned.names.contains(&name))
    }

    /// Reads a member that is not listed into a map, unless it belongs to a union around the
    /// object's type.
    #[doc(hidden)]
    pub fn keep<T>(
        &mut self,
        name: Cow<'a, str>,
        members: &mut impl Extend<(String, T)>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<()> {
        if self.is_owned(&name) {
            return self.skip();
        }
        let value = self.field_with(&name, read)?;
        members.extend([(name.into_owned(), value)]);
        Ok(())
    }

    /// Checks that the object which was read from a place on does not have all keys of a set.
    #[doc(hidden)]
    pub fn forbid(&mut self, start: Mark, sets: &[&[&'static str]]) -> Result<()> {
        let end = self.mark();
        for keys in sets {
            let Some(last) = keys.last() else {
                continue;
            };
            self.restore(start);
            let mut missing = keys.to_vec();
            let mut refused = None;
            while let Some(name) = self.key()? {
                if name == *last {
                    refused = Some(self.mismatch("no such property").within(*last));
                }
                missing.retain(|key| *key != name);
                self.skip()?;
            }
            if let Some(refused) = refused.filter(|_| missing.is_empty()) {
                return Err(refused);
            }
        }
        self.restore(end);
        Ok(())
    }

    /// Of variants, each with the members that it knows, or with none if it knows all: their
    /// indexes, those first that know most members of the object that the reader is in. The reader
    /// does not move.
    #[doc(hidden)]
    pub fn most_known(&mut self, variants: &[Option<&[&str]>]) -> Result<Vec<usize>> {
        let start = self.mark();
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        while let Some(name) = self.key()? {
            self.skip()?;
            if names.contains(&name) {
                self.repeats.doubt();
            } else {
                names.push(name);
            }
        }
        self.restore(start);
        let known = |index: &usize| match variants.get(*index) {
            Some(Some(known)) => names
                .iter()
                .filter(|name| known.contains(&&***name))
                .count(),
            _ => names.len(),
        };
        let mut order: Vec<usize> = (0..variants.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(known(index)));
        Ok(order)
    }

    /// The same for the object that is next.
    #[doc(hidden)]
    pub fn most_known_within(&mut self, variants: &[Option<&[&str]>]) -> Result<Vec<usize>> {
        let start = self.mark();
        self.open_object()?;
        let order = self.most_known(variants)?;
        self.restore(start);
        Ok(order)
    }
}
