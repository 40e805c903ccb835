//! From bytes to lines.

use std::io::BufRead;

/// Cuts a stream of bytes into lines, whatever the pieces it comes in.
///
/// Blank lines are passed over. A line over the limit is never held.
#[derive(Debug)]
pub struct Framing {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far there is no newline.
    scanned: usize,
    limit: usize,
    skipping: bool,
    ended: bool,
}

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line that is not blank, without its end and the space around it.
    Whole(&'a [u8]),
    /// A piece of a line over the limit, which is not held.
    Excess {
        /// What comes next of it.
        piece: &'a [u8],
        /// Whether the line ends here.
        is_last: bool,
    },
}

impl Framing {
    /// Lines of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            limit,
            skipping: false,
            ended: false,
        }
    }

    /// Takes what was read.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.space(bytes.len()).extend_from_slice(bytes);
    }

    /// The buffer, to append what is read to it. There is space for so many bytes.
    pub fn space(&mut self, bytes: usize) -> &mut Vec<u8> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.buffer.is_empty() && self.buffer.capacity() > 16 * bytes.max(1 << 16) {
            self.buffer = Vec::new();
        }
        self.buffer.reserve(bytes);
        &mut self.buffer
    }

    /// There will be no more. A last line without a newline counts.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The next line, if it is there to its end.
    pub fn line(&mut self) -> Option<Line<'_>> {
        loop {
            let start = self.start;
            let Some(end) = self.line_end() else {
                let held = self.buffer.len() - self.start;
                // One more for a carriage return.
                self.skipping |= held > self.limit.saturating_add(1);
                if !self.skipping || held == 0 {
                    return None;
                }
                self.start = self.buffer.len();
                return Some(Line::Excess {
                    piece: &self.buffer[start..],
                    is_last: false,
                });
            };
            let is_rest = std::mem::take(&mut self.skipping);
            if is_rest || end - start > self.limit.saturating_add(1) {
                return Some(Line::Excess {
                    piece: &self.buffer[start..end],
                    is_last: true,
                });
            }
            if !trim(&self.buffer[start..end]).is_empty() {
                return Some(Line::Whole(trim(&self.buffer[start..end])));
            }
        }
    }

    /// Passes over the next line, and gives its end.
    fn line_end(&mut self) -> Option<usize> {
        let mut rest = &self.buffer[self.scanned..];
        // Searching in memory does not fail.
        let passed = rest.skip_until(b'\n').unwrap_or(0);
        self.scanned += passed;
        if passed > 0 && self.buffer[self.scanned - 1] == b'\n' {
            self.start = self.scanned;
            return Some(self.scanned - 1);
        }
        if self.ended && (self.start < self.scanned || self.skipping) {
            self.start = self.scanned;
            return Some(self.scanned);
        }
        None
    }
}

/// A line without space around it, and without a byte order mark.
fn trim(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .trim_ascii()
}
