//! What connections can do over the network.

/// Lets a side connect to servers.
#[doc(hidden)]
#[macro_export]
macro_rules! client {
    ($side:ident, $service:ident, $connection:ident, $peer:ty) => {
        impl $connection {
            /// Connects to a server: to a URL, or to a [`Remote`](super::remote::Remote). A `tokio`
            /// runtime must be running.
            ///
            /// # Errors
            ///
            /// There is no server, or it does not let this client in. Over HTTP the first call
            /// says so.
            pub async fn connect(
                handler: impl $side + 'static,
                remote: impl Into<super::remote::Remote>,
            ) -> std::result::Result<Self, super::connection::CallError> {
                let connected = Self::dial(handler, remote.into()).await;
                connected.map(|(connection, _)| connection)
            }

            /// Connects to a server, runs the function with the connection, and waits for its end.
            /// If it was lost, connects again, after a while.
            ///
            /// The function is told what there was on the connection that was lost: it may load
            /// sessions again. No call is repeated: what had no answer may have been done or not,
            /// and what the server said meanwhile is gone.
            ///
            /// # Errors
            ///
            /// There were too many tries in a row, or the function failed with an error that is
            /// not about the connection.
            pub async fn reconnect<H: $side + 'static, F>(
                mut handler: impl FnMut() -> H,
                remote: impl Into<super::remote::Remote>,
                retries: super::remote::Retries,
                set_up: impl FnMut(std::sync::Arc<Self>, super::remote::Interrupted) -> F,
            ) -> std::result::Result<(), super::connection::CallError>
            where
                F: std::future::Future<
                        Output = std::result::Result<(), super::connection::CallError>,
                    >,
            {
                let remote = remote.into();
                let connect = || Self::dial(handler(), remote.clone());
                super::remote::reconnect(retries, connect, set_up).await
            }

            async fn dial(
                handler: impl $side + 'static,
                remote: super::remote::Remote,
            ) -> std::result::Result<
                (Self, std::sync::Arc<super::remote::Ledger>),
                super::connection::CallError,
            > {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let (inner, ledger) = super::remote::connect(&ENDPOINT, &remote, service).await?;
                let peer = <$peer>::from(inner.peer().clone());
                Ok((Self { inner, peer }, ledger))
            }
        }

        impl super::remote::Connected for $connection {
            async fn ended(&self) -> Result<(), super::connection::CallError> {
                self.inner.closed().await
            }
        }
    };
}
#[doc(hidden)]
pub use client;

/// Lets a side be a server.
#[doc(hidden)]
#[macro_export]
macro_rules! server {
    ($side:ident, $service:ident, $connection:ident) => {
        impl $connection {
            /// A server whose connections have a handler each, which this function makes. It is
            /// given the request that opens the connection.
            pub fn serve<H: $side + 'static>(
                make: impl Fn(&super::remote::Head) -> H + Send + Sync + 'static,
            ) -> super::remote::Server {
                super::remote::Server::new(&ENDPOINT, move |head| {
                    std::sync::Arc::new($service(std::sync::Arc::new(make(head))))
                })
            }
        }
    };
}
#[doc(hidden)]
pub use server;
