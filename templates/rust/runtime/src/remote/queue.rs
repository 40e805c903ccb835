//! Lines between a connection and a transport.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::super::connection::{Framing, Line};
use super::limits::COST;

/// How many bytes may wait in each direction before their sender has to.
pub(super) const SPACE: usize = 64 << 10;

/// What a connection reads and writes, and the transport that has it as lines. No more than
/// `space` bytes wait for the connection, but for one line.
pub(super) fn pipe(space: usize) -> (Inlet, Outlet, Transport) {
    let pipe = Arc::new(Pipe {
        inward: Queue::new(space),
        outward: Queue::new(SPACE),
        finished: Mutex::default(),
    });
    let inlet = Inlet {
        pipe: Arc::clone(&pipe),
        line: Vec::new(),
        at: 0,
    };
    let outlet = Outlet {
        pipe: Arc::clone(&pipe),
        framing: Framing::new(usize::MAX),
        line: None,
    };
    (inlet, outlet, Transport { pipe })
}

#[derive(Debug)]
struct Pipe {
    inward: Queue,
    outward: Queue,
    finished: Mutex<Finished>,
}

#[derive(Debug, Default)]
struct Finished {
    is_finished: bool,
    waker: Option<Waker>,
}

impl Pipe {
    fn finished(&self) -> MutexGuard<'_, Finished> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The transport's end. Once it is dropped, the connection has nothing more to read, and what it
/// writes is lost.
#[derive(Debug)]
pub(super) struct Transport {
    pipe: Arc<Pipe>,
}

impl Transport {
    /// Hands a line to the connection, once there is space. Says whether it may still be read.
    pub(super) async fn push(&self, line: String) -> bool {
        let mut line = Some(line.into_bytes());
        poll_fn(|context| self.pipe.inward.poll_push(&mut line, context)).await
    }

    /// Hands a short line to the connection, after all others, whatever waits.
    pub(super) fn put(&self, line: String) {
        self.pipe.inward.put(line.into_bytes());
    }

    /// Takes the next line from the connection. There is none after its end.
    pub(super) async fn pop(&self) -> Option<String> {
        loop {
            let line = poll_fn(|context| self.pipe.outward.poll_pop(context)).await?;
            if let Ok(line) = String::from_utf8(line) {
                return Some(line);
            }
        }
    }

    /// Waits until the connection writes no more. What it wrote may not have been taken yet.
    pub(super) async fn closing(&self) {
        poll_fn(|context| self.pipe.outward.poll_closed(context)).await;
    }

    /// Nothing more comes in.
    pub(super) fn end(&self) {
        self.pipe.inward.close();
    }

    /// Nothing more comes in or goes out.
    pub(super) fn finish(&self) {
        self.pipe.inward.close();
        self.pipe.outward.close();
        let mut finished = self.pipe.finished();
        finished.is_finished = true;
        if let Some(waker) = finished.waker.take() {
            waker.wake();
        }
    }
}

impl Drop for Transport {
    fn drop(&mut self) {
        self.finish();
    }
}

/// What a connection reads.
#[derive(Debug)]
pub(super) struct Inlet {
    pipe: Arc<Pipe>,
    line: Vec<u8>,
    at: usize,
}

impl AsyncRead for Inlet {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.at == self.line.len() {
            let Poll::Ready(line) = self.pipe.inward.poll_pop(context) else {
                return Poll::Pending;
            };
            let Some(line) = line else {
                return Poll::Ready(Ok(()));
            };
            (self.line, self.at) = (line, 0);
            self.line.push(b'\n');
        }
        let rest = &self.line[self.at..];
        let part = &rest[..rest.len().min(buffer.remaining())];
        buffer.put_slice(part);
        self.at += part.len();
        Poll::Ready(Ok(()))
    }
}

impl Drop for Inlet {
    fn drop(&mut self) {
        self.pipe.inward.close();
    }
}

/// What a connection writes.
#[derive(Debug)]
pub(super) struct Outlet {
    pipe: Arc<Pipe>,
    framing: Framing,
    /// A line that there was no space for.
    line: Option<Vec<u8>>,
}

impl Outlet {
    /// Hands on the lines that were written to their end.
    fn poll_lines(&mut self, context: &Context<'_>) -> Poll<()> {
        loop {
            while self.line.is_some() {
                if self
                    .pipe
                    .outward
                    .poll_push(&mut self.line, context)
                    .is_pending()
                {
                    return Poll::Pending;
                }
            }
            match self.framing.line() {
                Some(Line::Whole(line)) => self.line = Some(line.to_vec()),
                Some(Line::Excess { .. }) => {}
                None => return Poll::Ready(()),
            }
        }
    }
}

impl AsyncWrite for Outlet {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.poll_lines(context).is_pending() {
            return Poll::Pending;
        }
        self.framing.receive(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_lines(context).map(Ok)
    }

    /// Waits until the transport has sent everything, and is gone.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_lines(context).is_pending() {
            return Poll::Pending;
        }
        self.pipe.outward.close();
        let mut finished = self.pipe.finished();
        if finished.is_finished {
            return Poll::Ready(Ok(()));
        }
        finished.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        self.pipe.outward.close();
    }
}

/// Lines in one direction.
#[derive(Debug)]
struct Queue {
    space: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    is_closed: bool,
    reader: Option<Waker>,
    writers: Vec<Waker>,
    /// Who waits for the end.
    watchers: Vec<Waker>,
}

impl Queue {
    fn new(space: usize) -> Self {
        let state = Mutex::default();
        Self { space, state }
    }

    /// Takes a line in once there is space, however long it is. Says whether it was not too late.
    fn poll_push(&self, line: &mut Option<Vec<u8>>, context: &Context<'_>) -> Poll<bool> {
        let mut state = self.lock();
        if state.is_closed {
            line.take();
            return Poll::Ready(false);
        }
        let length = line.as_deref().map_or(0, cost);
        if state.bytes > 0 && state.bytes + length > self.space {
            if !state.writers.iter().any(|it| it.will_wake(context.waker())) {
                state.writers.push(context.waker().clone());
            }
            return Poll::Pending;
        }
        state.bytes += length;
        state.lines.extend(line.take());
        wake(state.reader.take());
        Poll::Ready(true)
    }

    /// Takes a line in, unless it is too late.
    fn put(&self, line: Vec<u8>) {
        let mut state = self.lock();
        if !state.is_closed {
            state.bytes += cost(&line);
            state.lines.push_back(line);
            wake(state.reader.take());
        }
    }

    /// Gives the next line, or the end.
    fn poll_pop(&self, context: &Context<'_>) -> Poll<Option<Vec<u8>>> {
        let mut state = self.lock();
        let Some(line) = state.lines.pop_front() else {
            if state.is_closed {
                return Poll::Ready(None);
            }
            state.reader = Some(context.waker().clone());
            return Poll::Pending;
        };
        state.bytes -= cost(&line);
        wake(std::mem::take(&mut state.writers));
        Poll::Ready(Some(line))
    }

    /// Is ready once it is closed.
    fn poll_closed(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.is_closed {
            return Poll::Ready(());
        }
        if !state
            .watchers
            .iter()
            .any(|it| it.will_wake(context.waker()))
        {
            state.watchers.push(context.waker().clone());
        }
        Poll::Pending
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        wake(state.reader.take());
        wake(std::mem::take(&mut state.writers));
        wake(std::mem::take(&mut state.watchers));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much space a line takes.
fn cost(line: &[u8]) -> usize {
    line.len() + COST
}

fn wake(wakers: impl IntoIterator<Item = Waker>) {
    wakers.into_iter().for_each(Waker::wake);
}
