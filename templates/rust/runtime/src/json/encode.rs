//! How values are written.

use std::io;

use serde::Serialize;
use serde::ser::Error;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

/// Writes a value as JSON text. A whole number has no fraction in it, whatever its type: `3`, not
/// `3.0`.
///
/// # Errors
///
/// The value cannot be written. Types of this crate always can.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let mut buffer = Vec::with_capacity(128);
    write(&mut buffer, value)?;
    String::from_utf8(buffer).map_err(serde_json::Error::custom)
}

/// Adds a value as JSON text.
pub fn write<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(buffer, Format))
}

/// JSON on one line, with whole numbers as they are usually sent.
struct Format;

impl Formatter for Format {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, number: f64) -> io::Result<()> {
        match whole(number) {
            Some(number) => self.write_i64(writer, number),
            None => CompactFormatter.write_f64(writer, number),
        }
    }
}

/// The whole number that a number is, if every whole number up to it is exact.
fn whole(number: f64) -> Option<i64> {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let exact = number.fract() == 0.0 && number.abs() <= LARGEST;
    let negative_zero = number == 0.0 && number.is_sign_negative();
    #[allow(clippy::cast_possible_truncation, reason = "it is whole, and in range")]
    (exact && !negative_zero).then_some(number as i64)
}
