//! Constraints beyond bounds: steps of numbers, items that differ, and rules for keys.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;

use super::constraints::check_length;
use super::error::{DecodeError, Result};
use super::reader::{Mark, Reader};

/// Reads a value, and checks it.
pub fn checked<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
    check: impl FnOnce(&T) -> Result<()>,
) -> Result<T> {
    let value = read(reader)?;
    check(&value).map(|()| value)
}

/// Checks that a number is above a bound.
pub fn check_above(number: f64, bound: f64) -> Result<()> {
    if number > bound {
        return Ok(());
    }
    let expected = format!("a number above {}", shown(bound));
    Err(DecodeError::new(expected, "a number out of range"))
}

/// Checks that a number is below a bound.
pub fn check_below(number: f64, bound: f64) -> Result<()> {
    if number < bound {
        return Ok(());
    }
    let expected = format!("a number below {}", shown(bound));
    Err(DecodeError::new(expected, "a number out of range"))
}

/// Checks that a number is a multiple of a step, as far as its digits tell: `0.3` is one of `0.1`.
pub fn check_multiple(number: f64, step: f64) -> Result<()> {
    let quotient = number / step;
    let rest = (quotient - quotient.round()).abs();
    if !quotient.is_finite() || rest <= quotient.abs() * 2.0 * f64::EPSILON {
        return Ok(());
    }
    let expected = format!("a multiple of {}", shown(step));
    Err(DecodeError::new(expected, "another number"))
}

/// Checks that a whole number is a multiple of a step.
pub fn check_whole_multiple(number: impl Into<i128>, step: i128) -> Result<()> {
    if number.into() % step == 0 {
        return Ok(());
    }
    let expected = format!("a multiple of {step}");
    Err(DecodeError::new(expected, "another number"))
}

fn shown(number: f64) -> String {
    format!("{number:?}").trim_end_matches(".0").to_owned()
}

/// Checks that no item is there twice.
pub fn check_distinct<T: Serialize>(items: &[T]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for item in items {
        let mut text = serde_json::to_string(item).unwrap_or_default();
        if text == "-0.0" {
            text.remove(0);
        }
        if !seen.insert(text) {
            return Err(DecodeError::new(
                "items that all differ",
                "an item that is there twice",
            ));
        }
    }
    Ok(())
}

/// The rules for the keys of an object.
pub struct Keys {
    /// How many there are at least.
    pub minimum: usize,
    /// How many there are at most.
    pub maximum: usize,
    /// Keys that ask for others.
    pub dependent: &'static [(&'static str, &'static [&'static str])],
    /// Sets of keys, of which an object has at least one.
    pub choices: &'static [KeyChoice],
    /// How they are spelled. Only a strict reader looks at that.
    pub names: Option<Names>,
}

/// Sets of keys, of which an object has at least one.
pub struct KeyChoice {
    /// The sets in words.
    pub expected: &'static str,
    /// The sets.
    pub sets: &'static [&'static [&'static str]],
    /// Whether an object has no second of them.
    pub only_one: bool,
}

impl KeyChoice {
    fn check(&self, found: &BTreeSet<Cow<'_, str>>) -> Result<()> {
        let has_all = |set: &&&[&str]| set.iter().all(|key| found.contains(*key));
        let other = match self.sets.iter().filter(has_all).count() {
            0 => "none of them",
            2.. if self.only_one => "more",
            _ => return Ok(()),
        };
        Err(DecodeError::new(self.expected, other))
    }
}

/// The keys that an object may have.
pub struct Names {
    /// The fewest characters.
    pub minimum: usize,
    /// The most characters.
    pub maximum: usize,
    /// The only ones that are allowed, if they are listed.
    pub listed: Option<&'static [&'static str]>,
    /// What else is looked at.
    pub check: Option<fn(&str) -> Result<()>>,
}

impl Names {
    fn allow(&self, name: &str) -> bool {
        (self.minimum..=self.maximum).contains(&name.chars().count())
            && self.listed.is_none_or(|listed| listed.contains(&name))
            && self.check.is_none_or(|check| check(name).is_ok())
    }
}

/// Reads an object used as a map, and checks its keys.
pub fn keyed<T>(
    reader: &mut Reader<'_>,
    rules: &Keys,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
) -> Result<T> {
    let start = reader.mark();
    let value = read(reader)?;
    let end = reader.mark();
    reader.restore(start);
    reader.open_object()?;
    reader.check_rest(rules)?;
    reader.restore(end);
    Ok(value)
}

impl<'a> Reader<'a> {
    /// Checks the keys of the object which was read from a place on.
    #[doc(hidden)]
    pub fn check_keys(&mut self, start: Mark, rules: &Keys) -> Result<()> {
        let end = self.mark();
        self.restore(start);
        self.check_rest(rules)?;
        self.restore(end);
        Ok(())
    }

    /// Checks the keys of the rest of the object that the reader is in.
    fn check_rest(&mut self, rules: &Keys) -> Result<()> {
        let names = rules.names.as_ref().filter(|_| self.strict);
        let mut found: BTreeSet<Cow<'a, str>> = BTreeSet::new();
        let mut refused = None;
        while let Some(name) = self.key()? {
            if refused.is_none() && names.is_some_and(|names| !names.allow(&name)) {
                let error = self.mismatch("no property of this name");
                refused = Some(error.within(name.clone().into_owned()));
            }
            self.skip()?;
            found.insert(name);
        }
        check_length("properties", found.len(), rules.minimum, rules.maximum)?;
        for (key, wanted) in rules.dependent {
            let mut wanted = wanted.iter().filter(|_| found.contains(*key));
            if let Some(missing) = wanted.find(|name| !found.contains(**name)) {
                return Err(DecodeError::missing(missing));
            }
        }
        rules
            .choices
            .iter()
            .try_for_each(|choice| choice.check(&found))?;
        refused.map_or(Ok(()), Err)
    }

    /// Refuses a property that is not listed, where nothing is forgiven, unless it belongs to a
    /// union around the object's type.
    #[doc(hidden)]
    pub fn deny(&mut self, name: &str) -> Result<()> {
        if !self.strict || self.is_owned(name) {
            return Ok(());
        }
        let error = self.mismatch("no other property");
        Err(error.within(name.to_owned()))
    }
}

/// A number of its own type that is checked.
#[doc(hidden)]
#[macro_export]
macro_rules! judged_number {
    ($type:ident, $number:ident, $check:expr) => {
        impl $type {
            /// A number that fits.
            ///
            /// # Errors
            ///
            /// It does not.
            pub fn new(number: $number) -> json::Result<Self> {
                let check: fn(&$number) -> json::Result<()> = $check;
                check(&number)?;
                Ok(Self(number))
            }
        }

        impl TryFrom<$number> for $type {
            type Error = json::DecodeError;

            fn try_from(number: $number) -> json::Result<Self> {
                Self::new(number)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                Self::new(json::Decode::decode(reader)?)
            }
        }

        json::numeric_newtype!($type, $number);
    };
}

/// An enum of strings that keeps values it does not know, if they fit.
#[doc(hidden)]
#[macro_export]
macro_rules! bounded_enum {
    ($type:ident, $other:ident, $check:expr) => {
        impl $type {
            fn known(text: &str) -> Option<Self> {
                Self::ALL
                    .iter()
                    .find(|value| value.as_str() == text)
                    .cloned()
            }

            /// A known value, or another text that fits.
            ///
            /// # Errors
            ///
            /// It does not.
            pub fn new(text: impl Into<String>) -> json::Result<Self> {
                let text = text.into();
                if let Some(known) = Self::known(&text) {
                    return Ok(known);
                }
                let check: fn(&str) -> json::Result<()> = $check;
                check(&text)?;
                Ok(Self::$other(text))
            }
        }

        impl TryFrom<&str> for $type {
            type Error = json::DecodeError;

            fn try_from(text: &str) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl TryFrom<String> for $type {
            type Error = json::DecodeError;

            fn try_from(text: String) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl From<&$type> for $type {
            fn from(value: &$type) -> Self {
                value.clone()
            }
        }

        impl std::str::FromStr for $type {
            type Err = json::DecodeError;

            fn from_str(text: &str) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                Self::new(reader.string()?)
            }
        }

        json::text_enum!($type);
    };
}

/// An enum of integers that keeps values it does not know, if they fit.
#[doc(hidden)]
#[macro_export]
macro_rules! bounded_number_enum {
    ($type:ident, $integer:ident, $other:ident, $check:expr) => {
        impl TryFrom<$integer> for $type {
            type Error = json::DecodeError;

            fn try_from(number: $integer) -> json::Result<Self> {
                let known = Self::ALL.iter().find(|value| value.value() == number);
                if let Some(known) = known {
                    return Ok(*known);
                }
                let check: fn(&$integer) -> json::Result<()> = $check;
                check(&number)?;
                Ok(Self::$other(number))
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                Self::try_from(<$integer as json::Decode>::decode(reader)?)
            }
        }

        json::number_enum!($type, $integer);
    };
}

#[doc(hidden)]
pub use {bounded_enum, bounded_number_enum, judged_number};
