//! Text of which the end is kept.

use std::collections::VecDeque;

/// The last bytes of a text in UTF-8.
#[derive(Debug)]
pub(super) struct KeptText {
    kept: VecDeque<u8>,
    limit: usize,
    is_truncated: bool,
}

/// Makes text of bytes that begin and end anywhere, also in a character. What is none is replaced.
#[derive(Debug, Default)]
pub(super) struct Decoder(Vec<u8>);

impl KeptText {
    /// Keeps so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            limit,
            is_truncated: false,
        }
    }

    /// Takes what comes next.
    pub(super) fn add(&mut self, text: &str) {
        self.kept.extend(text.as_bytes());
        let mut begin = self.kept.len().saturating_sub(self.limit);
        if begin > 0 {
            self.is_truncated = true;
            let continues = |byte: &u8| byte & 0xc0 == 0x80;
            while self.kept.get(begin).is_some_and(continues) {
                begin += 1;
            }
            self.kept.drain(..begin);
        }
    }

    /// What is kept.
    pub(super) fn text(&mut self) -> String {
        String::from_utf8_lossy(self.kept.make_contiguous()).into_owned()
    }

    /// Whether the beginning is lost.
    pub(super) fn is_truncated(&self) -> bool {
        self.is_truncated
    }
}

impl Decoder {
    /// The text of what comes next, as far as it is whole.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let mut text = String::new();
        let mut rest = self.0.as_slice();
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, after) = rest.split_at(error.valid_up_to());
            text.push_str(&String::from_utf8_lossy(valid));
            rest = after;
            let Some(invalid) = error.error_len() else {
                break;
            };
            text.push('\u{fffd}');
            rest = rest.get(invalid..).unwrap_or_default();
        }
        if let Ok(valid) = std::str::from_utf8(rest) {
            text.push_str(valid);
            rest = &[];
        }
        self.0 = rest.to_vec();
        text
    }

    /// What stands for a character that did not end.
    pub(super) fn end(self) -> &'static str {
        if self.0.is_empty() { "" } else { "\u{fffd}" }
    }
}
