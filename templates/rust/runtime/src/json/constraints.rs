//! Values that a type alone does not describe: bounds, lengths, constants, lenient arrays.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::Value;

use super::decode::Decode;
use super::error::{DecodeError, Result};
use super::patch::Patch;
use super::reader::Reader;

/// Reads a number within bounds.
pub fn number_in<T: Decode + PartialOrd + Debug>(
    reader: &mut Reader<'_>,
    minimum: &T,
    maximum: &T,
) -> Result<T> {
    let number = T::decode(reader).map_err(|error| match error.found() {
        // Of the type, which has other bounds.
        "a number out of range" => out_of_range(minimum, maximum),
        _ => error,
    })?;
    check_bounds(&number, minimum, maximum).map(|()| number)
}

/// Checks that a number is within bounds.
pub fn check_bounds<T: PartialOrd + Debug>(number: &T, minimum: &T, maximum: &T) -> Result<()> {
    if (minimum..=maximum).contains(&number) {
        return Ok(());
    }
    Err(out_of_range(minimum, maximum))
}

/// Says that a number is not within bounds.
#[cold]
pub(super) fn out_of_range(minimum: &impl Debug, maximum: &impl Debug) -> DecodeError {
    let shown = |bound: String| bound.trim_end_matches(".0").to_owned();
    let (low, high) = (shown(format!("{minimum:?}")), shown(format!("{maximum:?}")));
    let expected = match (low.as_str(), high.as_str()) {
        (_, "inf") => format!("a number of at least {low}"),
        ("-inf", _) => format!("a number of at most {high}"),
        _ => format!("a number from {low} to {high}"),
    };
    DecodeError::new(expected, "a number out of range")
}

/// Reads a string of so many characters.
pub fn string_of(reader: &mut Reader<'_>, minimum: usize, maximum: usize) -> Result<String> {
    let text = reader.string()?;
    let length = text.chars().count();
    check_length("characters", length, minimum, maximum).map(|()| text.into_owned())
}

/// Checks a length.
pub fn check_length(unit: &str, length: usize, minimum: usize, maximum: usize) -> Result<()> {
    if (minimum..=maximum).contains(&length) {
        return Ok(());
    }
    let expected = if maximum == usize::MAX {
        format!("{minimum} or more {unit}")
    } else {
        format!("{minimum} to {maximum} {unit}")
    };
    Err(DecodeError::new(expected, length.to_string()))
}

/// Reads an array of so many items.
pub fn array_of<T>(
    reader: &mut Reader<'_>,
    minimum: usize,
    maximum: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    reader.open_array()?;
    while reader.has_item()? {
        items.push(reader.item(items.len(), &read)?);
    }
    check_length("items", items.len(), minimum, maximum).map(|()| items)
}

/// Reads an array, of which malformed items are left out, and of the others there are so many.
pub fn valid_items_of<T>(
    reader: &mut Reader<'_>,
    minimum: usize,
    maximum: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    let mut index = 0;
    reader.open_array()?;
    while reader.has_item()? {
        items.extend(reader.item(index, |reader| reader.forgive(&read))?);
        index += 1;
    }
    check_length("items", items.len(), minimum, maximum).map(|()| items)
}

/// Reads an array, of which malformed items are left out.
pub fn valid_items<T: Decode>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    valid_items_of(reader, 0, usize::MAX, T::decode)
}

/// Reads `null`, or an array of which malformed items are left out.
pub fn valid_items_or_null<T: Decode>(reader: &mut Reader<'_>) -> Result<Option<Vec<T>>> {
    nullable(reader, valid_items)
}

/// Reads `null`, or an array of which malformed items are left out, for a property that may also
/// be absent.
pub fn valid_items_patch<T: Decode>(reader: &mut Reader<'_>) -> Result<Patch<Vec<T>>> {
    patch(reader, valid_items)
}

/// Reads `null` or something.
pub fn nullable<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
) -> Result<Option<T>> {
    if reader.null()? {
        Ok(None)
    } else {
        read(reader).map(Some)
    }
}

/// Reads `null` or something, for a property that may also be absent.
pub fn patch<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
) -> Result<Patch<T>> {
    if reader.null()? {
        Ok(Patch::Null)
    } else {
        read(reader).map(Patch::Value)
    }
}

/// Reads an object as a map.
pub fn map_of<T>(
    reader: &mut Reader<'_>,
    read: impl Fn(&mut Reader<'_>) -> Result<T>,
) -> Result<BTreeMap<String, T>> {
    reader.open_object()?;
    super::read_members(reader, read)
}

/// Reads a constant.
pub fn literal<T, U>(reader: &mut Reader<'_>, constant: &U) -> Result<T>
where
    T: Decode + PartialEq<U>,
    U: serde::Serialize + ?Sized,
{
    literal_by(reader, constant, |value: &T| value == constant)
}

/// Reads a constant that is no text, boolean or whole number.
pub fn literal_value(reader: &mut Reader<'_>, constant: &Value) -> Result<Value> {
    literal_by(reader, constant, |value| same(value, constant))
}

fn literal_by<T: Decode>(
    reader: &mut Reader<'_>,
    constant: &(impl serde::Serialize + ?Sized),
    fits: impl FnOnce(&T) -> bool,
) -> Result<T> {
    let expected = serde_json::to_string(constant).unwrap_or_default();
    match reader.attempt(T::decode) {
        Some(value) if fits(&value) => Ok(value),
        Some(_) => Err(DecodeError::new(expected, "another value")),
        None => Err(reader.mismatch(expected)),
    }
}

/// Tells whether two values are the same JSON: `1` and `1.0` are.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.is_f64() != other.is_f64() && one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|it| same(one, it)))
        }
        _ => one == other,
    }
}

/// Makes a value from its JSON text, which the generator has checked.
pub fn constant<T: Decode>(text: &str) -> T {
    match super::decode(text) {
        Ok(value) => value,
        Err(error) => unreachable!("{error}"),
    }
}
