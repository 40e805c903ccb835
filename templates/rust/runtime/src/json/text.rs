//! Strings: finding their end, and undoing their escapes.

use std::borrow::Cow;

use super::error::{DecodeError, Result};
use super::reader::Reader;

/// Reads the string whose opening quote the reader stands at. Borrows it if it has no escapes.
#[inline]
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>> {
    let start = reader.at + 1;
    let end = match reader.long_strings.end(start) {
        Some((end, Seen::Plain)) => end,
        _ => end_of_plain(reader.text.as_bytes(), start),
    };
    read_to(reader, start, end)
}

/// The same for a string that is hardly ever long.
#[inline]
pub(super) fn read_short<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>> {
    let start = reader.at + 1;
    let end = end_of_short(reader.text.as_bytes(), start, usize::MAX);
    read_to(reader, start, end)
}

/// Reads a string of which only so much is known to have no escapes.
#[inline]
fn read_to<'a>(reader: &mut Reader<'a>, start: usize, end: usize) -> Result<Cow<'a, str>> {
    if reader.text.as_bytes().get(end) == Some(&b'"') {
        reader.at = end + 1;
        return Ok(Cow::Borrowed(&reader.text[start..end]));
    }
    reader.at = end;
    unescape(reader, start).map(Cow::Owned)
}

/// Passes over the string whose opening quote the reader stands at.
pub(super) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at + 1;
    if let Some((end, Seen::Plain | Seen::Checked)) = reader.long_strings.end(start) {
        reader.at = end + 1;
        return Ok(());
    }
    reader.at = start;
    let mut seen = Seen::Plain;
    loop {
        reader.at = end_of_plain(reader.text.as_bytes(), reader.at);
        match reader.text.as_bytes().get(reader.at) {
            Some(b'"') => {
                reader.long_strings.note(start, reader.at, seen);
                reader.at += 1;
                return Ok(());
            }
            Some(b'\\') => match reader.text.as_bytes().get(reader.at + 1) {
                Some(b'n' | b'"' | b'\\') => reader.at += 2,
                _ => skip_escape(reader)?,
            },
            _ => return Err(reader.syntax("a closing quote")),
        }
        seen = Seen::Checked;
    }
}

/// Passes over the string whose opening quote the reader stands at. Its escapes are not looked at.
pub(super) fn hop(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.at + 1;
    if let Some((end, _)) = reader.long_strings.end(start) {
        reader.at = end + 1;
        return Ok(());
    }
    let bytes = reader.text.as_bytes();
    let mut end = end_of_plain(bytes, start);
    let mut seen = Seen::Plain;
    if bytes.get(end) == Some(&b'\\') {
        seen = Seen::Hopped;
        end = end_of_escaped(bytes, end);
    }
    if bytes.get(end) != Some(&b'"') {
        return Err(reader.syntax("a closing quote"));
    }
    reader.long_strings.note(start, end, seen);
    reader.at = end + 1;
    Ok(())
}

/// Finds the first quote that is not part of an escape, from an escape on.
fn end_of_escaped(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        let Some(quote) = find_quote(bytes, at) else {
            return bytes.len();
        };
        let before = bytes[start..quote].iter().rev();
        if before.take_while(|byte| **byte == b'\\').count() % 2 == 0 {
            return quote;
        }
        at = quote + 1;
    }
}

fn find_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        // All of a block is looked at, so that the compiler does it at once.
        let quotes = block
            .iter()
            .fold(0, |any, byte| any | u8::from(*byte == b'"'));
        if quotes != 0 {
            break;
        }
        at += 32;
    }
    let rest = bytes.get(at..)?.iter().position(|byte| *byte == b'"')?;
    Some(at + rest)
}

/// The ends of long strings that were passed over. Where a tag comes late, what is before it is
/// passed over for it, perhaps at several levels, before it is read.
#[derive(Debug, Default)]
pub(super) struct LongStrings {
    /// Their starts, in order, their ends, and what is known of them.
    found: Vec<(usize, usize, Seen)>,
}

/// What is known of a string that was passed over.
#[derive(Clone, Copy, Debug)]
enum Seen {
    /// It has no escapes.
    Plain,
    /// It has escapes, and they are right.
    Checked,
    /// It has escapes.
    Hopped,
}

impl LongStrings {
    #[inline]
    fn note(&mut self, start: usize, end: usize, seen: Seen) {
        let is_new = self.found.last().is_none_or(|(last, ..)| *last < start);
        if end - start > 64 && is_new {
            self.found.push((start, end, seen));
        }
    }

    #[inline]
    fn end(&self, start: usize) -> Option<(usize, Seen)> {
        if self.found.last().is_none_or(|(last, ..)| *last < start) {
            return None;
        }
        let at = self
            .found
            .binary_search_by_key(&start, |(start, ..)| *start);
        let (_, end, seen) = self.found.get(at.ok()?)?;
        Some((*end, *seen))
    }
}

/// Passes over the escape whose backslash the reader stands at.
#[cold]
fn skip_escape(reader: &mut Reader<'_>) -> Result<()> {
    escape(reader).map(drop)
}

/// Reads the rest of a string that has escapes, into a buffer that all such strings share: it
/// grows once, and each string takes no more memory than it needs.
#[inline(never)]
fn unescape(reader: &mut Reader<'_>, start: usize) -> Result<String> {
    let mut buffer = std::mem::take(&mut reader.buffer);
    buffer.clear();
    buffer.reserve(1024);
    buffer.push_str(&reader.text[start..reader.at]);
    let result = unescape_into(&mut buffer, reader);
    let text = result.map(|()| buffer.as_str().to_owned());
    reader.buffer = buffer;
    text
}

fn unescape_into(buffer: &mut String, reader: &mut Reader<'_>) -> Result<()> {
    let bytes = reader.text.as_bytes();
    loop {
        match bytes.get(reader.at) {
            Some(b'"') => {
                reader.at += 1;
                return Ok(());
            }
            Some(b'\\') => buffer.push(escape(reader)?),
            _ => return Err(reader.syntax("a closing quote")),
        }
        if bytes.get(reader.at) != Some(&b'\\') {
            let start = reader.at;
            reader.at = end_of_plain(bytes, start);
            buffer.push_str(&reader.text[start..reader.at]);
        }
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
        Some(b'u') => unicode(reader),
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
        _ => Err(reader.syntax("an escape")),
    }
}

/// Reads four hexadecimal digits, and a second escape where they are half of a pair.
#[inline(never)]
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

#[inline]
fn hexadecimal(reader: &mut Reader<'_>) -> Result<u32> {
    let digits = reader.text.as_bytes().get(reader.at..);
    if let Some([a, b, c, d]) = digits.and_then(<[u8]>::first_chunk) {
        let code = digit(*a) << 12 | digit(*b) << 8 | digit(*c) << 4 | digit(*d);
        if code < NO_DIGIT {
            reader.at += 4;
            return Ok(code);
        }
    }
    Err(no_digits(reader))
}

/// The value of a hexadecimal digit, or [`NO_DIGIT`].
#[inline]
fn digit(letter: u8) -> u32 {
    DIGITS[usize::from(letter)]
}

/// More than four digits can say, whichever of them it stands for.
const NO_DIGIT: u32 = 1 << 16;

/// The values of all bytes as hexadecimal digits.
static DIGITS: [u32; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        let [lower, upper] = [b"0123456789abcdef", b"0123456789ABCDEF"];
        digits[lower[value as usize] as usize] = value;
        digits[upper[value as usize] as usize] = value;
        value += 1;
    }
    digits
};

/// The error of an escape that has not enough digits.
#[cold]
fn no_digits(reader: &mut Reader<'_>) -> DecodeError {
    let rest = &reader.text.as_bytes()[reader.at..];
    reader.at += rest.iter().take_while(|it| it.is_ascii_hexdigit()).count();
    reader.syntax("four hexadecimal digits")
}

/// Finds the first quote, backslash or control character.
#[inline]
fn end_of_plain(bytes: &[u8], at: usize) -> usize {
    let end = end_of_short(bytes, at, at + 64);
    if end < at + 64 {
        return end;
    }
    let end = end_of_long(bytes, end);
    end_of_short(bytes, end, usize::MAX)
}

/// Finds the first quote, backslash or control character, eight bytes at a time, or a place after
/// which it comes and that is at least the limit.
#[inline]
fn end_of_short(bytes: &[u8], mut at: usize, limit: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        if let Some(plain) = first_special(*chunk) {
            return at + plain;
        }
        at += 8;
        if at >= limit {
            return at;
        }
    }
    while bytes
        .get(at)
        .is_some_and(|byte| !matches!(byte, 0..0x20 | b'"' | b'\\'))
    {
        at += 1;
    }
    at
}

/// Passes over blocks without a quote, a backslash or a control character.
fn end_of_long(bytes: &[u8], mut at: usize) -> usize {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        // All of a block is looked at, so that the compiler does it at once.
        let special = block.iter().fold(0, |any, byte| {
            any | u8::from(*byte < 0x20) | u8::from(*byte == b'"') | u8::from(*byte == b'\\')
        });
        if special != 0 {
            break;
        }
        at += 32;
    }
    at
}

/// Which of eight bytes is the first quote, backslash or control character, if one is.
#[inline]
fn first_special(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    // In the lowest byte that is special, and perhaps in others above it, the high bit is set. A
    // byte that has it itself is not: nor has it then in the other words.
    let special =
        word.wrapping_sub(ONES * 0x20) | quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES);
    let special = special & !word & HIGHS;
    (special != 0).then(|| (special.trailing_zeros() / 8) as usize)
}
