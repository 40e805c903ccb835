//! Strings: finding their end, and undoing their escapes.

use std::borrow::Cow;

use super::error::Result;
use super::reader::Reader;

/// Reads the string whose opening quote the reader stands at. Borrows it if it has no escapes.
#[inline]
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>> {
    let start = reader.at + 1;
    let end = end_of_plain(reader.text.as_bytes(), start);
    if reader.text.as_bytes().get(end) == Some(&b'"') {
        reader.at = end + 1;
        return Ok(Cow::Borrowed(&reader.text[start..end]));
    }
    reader.at = end;
    unescape(reader, start).map(Cow::Owned)
}

/// Passes over the string whose opening quote the reader stands at.
pub(super) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    reader.at += 1;
    loop {
        reader.at = end_of_plain(reader.text.as_bytes(), reader.at);
        match reader.text.as_bytes().get(reader.at) {
            Some(b'"') => {
                reader.at += 1;
                return Ok(());
            }
            Some(b'\\') => skip_escape(reader)?,
            _ => return Err(reader.syntax("a closing quote")),
        }
    }
}

/// Passes over the escape whose backslash the reader stands at. Half of a surrogate pair will do:
/// nobody is going to see it.
#[cold]
fn skip_escape(reader: &mut Reader<'_>) -> Result<()> {
    if reader.text.as_bytes().get(reader.at + 1) == Some(&b'u') {
        reader.at += 2;
        hexadecimal(reader).map(drop)
    } else {
        escape(reader).map(drop)
    }
}

/// Reads the rest of a string that has an escape. The reader stands at its backslash.
fn unescape(reader: &mut Reader<'_>, start: usize) -> Result<String> {
    let whole = reader.text;
    let mut text = String::with_capacity((reader.at - start) * 2 + 16);
    text.push_str(&whole[start..reader.at]);
    loop {
        match whole.as_bytes().get(reader.at) {
            Some(b'"') => {
                reader.at += 1;
                return Ok(text);
            }
            Some(b'\\') => text.push(escape(reader)?),
            _ => return Err(reader.syntax("a closing quote")),
        }
        let plain = reader.at;
        reader.at = end_of_plain(whole.as_bytes(), plain);
        text.push_str(&whole[plain..reader.at]);
    }
}

/// Reads the escape whose backslash the reader stands at.
#[inline]
fn escape(reader: &mut Reader<'_>) -> Result<char> {
    let letter = reader.text.as_bytes().get(reader.at + 1).copied();
    reader.at += 2;
    match letter {
        Some(b'n') => Ok('\n'),
        Some(b'"') => Ok('"'),
        Some(b'\\') => Ok('\\'),
        other => rare_escape(reader, other),
    }
}

#[cold]
fn rare_escape(reader: &mut Reader<'_>, letter: Option<u8>) -> Result<char> {
    match letter {
        Some(b't') => Ok('\t'),
        Some(b'/') => Ok('/'),
        Some(b'r') => Ok('\r'),
        Some(b'b') => Ok('\u{8}'),
        Some(b'f') => Ok('\u{c}'),
        Some(b'u') => unicode(reader),
        _ => Err(reader.syntax("an escape")),
    }
}

/// Reads four hexadecimal digits, and a second escape where they are half of a pair.
fn unicode(reader: &mut Reader<'_>) -> Result<char> {
    let first = hexadecimal(reader)?;
    let code = if (0xd800..0xdc00).contains(&first) {
        if !reader.text.as_bytes()[reader.at..].starts_with(b"\\u") {
            return Err(reader.syntax("the second half of a surrogate pair"));
        }
        reader.at += 2;
        let second = hexadecimal(reader)?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(reader.syntax("the second half of a surrogate pair"));
        }
        0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
    } else {
        first
    };
    char::from_u32(code).ok_or_else(|| reader.syntax("a Unicode character"))
}

fn hexadecimal(reader: &mut Reader<'_>) -> Result<u32> {
    let mut code = 0;
    for _ in 0..4 {
        let byte = reader.text.as_bytes().get(reader.at).copied();
        let Some(digit) = byte.and_then(|byte| char::from(byte).to_digit(16)) else {
            return Err(reader.syntax("four hexadecimal digits"));
        };
        code = code * 16 + digit;
        reader.at += 1;
    }
    Ok(code)
}

/// Finds the first quote, backslash or control character, eight bytes at a time.
#[inline]
fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let quote = word ^ (ONES * 0x22);
        let backslash = word ^ (ONES * 0x5c);
        // In the lowest byte that is special, and perhaps in others above it, the high bit is set.
        let special = (word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash);
        let special = special & HIGHS;
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes
        .get(at)
        .is_some_and(|byte| !matches!(byte, 0..0x20 | b'"' | b'\\'))
    {
        at += 1;
    }
    at
}
