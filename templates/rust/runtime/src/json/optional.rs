//! What setters take for a property that need not be there.

use std::borrow::Cow;

use serde_json::Number;

use super::patch::Patch;
use super::{Object, Value};

/// A value of a type, what becomes one, or an `Option` of one, of which `None` is no value.
///
/// Setters of optional properties take it. `As` says which it is, and is never written.
pub trait IntoOption<T, As> {
    /// The value, if there is one.
    fn into_option(self) -> Option<T>;
}

/// A value of a type, what becomes one, an `Option` of one, of which `None` is no property, or a
/// [`Patch`].
///
/// Setters of optional properties that may be `null` take it. `As` says which it is, and is never
/// written.
pub trait IntoPatch<T, As> {
    /// The value, if there is one, or `null`.
    fn into_patch(self) -> Patch<T>;
}

/// Any JSON, what becomes it, or an `Option` of a [`Value`], of which `None` is no value.
///
/// Setters of optional properties of any JSON take it.
#[diagnostic::on_unimplemented(message = "`{Self}` is no JSON value, and no `Option` of one")]
pub trait IntoJson {
    /// The value, if there is one.
    fn into_json(self) -> Option<Value>;
}

/// Marks what is a value, or becomes one.
#[derive(Clone, Copy, Debug)]
pub enum FromValue {}

/// Marks an `Option`.
#[derive(Clone, Copy, Debug)]
pub enum FromOption {}

/// Marks a [`Patch`].
#[derive(Clone, Copy, Debug)]
pub enum FromPatch {}

impl<T, U: Into<T>> IntoOption<T, FromValue> for U {
    fn into_option(self) -> Option<T> {
        Some(self.into())
    }
}

impl<T> IntoOption<T, FromOption> for Option<T> {
    fn into_option(self) -> Self {
        self
    }
}

impl<T, U: Into<T>> IntoPatch<T, FromValue> for U {
    fn into_patch(self) -> Patch<T> {
        Patch::Value(self.into())
    }
}

impl<T> IntoPatch<T, FromOption> for Option<T> {
    fn into_patch(self) -> Patch<T> {
        self.into()
    }
}

impl<T> IntoPatch<T, FromPatch> for Patch<T> {
    fn into_patch(self) -> Self {
        self
    }
}

impl IntoJson for Option<Value> {
    fn into_json(self) -> Self {
        self
    }
}

macro_rules! into_json {
    ($($type:ty),*) => {
        $(impl IntoJson for $type {
            fn into_json(self) -> Option<Value> {
                Some(self.into())
            }
        })*
    };
}

into_json! {
    Value, Object, Number, bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64,
    String, &str, Cow<'_, str>
}

impl<T: Into<Value>> IntoJson for Vec<T> {
    fn into_json(self) -> Option<Value> {
        Some(self.into())
    }
}

impl<T: Into<Value>, const N: usize> IntoJson for [T; N] {
    fn into_json(self) -> Option<Value> {
        Vec::from(self).into_json()
    }
}
