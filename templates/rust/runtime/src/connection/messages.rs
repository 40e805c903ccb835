//! Connections over messages in place of bytes.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::super::json::{self, Value};
use super::framing::{Framing, Line};
use super::pipe::{PipeReader, PipeWriter, pipe};

/// A message of JSON-RPC, or a batch of them.
pub type AnyMessage = Value;

/// Gives messages to a connection. Its input ends when this is dropped.
pub struct MessageSender {
    writer: PipeWriter,
}

/// Takes messages from a connection.
pub struct MessageReceiver {
    reader: PipeReader,
    framing: Framing,
    chunk: Box<[u8]>,
    has_ended: bool,
}

/// What a connection reads and writes, and the far ends of both.
pub fn messages() -> (PipeReader, PipeWriter, MessageSender, MessageReceiver) {
    let (input, writer) = pipe();
    let (reader, output) = pipe();
    let receiver = MessageReceiver {
        reader,
        framing: Framing::new(usize::MAX),
        chunk: vec![0; 16 << 10].into_boxed_slice(),
        has_ended: false,
    };
    (input, output, MessageSender { writer }, receiver)
}

impl MessageSender {
    /// Gives a message to the connection, once it has space for it.
    ///
    /// # Errors
    ///
    /// The connection has ended.
    pub async fn send(&mut self, message: &AnyMessage) -> io::Result<()> {
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        let mut rest = &*line;
        while !rest.is_empty() {
            let writer = &mut self.writer;
            let written = poll_fn(|context| Pin::new(&mut *writer).poll_write(context, rest));
            let written = written.await?;
            rest = &rest[written..];
        }
        Ok(())
    }
}

impl MessageReceiver {
    /// Takes the next message from the connection. There is none after its end.
    pub async fn receive(&mut self) -> Option<AnyMessage> {
        loop {
            while let Some(line) = self.framing.line() {
                if let Line::Whole(line) = line {
                    if let Ok(message) = json::decode_slice(line) {
                        return Some(message);
                    }
                }
            }
            if self.has_ended {
                return None;
            }
            let (reader, chunk) = (&mut self.reader, &mut self.chunk);
            let read = poll_fn(|context| {
                let mut chunk = ReadBuf::new(chunk);
                let polled = Pin::new(&mut *reader).poll_read(context, &mut chunk);
                polled.map_ok(|()| chunk.filled().len())
            });
            let read = read.await.unwrap_or_default();
            self.has_ended = read == 0;
            self.framing.receive(&self.chunk[..read]);
        }
    }
}

impl fmt::Debug for MessageSender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MessageSender")
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for MessageReceiver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MessageReceiver")
            .finish_non_exhaustive()
    }
}
