//! The last that a program said.

use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes and lines are kept.
const BYTES: usize = 4 << 10;
const LINES: usize = 20;

/// How many characters of a line are shown.
const SHOWN: usize = 200;

/// The last lines of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    /// Goes on.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        let excess = kept.len().saturating_sub(BYTES);
        kept.drain(..excess);
    }

    /// The last lines.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(kept.trim_ascii_end());
        let mut lines: Vec<&str> = text.lines().rev().take(LINES).collect();
        lines.reverse();
        lines.join("\n")
    }
}

/// The beginning of a line, for people: without what would control a terminal.
pub(super) fn shown(line: &[u8]) -> String {
    // A character has four bytes at most.
    let start = line.get(..4 * (SHOWN + 1)).unwrap_or(line);
    let text = String::from_utf8_lossy(start);
    let harmless = |it: char| if it.is_control() { ' ' } else { it };
    let mut shown: String = text.chars().take(SHOWN).map(harmless).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
