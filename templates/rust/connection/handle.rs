//! Owning a connection.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::process::Stdio;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child as Process, Command};
use tokio::task::AbortHandle;

use super::super::rpc::{RequestError, Result};
use super::driver::Driver;
use super::{Options, Peer, Service, stdio};

/// A connection that is driven in the background until this is dropped.
pub(crate) struct Handle {
    peer: Peer,
    driver: AbortHandle,
    /// Killed when it is dropped.
    #[allow(dead_code, reason = "it is only there to be dropped")]
    process: Option<Process>,
}

impl Handle {
    /// Begins to drive a connection, on the current runtime.
    pub(crate) fn start<R, W>(
        service: Arc<dyn Service>,
        reader: R,
        writer: W,
        options: Options,
    ) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let driver = Driver::new(service, reader, writer, options);
        let peer = driver.peer();
        let driver = tokio::spawn(driver).abort_handle();
        Self {
            peer,
            driver,
            process: None,
        }
    }

    /// Starts a process whose standard input and output are the connection.
    pub(crate) fn spawn(
        mut command: Command,
        service: Arc<dyn Service>,
        options: Options,
    ) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.kill_on_drop(true).spawn()?;
        let (Some(writer), Some(reader)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut handle = Self::start(service, reader, writer, options);
        handle.process = Some(process);
        Ok(handle)
    }

    /// The other end.
    pub(crate) fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Waits for the end.
    pub(crate) async fn closed(&self) -> Result<()> {
        let link = self.peer.link();
        let end = poll_fn(|context| link.poll_end(context)).await;
        end.map_err(|error| RequestError::new(-32603, error))
    }

    /// Ends the connection, and waits until everything is written.
    pub(crate) async fn close(&self) -> Result<()> {
        self.peer.link().stop();
        self.closed().await
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Handle").finish_non_exhaustive()
    }
}

/// Drives a connection over standard input and output until the input ends.
pub(crate) async fn serve_stdio(service: Arc<dyn Service>, options: Options) -> Result<()> {
    Handle::start(service, stdio::input(), stdio::output(), options)
        .closed()
        .await
}
