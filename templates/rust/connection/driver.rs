//! Connections over `tokio`.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::framing::Framing;
use super::inbox::Inbox;
use super::options::Options;
use super::service::{Service, Task};
use super::{Link, Peer};

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// Reads, writes, and hands out messages, in one task.
pub(crate) struct Driver<R, W> {
    reader: R,
    writer: W,
    link: Arc<Link>,
    framing: Framing,
    inbox: Inbox,
    chunk: Box<[u8]>,
    output: Vec<u8>,
    written: usize,
    is_flushed: bool,
    has_ended: bool,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Driver<R, W> {
    pub(crate) fn new(service: Arc<dyn Service>, reader: R, writer: W, options: Options) -> Self {
        let framing = Framing::new(options.max_line);
        let link = Link::new(service.rules(), options);
        let inbox = Inbox::new(Arc::clone(&link), service, spawn);
        Self {
            reader,
            writer,
            link,
            framing,
            inbox,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            output: Vec::new(),
            written: 0,
            is_flushed: true,
            has_ended: false,
        }
    }

    /// The other end.
    pub(crate) fn peer(&self) -> Peer {
        Peer::new(Arc::clone(&self.link), None)
    }

    /// Reads once, and hands out what came.
    fn read(&mut self, context: &mut Context<'_>) -> io::Result<bool> {
        if self.has_ended || !self.inbox.has_space() {
            return Ok(false);
        }
        let mut chunk = ReadBuf::new(&mut self.chunk);
        match Pin::new(&mut self.reader).poll_read(context, &mut chunk) {
            Poll::Pending => return Ok(false),
            Poll::Ready(done) => done?,
        }
        let bytes = chunk.filled();
        self.has_ended = bytes.is_empty();
        if self.has_ended {
            self.framing.end();
        } else {
            self.framing.receive(bytes);
        }
        while let Some(line) = self.framing.line() {
            self.inbox.line(line);
        }
        if self.has_ended {
            self.inbox.end();
        }
        Ok(true)
    }

    /// Writes as much as can be written.
    fn write(&mut self, context: &mut Context<'_>) -> io::Result<bool> {
        let mut happened = false;
        loop {
            if self.written == self.output.len() {
                self.output.clear();
                self.written = 0;
                if !self.link.take_output(&mut self.output, context) {
                    break;
                }
                self.is_flushed = false;
            }
            let rest = &self.output[self.written..];
            match Pin::new(&mut self.writer).poll_write(context, rest) {
                Poll::Pending => return Ok(happened),
                Poll::Ready(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(written) => self.written += written?,
            }
            happened = true;
        }
        if !self.is_flushed {
            if let Poll::Ready(done) = Pin::new(&mut self.writer).poll_flush(context) {
                done?;
                self.is_flushed = true;
            }
        }
        Ok(happened)
    }

    fn drive(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Now and then others have to have a turn.
        for _ in 0..32 {
            let mut happened = self.inbox.poll(context);
            happened |= self.read(context)?;
            happened |= self.write(context)?;
            if self.link.lock().is_stopped && !self.has_ended {
                self.has_ended = true;
                self.inbox.end();
                happened = true;
            }
            if happened {
                continue;
            }
            let is_done = self.has_ended && self.inbox.is_idle();
            if is_done && self.is_flushed && self.link.lock().outbox.is_empty() {
                return Pin::new(&mut self.writer).poll_shutdown(context);
            }
            return Poll::Pending;
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Future for Driver<R, W> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let driver = self.get_mut();
        let polled = driver.drive(context);
        if let Poll::Ready(done) = &polled {
            let failure = done.as_ref().err().map(ToString::to_string);
            driver.link.close(failure.map_or(Ok(()), Err));
        }
        polled
    }
}

impl<R, W> Drop for Driver<R, W> {
    fn drop(&mut self) {
        self.link.close(Ok(()));
    }
}

fn spawn(task: Task) {
    drop(tokio::spawn(task));
}
