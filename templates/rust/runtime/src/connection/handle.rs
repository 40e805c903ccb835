//! Owning a connection.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;

#[doc(hidden)]
pub use tokio::io::{AsyncRead, AsyncWrite};
#[doc(hidden)]
pub use tokio::process::Command;
use tokio::task::AbortHandle;

use super::super::rpc::{self, RequestError};
use super::child::Child;
use super::driver::Driver;
use super::messages::{MessageReceiver, MessageSender, messages};
use super::piped::{Input, Output};
use super::process::Process;
use super::{CallError, Options, Peer, Service, stdio};

/// A connection that is driven in the background until this is dropped.
pub struct Handle {
    peer: Peer,
    driver: AbortHandle,
    /// Killed when it is dropped.
    child: Option<Child>,
}

impl Handle {
    /// Begins to drive a connection, on the current runtime.
    #[doc(hidden)]
    pub fn start<R, W>(service: Arc<dyn Service>, reader: R, writer: W, options: Options) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        Self::run(Driver::new(service, reader, writer, options), None)
    }

    fn run<R, W>(driver: Driver<R, W>, child: Option<Child>) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let peer = driver.peer();
        let driver = tokio::spawn(driver).abort_handle();
        Self {
            peer,
            driver,
            child,
        }
    }

    /// Starts a process whose standard input and output are the connection.
    #[doc(hidden)]
    pub fn spawn(mut process: Process, service: Arc<dyn Service>) -> io::Result<Self> {
        let mut running = process.start()?;
        let (Some(stdin), Some(stdout)) = (running.stdin.take(), running.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let program = process.program();
        let child = Child::new(program, running, process.lines, process.grace);
        let output = Output::new(stdout, child.shared());
        let input = Input::new(stdin, child.shared());
        let mut options = process.options;
        options.has_started = true;
        let driver = Driver::new(service, output, input, options);
        child.shared().attach(driver.peer().link());
        Ok(Self::run(driver, Some(child)))
    }

    /// Begins a connection over messages.
    #[doc(hidden)]
    pub fn over_messages(
        service: Arc<dyn Service>,
        options: Options,
    ) -> (Self, MessageSender, MessageReceiver) {
        let (reader, writer, sender, receiver) = messages();
        let handle = Self::start(service, reader, writer, options);
        (handle, sender, receiver)
    }

    /// The process at the other end.
    #[doc(hidden)]
    pub fn process(&self) -> Option<&Child> {
        self.child.as_ref()
    }

    /// The other end.
    #[doc(hidden)]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Waits for the end.
    #[doc(hidden)]
    pub async fn closed(&self) -> Result<(), CallError> {
        let link = self.peer.link();
        poll_fn(|context| link.poll_end(context)).await
    }

    /// Ends the connection, and waits until everything is written, and for the end of the process
    /// at the other end.
    #[doc(hidden)]
    pub async fn close(&self) -> Result<(), CallError> {
        if let Some(child) = &self.child {
            child.shared().begin_closing();
        }
        self.peer.link().stop();
        let end = self.closed().await;
        if let Some(child) = &self.child {
            child.end().await;
        }
        end
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
pub async fn serve_stdio(service: Arc<dyn Service>, options: Options) -> rpc::Result<()> {
    let reporter = options.report_failures.then(|| service.rules().near);
    let options = Options {
        reporter,
        ..options
    };
    let handle = Handle::start(service, stdio::input(), stdio::output(), options);
    let end = handle.closed().await;
    end.map_err(|error| RequestError::new(-32603, error.to_string()))
}

/// Makes the connection of a side.
#[doc(hidden)]
#[macro_export]
macro_rules! connection {
    ($side:ident, $service:ident, $connection:ident, $peer:ty) => {
        #[doc = concat!("A connection at whose near end is a [`", stringify!($side), "`].")]
        ///
        /// It is driven in the background, and ends when this is dropped.
        #[derive(Debug)]
        pub struct $connection {
            inner: super::connection::Handle,
            peer: $peer,
        }

        impl $connection {
            /// Connects over any reader and writer. A `tokio` runtime must be running.
            pub fn new<R, W>(handler: impl $side + 'static, reader: R, writer: W) -> Self
            where
                R: super::connection::AsyncRead + Unpin + Send + 'static,
                W: super::connection::AsyncWrite + Unpin + Send + 'static,
            {
                let options = super::connection::Options::new();
                Self::with_options(handler, reader, writer, options)
            }

            /// Connects with other choices than the default.
            pub fn with_options<R, W>(
                handler: impl $side + 'static,
                reader: R,
                writer: W,
                options: super::connection::Options,
            ) -> Self
            where
                R: super::connection::AsyncRead + Unpin + Send + 'static,
                W: super::connection::AsyncWrite + Unpin + Send + 'static,
            {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let inner = super::connection::Handle::start(service, reader, writer, options);
                let peer = <$peer>::from(inner.peer().clone());
                Self { inner, peer }
            }

            /// Starts a process, and connects over its standard input and output. It is killed
            /// when the connection is dropped. A `tokio` runtime must be running.
            ///
            /// # Errors
            ///
            /// The process cannot be started.
            pub fn spawn(
                handler: impl $side + 'static,
                command: impl Into<super::connection::Command>,
            ) -> std::io::Result<Self> {
                Self::spawn_process(handler, command.into())
            }

            /// Starts a process, with other choices than the default.
            ///
            /// # Errors
            ///
            /// The process cannot be started.
            pub fn spawn_with_options(
                handler: impl $side + 'static,
                command: impl Into<super::connection::Command>,
                options: super::connection::Options,
            ) -> std::io::Result<Self> {
                let process = super::connection::Process::from(command.into());
                Self::spawn_process(handler, process.options(options))
            }

            /// Starts a process, with choices about it: its environment, its folder, where its
            /// standard error goes, and how long closing waits for it.
            ///
            /// # Errors
            ///
            /// The process cannot be started.
            pub fn spawn_process(
                handler: impl $side + 'static,
                process: impl Into<super::connection::Process>,
            ) -> std::io::Result<Self> {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let inner = super::connection::Handle::spawn(process.into(), service)?;
                let peer = <$peer>::from(inner.peer().clone());
                Ok(Self { inner, peer })
            }

            /// The process at the other end, if this connection has started it.
            pub fn process(&self) -> Option<&super::connection::Child> {
                self.inner.process()
            }

            /// Connects over messages in place of bytes: what comes in is given to the one, and
            /// what goes out is taken from the other.
            pub fn over_messages(
                handler: impl $side + 'static,
                options: super::connection::Options,
            ) -> (
                Self,
                super::connection::MessageSender,
                super::connection::MessageReceiver,
            ) {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let (inner, sender, receiver) =
                    super::connection::Handle::over_messages(service, options);
                let peer = <$peer>::from(inner.peer().clone());
                (Self { inner, peer }, sender, receiver)
            }

            /// Connects over standard input and output, and stays until the input ends. The `tokio`
            /// runtime must be one that does input and output, as that of `#[tokio::main]`.
            ///
            /// # Errors
            ///
            /// Reading or writing failed.
            pub async fn stdio(handler: impl $side + 'static) -> super::rpc::Result<()> {
                let options = super::connection::Options::new();
                Self::stdio_with_options(handler, options).await
            }

            /// Connects over standard input and output, with other choices than the default.
            ///
            /// # Errors
            ///
            /// Reading or writing failed.
            pub async fn stdio_with_options(
                handler: impl $side + 'static,
                options: super::connection::Options,
            ) -> super::rpc::Result<()> {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                super::connection::serve_stdio(service, options).await
            }

            /// Waits until the connection has ended.
            ///
            /// # Errors
            ///
            /// Reading or writing failed, or the connection had to be given up. That the other end
            /// is gone is no failure.
            pub async fn closed(&self) -> Result<(), super::connection::CallError> {
                self.inner.closed().await
            }

            /// Ends the connection once everything is written. A process at the other end is given
            /// time to read it and to end by itself; then it is told to, given time again, and
            /// killed, on Unix with all that it has started.
            ///
            /// # Errors
            ///
            /// As those of [`closed`](Self::closed).
            pub async fn close(&self) -> Result<(), super::connection::CallError> {
                self.inner.close().await
            }
        }

        impl std::ops::Deref for $connection {
            type Target = $peer;

            fn deref(&self) -> &Self::Target {
                &self.peer
            }
        }
    };
}
#[doc(hidden)]
pub use connection;
