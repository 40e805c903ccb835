//! The input and output of a process.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout};

use super::child::Shared;
use super::deadline::Deadline;

/// The end of a process, from the point of view of its connection: the process may end a little
/// after its output does, and whoever still waits for it is told how.
struct End {
    child: Arc<Shared>,
    deadline: Option<Deadline>,
    /// What happened if the process goes on.
    otherwise: &'static str,
}

impl End {
    fn poll(&mut self, context: &Context<'_>) -> Poll<()> {
        let deadline = self
            .deadline
            .get_or_insert_with(|| Deadline::after(self.child.grace));
        if self.child.poll_ended(context).is_pending() && deadline.poll(context).is_pending() {
            return Poll::Pending;
        }
        self.child.part(self.otherwise);
        Poll::Ready(())
    }
}

/// What a process says.
pub(super) struct Output {
    stdout: Option<ChildStdout>,
    end: End,
    /// How long more may come once the process has ended: what it has started may have its output.
    rest: Option<Deadline>,
}

/// What a process is told.
pub(super) struct Input {
    stdin: ChildStdin,
    end: End,
    /// How long it is waited for that the process reads, once the connection is about to end.
    patience: Option<Deadline>,
}

impl Output {
    pub(super) fn new(stdout: ChildStdout, child: &Arc<Shared>) -> Self {
        Self {
            stdout: Some(stdout),
            end: end(child, "its output ended"),
            rest: None,
        }
    }

    /// Waits for more from a process that has ended.
    fn poll_rest(&mut self, context: &Context<'_>) -> Poll<()> {
        let child = &self.end.child;
        if child.poll_ended(context).is_pending() {
            return Poll::Pending;
        }
        let rest = self
            .rest
            .get_or_insert_with(|| Deadline::after(child.grace));
        rest.poll(context)
    }
}

impl Input {
    pub(super) fn new(stdin: ChildStdin, child: &Arc<Shared>) -> Self {
        Self {
            stdin,
            end: end(child, "its input ended"),
            patience: None,
        }
    }

    /// Waits until the process reads.
    fn poll_unread(&mut self, context: &Context<'_>) -> Poll<io::Result<usize>> {
        let child = &self.end.child;
        if !child.is_closing() {
            return Poll::Pending;
        }
        let patience = self
            .patience
            .get_or_insert_with(|| Deadline::after(child.grace));
        patience.poll(context).map(|()| {
            let reason = "the process does not read";
            Err(io::Error::new(io::ErrorKind::TimedOut, reason))
        })
    }
}

fn end(child: &Arc<Shared>, otherwise: &'static str) -> End {
    End {
        child: Arc::clone(child),
        deadline: None,
        otherwise,
    }
}

impl AsyncRead for Output {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let output = self.get_mut();
        if let Some(stdout) = &mut output.stdout {
            let before = buffer.filled().len();
            match Pin::new(stdout).poll_read(context, buffer) {
                Poll::Ready(Ok(())) if buffer.filled().len() == before => {}
                Poll::Pending if output.poll_rest(context).is_ready() => {}
                other => return other,
            }
            output.stdout = None;
            output.end.child.begin_closing();
        }
        output.end.poll(context).map(Ok)
    }
}

/// A process that still runs is not stopped by what it goes on to say.
impl Drop for Output {
    fn drop(&mut self) {
        if let Some(stdout) = self.stdout.take() {
            self.end.child.leave(stdout);
        }
    }
}

impl AsyncWrite for Input {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let input = self.get_mut();
        match Pin::new(&mut input.stdin).poll_write(context, bytes) {
            Poll::Ready(Err(error)) => input.end.poll(context).map(|()| Err(error)),
            Poll::Pending => input.poll_unread(context),
            written @ Poll::Ready(_) => written,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stdin).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stdin).poll_shutdown(context)
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").finish_non_exhaustive()
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Input").finish_non_exhaustive()
    }
}
