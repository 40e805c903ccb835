//! Properties that can be absent, `null`, or there.

use super::constraints::patch;
use super::decode::Decode;
use super::error::Result;
use super::reader::Reader;

/// A property that may be absent, and may be `null`: two different things.
///
/// Where the difference does not matter it reads like an [`Option`]; [`From`] makes one from a
/// value or an `Option`, of which `None` is [`Patch::Absent`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Patch<T> {
    /// The property is not there.
    #[default]
    Absent,
    /// The property is there, and is `null`.
    Null,
    /// The property has a value.
    Value(T),
}

impl<T> Patch<T> {
    /// The value, if there is one.
    pub fn as_ref(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The value to change, if there is one.
    pub fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// What the value dereferences to: a `&str` of a `String`, a slice of a `Vec`.
    pub fn as_deref(&self) -> Option<&T::Target>
    where
        T: std::ops::Deref,
    {
        self.as_ref().map(std::ops::Deref::deref)
    }

    /// The value, taken out, if there is one.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Takes the value out, and leaves the property absent.
    pub fn take(&mut self) -> Option<T> {
        std::mem::replace(self, Self::Absent).into_option()
    }

    /// Another value, made from this one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// There is none.
    #[track_caller]
    pub fn unwrap(self) -> T {
        self.into_option().unwrap()
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// There is none: the message is said.
    #[track_caller]
    pub fn expect(self, message: &str) -> T {
        self.into_option().expect(message)
    }

    /// The value, or another.
    pub fn unwrap_or(self, default: T) -> T {
        self.into_option().unwrap_or(default)
    }

    /// The value, or one that is made where there is none.
    pub fn unwrap_or_else(self, make: impl FnOnce() -> T) -> T {
        self.into_option().unwrap_or_else(make)
    }

    /// The value, or its type's default.
    pub fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        self.into_option().unwrap_or_default()
    }

    /// The value, or this error where there is none.
    ///
    /// # Errors
    ///
    /// There is no value.
    pub fn ok_or<E>(self, error: E) -> std::result::Result<T, E> {
        self.into_option().ok_or(error)
    }

    /// The value, or an error that is made where there is none.
    ///
    /// # Errors
    ///
    /// There is no value.
    pub fn ok_or_else<E>(self, make: impl FnOnce() -> E) -> std::result::Result<T, E> {
        self.into_option().ok_or_else(make)
    }

    /// Whether there is a value.
    pub fn is_some(&self) -> bool {
        matches!(self, Self::Value(_))
    }

    /// Whether there is a value, and one of which this is true.
    #[allow(clippy::wrong_self_convention, reason = "it is that of `Option`")]
    pub fn is_some_and(self, is_so: impl FnOnce(T) -> bool) -> bool {
        self.into_option().is_some_and(is_so)
    }

    /// Whether there is no value: the property is absent or `null`.
    pub fn is_none(&self) -> bool {
        !self.is_some()
    }

    /// Whether the property is not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the property is there and `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T> From<Option<T>> for Patch<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

impl<T> From<Patch<T>> for Option<T> {
    fn from(value: Patch<T>) -> Self {
        value.into_option()
    }
}

impl<T: Decode> Decode for Patch<T> {
    #[inline]
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        patch(reader, T::decode)
    }
}
