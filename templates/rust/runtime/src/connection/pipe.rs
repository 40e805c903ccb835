//! A pipe within the process.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How many bytes may wait before their writer has to.
const SPACE: usize = 64 << 10;

/// A pipe: what is written can be read.
pub fn pipe() -> (PipeReader, PipeWriter) {
    let shared = Arc::new(Mutex::default());
    let reader = PipeReader(Arc::clone(&shared));
    (reader, PipeWriter(shared))
}

/// The end of a pipe that is read.
#[derive(Debug)]
pub struct PipeReader(Arc<Mutex<State>>);

/// The end of a pipe that is written to.
#[derive(Debug)]
pub struct PipeWriter(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    is_written: bool,
    is_read: bool,
    waker: Option<Waker>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the other end go on.
fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    waker.into_iter().for_each(Waker::wake);
}

impl State {
    /// Only one end waits at a time: the reader if there is nothing, the writer if there is much.
    fn wait(&mut self, context: &Context<'_>) {
        self.waker = Some(context.waker().clone());
    }
}

impl AsyncRead for PipeReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = lock(&self.0);
        if state.bytes.is_empty() && !state.is_written {
            state.wait(context);
            return Poll::Pending;
        }
        let length = buffer.remaining().min(state.bytes.len());
        buffer.put_slice(&state.bytes[..length]);
        state.bytes.drain(..length);
        wake(state);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PipeWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = lock(&self.0);
        if state.is_read || state.is_written {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let space = SPACE.saturating_sub(state.bytes.len());
        if space == 0 {
            state.wait(context);
            return Poll::Pending;
        }
        let taken = bytes.get(..space).unwrap_or(bytes);
        state.bytes.extend_from_slice(taken);
        wake(state);
        Poll::Ready(Ok(taken.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = lock(&self.0);
        state.is_written = true;
        wake(state);
        Poll::Ready(Ok(()))
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.is_read = true;
        wake(state);
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.is_written = true;
        wake(state);
    }
}
