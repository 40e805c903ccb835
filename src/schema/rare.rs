//! Parts of a schema that few schemas have.

use std::ops::{Deref, DerefMut};

/// A part that takes no memory while it is as [`Default`] makes it and nobody has changed it.
#[derive(Clone, Debug)]
pub struct Rare<T>(Option<Box<T>>);

/// The part of a schema that has none.
pub trait Lacking: Default + PartialEq + 'static {
    /// The default, which is made once.
    fn lacking() -> &'static Self;
}

/// Makes the defaults of parts.
macro_rules! lacking {
    ($($part:ty),*) => {
        $(impl Lacking for $part {
            fn lacking() -> &'static Self {
                static LACKING: std::sync::LazyLock<$part> =
                    std::sync::LazyLock::new(Default::default);
                &LACKING
            }
        })*
    };
}

pub(super) use lacking;

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Rare<T> {
    /// The part, to change it, if there is one.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T: Lacking> From<T> for Rare<T> {
    fn from(part: T) -> Self {
        Self((part != *T::lacking()).then(|| Box::new(part)))
    }
}

impl<T: Lacking> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(part) => part,
            None => T::lacking(),
        }
    }
}

impl<T: Lacking> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Lacking> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
