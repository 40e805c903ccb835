//! Numbers.

use serde_json::{Number, Value};

use super::error::{DecodeError, Dropped, Result};
use super::reader::Reader;

impl<'a> Reader<'a> {
    /// Reads a whole number, however it is written: `1`, `1.0`, `10e-1`.
    #[inline]
    #[doc(hidden)]
    pub fn integer(&mut self) -> Result<i128> {
        if !matches!(self.token(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.mismatch("an integer"));
        }
        let token = self.number_token()?;
        let (negative, digits) = match token.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, token),
        };
        if digits.len() > 18 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return integral(token);
        }
        let mut number: u64 = 0;
        for byte in digits.bytes() {
            number = number * 10 + u64::from(byte - b'0');
        }
        Ok(if negative {
            -i128::from(number)
        } else {
            i128::from(number)
        })
    }

    /// Reads a number.
    #[doc(hidden)]
    pub fn number(&mut self) -> Result<f64> {
        if !matches!(self.token(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.mismatch("a number"));
        }
        float(self.number_token()?)
    }

    /// Reads a number as the JSON value it is.
    pub(super) fn number_value(&mut self) -> Result<Value> {
        let token = self.number_token()?;
        if let Ok(number) = token.parse::<u64>() {
            return Ok(Value::from(number));
        }
        if let Ok(number) = token.parse::<i64>() {
            return Ok(Value::from(number));
        }
        if token.contains(['.', 'e', 'E']) {
            return Ok(Number::from_f64(float(token)?).map_or(Value::Null, Value::Number));
        }
        // It is kept as it is where `serde_json` has the feature `arbitrary_precision`.
        match token.parse::<Number>() {
            Ok(number) if number.to_string() == token => Ok(Value::Number(number)),
            _ => self.rounded(token),
        }
    }

    /// An integer that `serde_json` does not hold, as the nearest number that it does; this is told.
    #[cold]
    fn rounded(&mut self, token: &str) -> Result<Value> {
        let number = float(token)?;
        if let Some(drops) = &mut self.drops {
            let found = "a larger one, which is rounded";
            drops.push(Dropped {
                error: DecodeError::new("an integer of 64 bits", found),
            });
        }
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    /// Passes over the number that the reader stands at.
    pub(super) fn number_token(&mut self) -> Result<&'a str> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.syntax("a digit")),
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn digits(&mut self) {
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<()> {
        let start = self.at;
        self.digits();
        if self.at == start {
            Err(self.syntax("a digit"))
        } else {
            Ok(())
        }
    }
}

fn float(token: &str) -> Result<f64> {
    match token.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(DecodeError::new(
            "a number of 64 bits",
            "a number out of range",
        )),
    }
}

/// The value of a number that is not just a few digits, if it is a whole number. What is too large
/// for this type is too large for any: the largest is as good.
#[cold]
fn integral(token: &str) -> Result<i128> {
    let largest = if token.starts_with('-') {
        i128::MIN
    } else {
        i128::MAX
    };
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant
        .trim_start_matches('-')
        .trim_start_matches('0')
        .is_empty()
    {
        return Ok(0);
    }
    let zeros = digits.len() - significant.len();
    let exponent = match exponent.parse::<i64>() {
        Ok(exponent) => exponent,
        Err(_) if exponent.starts_with('-') => i64::MIN,
        Err(_) => i64::MAX,
    };
    let shift = exponent
        .saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX))
        .saturating_add(i64::try_from(zeros).unwrap_or(i64::MAX));
    if shift < 0 {
        return Err(DecodeError::new("an integer", "a fraction"));
    }
    let scale = u32::try_from(shift)
        .ok()
        .and_then(|shift| 10_i128.checked_pow(shift));
    let number = significant.parse::<i128>().ok().zip(scale);
    let number = number.and_then(|(number, scale)| number.checked_mul(scale));
    Ok(number.unwrap_or(largest))
}
