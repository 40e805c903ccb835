//! Streams of events, as they are read.

/// An event of a stream, or a comment in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A message.
    Message {
        data: String,
        /// How many events of the session's stream come first.
        after: Option<u64>,
    },
    /// The server closes the connection, because of this.
    Closed(String),
}

/// Makes events of a stream of bytes, in whatever pieces it comes.
#[derive(Debug)]
pub(super) struct Events {
    buffer: Vec<u8>,
    /// How much of the buffer was taken.
    taken: usize,
    /// How far there is no end of a line.
    scanned: usize,
    data: Option<String>,
    after: Option<u64>,
    limit: usize,
    /// The last line ended with a carriage return: a newline after it ends no other.
    is_returned: bool,
}

impl Events {
    /// Events of at most so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            taken: 0,
            scanned: 0,
            data: None,
            after: None,
            limit,
            is_returned: false,
        }
    }

    /// Takes what was read.
    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.taken);
        self.scanned = self.scanned.saturating_sub(self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next event, if it is there to its end.
    ///
    /// # Errors
    ///
    /// It is too long.
    pub(super) fn next(&mut self) -> Result<Option<Event>, String> {
        while let Some(line) = self.line() {
            match self.take(&line) {
                Some(Event::Message { data, .. }) if data.len() > self.limit => {
                    return Err(self.too_long());
                }
                Some(event) => return Ok(Some(event)),
                None => {}
            }
        }
        let held = self.buffer.len() - self.taken + self.data.as_ref().map_or(0, String::len);
        if held > self.limit.saturating_add(1024) {
            return Err(self.too_long());
        }
        Ok(None)
    }

    fn too_long(&self) -> String {
        let limit = self.limit;
        format!("a message is over the limit `body` of {limit} bytes")
    }

    fn line(&mut self) -> Option<String> {
        if self.is_returned && self.taken < self.buffer.len() {
            self.is_returned = false;
            if self.buffer[self.taken] == b'\n' {
                self.taken += 1;
            }
        }
        let from = self.scanned.max(self.taken);
        let rest = self.buffer.get(from..).unwrap_or_default();
        let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = from + at;
        let line = String::from_utf8_lossy(&self.buffer[self.taken..end]).into_owned();
        self.is_returned = self.buffer[end] == b'\r';
        self.taken = end + 1;
        Some(line)
    }

    fn take(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let (data, after) = (self.data.take()?, self.after.take());
            return Some(Event::Message { data, after });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => {
                let reason = value.strip_prefix("closed: ")?;
                return Some(Event::Closed(reason.to_owned()));
            }
            "data" => match &mut self.data {
                // The end of a line in JSON is only space.
                Some(data) => data.extend([" ", value]),
                None => self.data = Some(value.to_owned()),
            },
            "after" => self.after = value.parse().ok(),
            _ => {}
        }
        None
    }
}
