//! Properties of objects, strict and lenient.

use super::decode::Decode;
use super::error::{DecodeError, Dropped, Result, Step};
use super::reader::Reader;

impl Reader<'_> {
    /// Reads the value of a property.
    #[inline]
    #[doc(hidden)]
    pub fn field<T: Decode>(&mut self, key: &str) -> Result<T> {
        self.field_with(key, T::decode)
    }

    /// Reads the value of a property that has a reader of its own.
    #[inline]
    #[doc(hidden)]
    pub fn field_with<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.step(|| Step::property(key), read)
    }

    /// Reads the value of a property, or nothing if it is malformed and that is forgiven.
    #[inline]
    #[doc(hidden)]
    pub fn lenient<T: Decode>(&mut self, key: &str) -> Result<Option<T>> {
        self.lenient_with(key, T::decode)
    }

    /// Reads the value of a property that has a reader of its own, or nothing if it is malformed
    /// and that is forgiven.
    #[doc(hidden)]
    pub fn lenient_with<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.step(|| Step::property(key), |reader| reader.forgive(read))
    }

    /// Reads the value of a property, or nothing if it is `null` and that is forgiven.
    #[doc(hidden)]
    pub fn non_null<T: Decode>(&mut self, key: &str) -> Result<Option<T>> {
        self.non_null_with(key, T::decode)
    }

    /// Reads the value of a property that has a reader of its own, or nothing if it is `null` and
    /// that is forgiven.
    #[doc(hidden)]
    pub fn non_null_with<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.step(
            || Step::property(key),
            |reader| {
                if reader.token() == Some(b'n') {
                    reader.forgive(read)
                } else {
                    read(reader).map(Some)
                }
            },
        )
    }

    /// Reads a value, or passes over it if it is malformed.
    pub(super) fn forgive<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        let start = self.mark();
        match read(self) {
            Ok(value) => Ok(Some(value)),
            Err(error) if self.strict => Err(error),
            Err(error) => {
                self.repeats.doubt();
                self.restore(start);
                self.skip()?;
                self.forget_drops(start);
                if let Some(drops) = &mut self.drops {
                    drops.push(Dropped { error });
                }
                Ok(None)
            }
        }
    }

    /// Reads part of a value. Should something be wrong in it, or forgiven, the part is named.
    #[inline]
    pub(super) fn step<T>(
        &mut self,
        step: impl Fn() -> Step,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.drops.as_ref().map_or(0, Vec::len);
        let mut result = read(self);
        if let Err(error) = &mut result {
            error.push(step());
        }
        if self.drops.is_some() {
            self.name_drops(before, step);
        }
        result
    }

    #[cold]
    fn name_drops(&mut self, before: usize, step: impl Fn() -> Step) {
        for dropped in self.drops.iter_mut().flatten().skip(before) {
            dropped.error.push(step());
        }
    }
}

/// Takes what a property must have given.
///
/// # Errors
///
/// There was no such property.
#[inline]
pub fn required<T>(slot: Option<T>, name: &'static str) -> Result<T> {
    match slot {
        Some(value) => Ok(value),
        None => Err(DecodeError::missing(name)),
    }
}
