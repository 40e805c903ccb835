//! What updates add to.

use super::Value;

/// Something to whose end updates add.
#[derive(Clone, Copy)]
pub enum Series {
    /// A list: each update adds one thing to it.
    List,
    /// A string: each update adds its text.
    Text,
    /// Bytes as a string in base64: each update adds its bytes.
    Base64,
}

impl Series {
    /// What was there with one thing more at its end. None if that cannot be.
    pub(super) fn longer(self, before: Value, added: Value) -> Option<Value> {
        match self {
            Self::List => {
                let mut list = match before {
                    Value::Array(list) => list,
                    _ => Vec::new(),
                };
                list.push(added);
                Some(Value::Array(list))
            }
            Self::Text => joined(before, &added, |before, added| Some(before + added)),
            Self::Base64 => joined(before, &added, bytes_joined),
        }
    }
}

fn joined(before: Value, added: &Value, join: fn(String, &str) -> Option<String>) -> Option<Value> {
    let before = match before {
        Value::String(before) => before,
        _ => String::new(),
    };
    join(before, added.as_str()?).map(Value::String)
}

/// The bytes of two texts in base64, one after the other. None if one of them is no base64.
fn bytes_joined(mut before: String, added: &str) -> Option<String> {
    // All but the last group stays as it is.
    let end = before
        .len()
        .checked_sub(4)
        .filter(|_| before.ends_with('='));
    let mut bytes = end.map_or(Some(Vec::new()), |end| decoded(before.get(end..)?))?;
    if before.len() % 4 != 0 {
        return None;
    }
    bytes.extend(decoded(added)?);
    before.truncate(end.unwrap_or(before.len()));
    encode(&bytes, &mut before);
    Some(before)
}

/// The digits of base64, in the order of their values (RFC 4648, section 4).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8], text: &mut String) {
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = (bits >> (18 - 6 * at)) as usize & 63;
            text.push(if at <= group.len() {
                char::from(DIGITS[digit])
            } else {
                '='
            });
        }
    }
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let digits = text
        .strip_suffix("==")
        .or(text.strip_suffix('='))
        .unwrap_or(text);
    if text.len() % 4 != 0 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let value = match group.get(at) {
                Some(digit) => DIGITS.iter().position(|known| known == digit)?,
                None => 0,
            };
            bits = bits << 6 | value;
        }
        let whole = bits.to_be_bytes();
        bytes.extend(whole.get(whole.len() - 3..)?.iter().take(group.len() - 1));
    }
    Some(bytes)
}
