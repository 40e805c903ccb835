//! What every side has, but for names.

/// Makes a side's context, its connection, and the type by which its peers call it.
///
/// From here on the peers' methods are the protocol's, so nothing is called by a name that one of
/// them could have.
macro_rules! side {
    (
        $side:ident: $service:ident, $context:ident, $connection:ident,
        $own:ident, $peer:ty
    ) => {
        #[doc = concat!("What a handler of [`", stringify!($side), "`] knows beside its params.")]
        #[derive(Clone, Debug)]
        pub struct $context {
            inner: super::connection::Context,
        }

        impl From<super::connection::Context> for $context {
            fn from(inner: super::connection::Context) -> Self {
                Self { inner }
            }
        }

        impl std::ops::Deref for $context {
            type Target = super::connection::Context;

            fn deref(&self) -> &Self::Target {
                &self.inner
            }
        }

        #[doc = concat!("Calls what [`", stringify!($side), "`] handles, at the other end.")]
        #[derive(Clone, Debug)]
        pub struct $own {
            inner: super::connection::Peer,
        }

        impl From<super::connection::Peer> for $own {
            fn from(inner: super::connection::Peer) -> Self {
                Self { inner }
            }
        }

        impl std::ops::Deref for $own {
            type Target = super::connection::Peer;

            fn deref(&self) -> &Self::Target {
                &self.inner
            }
        }

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
                R: tokio::io::AsyncRead + Unpin + Send + 'static,
                W: tokio::io::AsyncWrite + Unpin + Send + 'static,
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
                R: tokio::io::AsyncRead + Unpin + Send + 'static,
                W: tokio::io::AsyncWrite + Unpin + Send + 'static,
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
                command: impl Into<tokio::process::Command>,
            ) -> std::io::Result<Self> {
                let options = super::connection::Options::new();
                Self::spawn_with_options(handler, command, options)
            }

            /// Starts a process, with other choices than the default.
            ///
            /// # Errors
            ///
            /// The process cannot be started.
            pub fn spawn_with_options(
                handler: impl $side + 'static,
                command: impl Into<tokio::process::Command>,
                options: super::connection::Options,
            ) -> std::io::Result<Self> {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let inner = super::connection::Handle::spawn(command.into(), service, options)?;
                let peer = <$peer>::from(inner.peer().clone());
                Ok(Self { inner, peer })
            }

            /// Connects over standard input and output, and stays until the input ends.
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
            /// Reading or writing failed.
            pub async fn closed(&self) -> super::rpc::Result<()> {
                self.inner.closed().await
            }

            /// Ends the connection once everything is written.
            ///
            /// # Errors
            ///
            /// Writing failed.
            pub async fn close(&self) -> super::rpc::Result<()> {
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
pub(crate) use side;
