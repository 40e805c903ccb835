//! Words, names and links of the page.

use std::fmt::Write as _;

use serde::Serialize;

use crate::breaking::report::prose::{Piece, pieces, plain};
use crate::breaking::verdict::Verdict;

/// A piece of a sentence.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Text {
    is_name: bool,
    text: String,
}

/// A sentence for the page.
pub(super) fn text(sentence: &str) -> Vec<Text> {
    let piece = |piece| match piece {
        Piece::Words(text) => Text { is_name: false, text },
        Piece::Name(text) => Text { is_name: true, text },
    };
    pieces(sentence).into_iter().map(piece).collect()
}

/// A name for the page.
pub(super) fn name(name: &str) -> Vec<Text> {
    vec![Text { is_name: true, text: plain(name) }]
}

/// The look of a verdict.
pub(super) fn state(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "good",
        Verdict::Risk => "warm",
        Verdict::Break => "bad",
    }
}

/// A finding's id as the id of an element, which has no white space.
pub(super) fn identifier(id: &str) -> String {
    plain(id).replace(char::is_whitespace, "_")
}

/// An element's id as the fragment of an address (RFC 3986).
pub(super) fn fragment(id: &str) -> String {
    let mut fragment = String::with_capacity(id.len());
    for byte in id.bytes() {
        let character = char::from(byte);
        if character.is_ascii_alphanumeric() || "-._~!$'()*+,;=:@/?".contains(character) {
            fragment.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(fragment, "%{byte:02X}");
        }
    }
    fragment
}
