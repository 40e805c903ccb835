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
            scanned: 0,
            data: None,
            after: None,
            limit,
            is_returned: false,
        }
    }

    /// Takes what was read.
    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next event, if it is there to its end.
    ///
    /// # Errors
    ///
    /// It is too long.
    pub(super) fn next(&mut self) -> Result<Option<Event>, String> {
        while let Some(line) = self.line() {
            if let Some(event) = self.take(&line) {
                return Ok(Some(event));
            }
        }
        let held = self.buffer.len() + self.data.as_ref().map_or(0, String::len);
        if held > self.limit.saturating_add(1024) {
            let limit = self.limit;
            return Err(format!(
                "a message is over the limit `body` of {limit} bytes"
            ));
        }
        Ok(None)
    }

    fn line(&mut self) -> Option<String> {
        if self.is_returned && !self.buffer.is_empty() {
            self.is_returned = false;
            if self.buffer.starts_with(b"\n") {
                self.buffer.remove(0);
            }
        }
        let rest = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = self.scanned + at;
        self.scanned = 0;
        let rest = self.buffer.split_off(end);
        let line = std::mem::replace(&mut self.buffer, rest);
        self.is_returned = self.buffer.first() == Some(&b'\r');
        self.buffer.remove(0);
        Some(String::from_utf8_lossy(&line).into_owned())
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
