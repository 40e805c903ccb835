//! What can be told of a message that cannot be read, or that is cut off.
//!
//! Nothing here calls itself: how deeply the text is nested does not matter.

use super::super::json::{self, Reader};
use super::message::is_id_text;

/// What is known of a message without all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// Its id as JSON; `null` where that is not known.
    pub(super) id: String,
    /// Whether it answers a call.
    pub(super) is_response: bool,
}

/// Looks for the id among the members of an object, as far as there is text.
pub(super) fn beginning(bytes: &[u8]) -> Beginning {
    let mut found = Beginning {
        id: String::from("null"),
        is_response: false,
    };
    let (mut depth, mut key, mut last) = (0_usize, None, &bytes[..0]);
    let mut rest = bytes.trim_ascii_start();
    while let Some(length) = token_length(rest) {
        let (token, after) = rest.split_at(length);
        rest = after.trim_ascii_start();
        let is_value = key.is_some();
        match token {
            [b'['] if depth == 0 => break,
            [b'{' | b'['] => depth += 1,
            [b'}' | b']'] => depth = depth.saturating_sub(1),
            [b':'] if depth == 1 => {
                key = text(last);
                found.is_response |= matches!(key.as_deref(), Some("result" | "error"));
                continue;
            }
            // What ends where the text does may go on.
            _ if after.is_empty() => break,
            _ if is_value && key.as_deref() == Some("id") => {
                if let Some(id) = id(token) {
                    found.id = id;
                }
            }
            _ => last = token,
        }
        key = None;
    }
    found
}

/// How long the first bracket, separator, string, number or word is.
fn token_length(text: &[u8]) -> Option<usize> {
    Some(match text.first()? {
        b'"' => string_length(text),
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        _ => text
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || b"{}[],:\"".contains(byte))
            .unwrap_or(text.len()),
    })
}

fn string_length(text: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The name that a string in JSON spells.
fn text(token: &[u8]) -> Option<String> {
    json::decode(std::str::from_utf8(token).ok()?).ok()
}

/// An id, as it is spelled.
fn id(token: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(token).ok()?;
    let mut reader = Reader::over(text);
    reader.skip().and_then(|()| reader.finish()).ok()?;
    is_id_text(text).then(|| text.to_owned())
}
