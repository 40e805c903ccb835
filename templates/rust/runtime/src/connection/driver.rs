//! Connections over `tokio`.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Peer;
use super::core::Core;
use super::options::Options;
use super::service::{Service, Task};
use super::tasks::Tasks;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// Reads, writes, and hands out messages, in one task.
pub struct Driver<R, W> {
    /// Dropped once nothing more is wanted.
    reader: Option<R>,
    writer: W,
    core: Core,
    chunk: Box<[u8]>,
    output: Vec<u8>,
    written: usize,
    is_flushed: bool,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Driver<R, W> {
    #[doc(hidden)]
    pub fn new(service: Arc<dyn Service>, reader: R, writer: W, options: Options) -> Self {
        Self {
            reader: Some(reader),
            writer,
            core: Core::new(service, options, Tasks::spawned(spawn)),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            output: Vec::new(),
            written: 0,
            is_flushed: true,
        }
    }

    /// The other end.
    #[doc(hidden)]
    pub fn peer(&self) -> Peer {
        self.core.peer()
    }

    /// Reads once, and hands out what came.
    fn read(&mut self, context: &mut Context<'_>) -> io::Result<bool> {
        if self.core.has_ended() {
            self.reader = None;
        }
        let Some(reader) = self.reader.as_mut().filter(|_| self.core.has_space()) else {
            return Ok(false);
        };
        let mut chunk = ReadBuf::new(&mut self.chunk);
        match Pin::new(reader).poll_read(context, &mut chunk) {
            Poll::Pending => return Ok(false),
            Poll::Ready(done) => done?,
        }
        match chunk.filled() {
            [] => self.core.end(),
            bytes => self.core.receive(bytes),
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
                if !self.core.take_output(&mut self.output, context) {
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
        for _ in 0..8 {
            let mut happened = self.core.advance(context);
            happened |= self.read(context)?;
            happened |= self.write(context)?;
            if happened {
                continue;
            }
            if self.is_flushed && self.core.is_done() {
                return Pin::new(&mut self.writer).poll_shutdown(context);
            }
            if self.core.is_to_end(context) {
                continue;
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
            let failure = done.as_ref().err().filter(|error| !is_gone(error));
            let end = failure.map_or(Ok(()), |error| Err(error.to_string()));
            driver.core.close(end);
        }
        polled
    }
}

/// Whether writing failed since the other end is gone. It may leave whenever it likes.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};

    matches!(
        error.kind(),
        BrokenPipe | ConnectionAborted | ConnectionReset
    )
}

fn spawn(task: Task) {
    drop(tokio::spawn(task));
}
