//! From messages to bytes.

use serde::Serialize;

use super::super::json;
use super::super::rpc::RequestError;

/// Messages on their way out, one a line.
#[derive(Debug, Default)]
pub struct Outbox {
    buffer: Vec<u8>,
    /// How many answers are among them.
    answers: usize,
}

impl Outbox {
    /// Adds a request.
    ///
    /// # Errors
    ///
    /// The params cannot be written. Nothing was added.
    pub fn request<P: Serialize + ?Sized>(
        &mut self,
        id: u64,
        method: &str,
        params: &P,
    ) -> serde_json::Result<&[u8]> {
        self.line(|buffer| write_call(buffer, Some(id), method, params))
    }

    /// Adds a notification.
    ///
    /// # Errors
    ///
    /// The params cannot be written. Nothing was added.
    pub fn notification<P: Serialize + ?Sized>(
        &mut self,
        method: &str,
        params: &P,
    ) -> serde_json::Result<&[u8]> {
        self.line(|buffer| write_call(buffer, None, method, params))
    }

    /// Adds an answer: an object that is already JSON.
    pub fn answer(&mut self, text: &[u8]) -> &[u8] {
        self.answers += 1;
        self.raw(text)
    }

    /// Adds the answer to a request.
    pub fn respond<T: Serialize + ?Sized>(
        &mut self,
        id: &str,
        result: Result<&T, &RequestError>,
    ) -> &[u8] {
        let line = self.respond_within(id, result, usize::MAX);
        line.unwrap_or_default()
    }

    /// Adds the answer to a request, unless it has more bytes than this.
    pub(super) fn respond_within<T: Serialize + ?Sized>(
        &mut self,
        id: &str,
        result: Result<&T, &RequestError>,
        limit: usize,
    ) -> Option<&[u8]> {
        let start = self.buffer.len();
        write_answer(&mut self.buffer, id, result);
        if self.buffer.len() - start > limit {
            self.buffer.truncate(start);
            return None;
        }
        self.answers += 1;
        self.buffer.push(b'\n');
        Some(&self.buffer[start..])
    }

    /// Adds a line that is already JSON.
    pub fn raw(&mut self, text: &[u8]) -> &[u8] {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(text);
        self.buffer.push(b'\n');
        &self.buffer[start..]
    }

    /// What was added after so many bytes, without the end of its line.
    pub(super) fn since(&self, start: usize) -> &[u8] {
        let added = self.buffer.get(start..).unwrap_or_default();
        added.strip_suffix(b"\n").unwrap_or(added)
    }

    /// Takes back what was added after so many bytes.
    pub(super) fn retract(&mut self, start: usize) {
        self.buffer.truncate(start);
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        self.answers
    }

    /// Takes all bytes, and leaves the other buffer's memory in their place.
    pub fn take(&mut self, into: &mut Vec<u8>) {
        into.clear();
        std::mem::swap(&mut self.buffer, into);
        self.answers = 0;
    }

    fn line(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
    ) -> serde_json::Result<&[u8]> {
        let start = self.buffer.len();
        if let Err(error) = write(&mut self.buffer) {
            self.buffer.truncate(start);
            return Err(error);
        }
        self.buffer.push(b'\n');
        Ok(&self.buffer[start..])
    }
}

/// Writes a request, or a notification if it has no id.
pub(super) fn write_call<P: Serialize + ?Sized>(
    buffer: &mut Vec<u8>,
    id: Option<u64>,
    method: &str,
    params: &P,
) -> serde_json::Result<()> {
    buffer.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        buffer.extend_from_slice(b"\"id\":");
        json::write(buffer, &id)?;
        buffer.push(b',');
    }
    buffer.extend_from_slice(b"\"method\":");
    json::write(buffer, method)?;
    buffer.extend_from_slice(b",\"params\":");
    json::write(buffer, params)?;
    buffer.push(b'}');
    Ok(())
}

/// Writes a response.
pub(super) fn write_answer<T: Serialize + ?Sized>(
    buffer: &mut Vec<u8>,
    id: &str,
    result: Result<&T, &RequestError>,
) {
    buffer.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    buffer.extend_from_slice(id.as_bytes());
    let body = buffer.len();
    let written = match result {
        Ok(result) => {
            buffer.extend_from_slice(b",\"result\":");
            json::write(buffer, result)
        }
        Err(error) => {
            buffer.extend_from_slice(b",\"error\":");
            json::write(buffer, error)
        }
    };
    if written.is_err() {
        buffer.truncate(body);
        let error = b",\"error\":{\"code\":-32603,\"message\":\"Internal error\"}";
        buffer.extend_from_slice(error);
    }
    buffer.push(b'}');
}
