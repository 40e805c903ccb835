//! What can be told of messages that cannot be read.
//!
//! Nothing here calls itself: how deeply the text is nested does not matter. Nor is it held: it may
//! come in pieces.

use super::super::json::{self, Reader};
use super::message::is_id_text;

/// What is known of a message without all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Skimmed {
    /// Its id as JSON, where it is known.
    pub(super) id: Option<String>,
    /// Its method, where it is known.
    pub(super) method: Option<String>,
    has_method: bool,
    has_outcome: bool,
}

impl Skimmed {
    /// Whether it answers a call.
    pub(super) fn is_response(&self) -> bool {
        self.has_outcome && !self.has_method
    }

    /// Whether it is a call.
    pub(super) fn is_call(&self) -> bool {
        self.has_method
    }
}

/// Reads the members of messages: of one, or of the entries of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Skimmer {
    depth: usize,
    /// The most levels that were open at once.
    levels: usize,
    /// How deep the members of messages are.
    level: usize,
    /// Whether there is a batch.
    is_batch: bool,
    /// What is being read.
    within: Within,
    /// The last string, number or word, as far as it is read.
    token: Vec<u8>,
    /// The name of the member whose value comes next.
    key: Option<String>,
    message: Option<Skimmed>,
    /// The messages that are there to their end.
    done: Vec<Skimmed>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Within {
    #[default]
    Nothing,
    Text {
        is_escaped: bool,
    },
    Word,
}

/// How long a name or an id may be.
const LONGEST: usize = 64 << 10;

impl Skimmer {
    /// Reads on.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// Takes the messages that were read to their end.
    pub(super) fn take(&mut self) -> Vec<Skimmed> {
        std::mem::take(&mut self.done)
    }

    /// There is no more: what is known of a message that is cut off counts. Says whether all that
    /// was opened is closed.
    pub(super) fn end(&mut self) -> bool {
        self.done.extend(self.message.take());
        self.depth == 0
    }

    /// The most levels that were open at once.
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// Whether there is a batch.
    pub(super) fn is_batch(&self) -> bool {
        self.is_batch
    }

    fn step(&mut self, byte: u8) {
        match self.within {
            Within::Text { is_escaped } => {
                self.keep(byte);
                if byte == b'"' && !is_escaped {
                    self.within = Within::Nothing;
                    self.scalar();
                } else {
                    let is_escaped = byte == b'\\' && !is_escaped;
                    self.within = Within::Text { is_escaped };
                }
            }
            Within::Word if !ends_word(byte) => self.keep(byte),
            Within::Word => {
                self.within = Within::Nothing;
                self.scalar();
                self.begin(byte);
            }
            Within::Nothing => self.begin(byte),
        }
    }

    fn begin(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' => self.open(byte == b'{'),
            b'}' | b']' => self.close(),
            b':' => self.colon(),
            b',' => self.key = None,
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                self.token.clear();
                self.keep(byte);
                let is_escaped = false;
                let is_text = byte == b'"';
                self.within = if is_text {
                    Within::Text { is_escaped }
                } else {
                    Within::Word
                };
            }
        }
    }

    /// Keeps what may be a name or an id.
    fn keep(&mut self, byte: u8) {
        if self.depth == self.level && self.token.len() < LONGEST {
            self.token.push(byte);
        }
    }

    fn open(&mut self, is_object: bool) {
        if self.depth == 0 {
            self.level = if is_object { 1 } else { 2 };
            self.is_batch |= !is_object;
        }
        self.depth += 1;
        self.levels = self.levels.max(self.depth);
        self.key = None;
        self.token.clear();
        if self.depth == self.level {
            self.message = is_object.then(Skimmed::default);
        }
    }

    fn close(&mut self) {
        if self.depth == self.level {
            self.done.extend(self.message.take());
        }
        self.depth = self.depth.saturating_sub(1);
        self.key = None;
    }

    fn colon(&mut self) {
        let Some(message) = self.message.as_mut().filter(|_| self.depth == self.level) else {
            return;
        };
        self.key = text(&self.token);
        match self.key.as_deref() {
            Some("result" | "error") => message.has_outcome = true,
            Some("method") => message.has_method = true,
            _ => {}
        }
    }

    /// Takes note of a string, a number or a word that is there to its end.
    fn scalar(&mut self) {
        let Some(message) = self.message.as_mut().filter(|_| self.depth == self.level) else {
            return;
        };
        match self.key.take().as_deref() {
            Some("id") => message.id = id(&self.token),
            Some("method") => message.method = text(&self.token),
            _ => {}
        }
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}[],:\"".contains(&byte)
}

/// What a string in JSON spells.
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
