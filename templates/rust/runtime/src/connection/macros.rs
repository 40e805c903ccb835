//! What every side has, but for names.

/// Makes a side's context, the core of its connection, and the type by which its peers call it.
///
/// From here on the peers' methods are the protocol's, so nothing is called by a name that one of
/// them could have.
#[doc(hidden)]
#[macro_export]
macro_rules! side {
    (
        $side:ident, $service:ident, $context:ident, $own:ident, $core:ident
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

        /// The context of no message, with which a test calls a handler.
        impl From<super::connection::Peer> for $context {
            fn from(peer: super::connection::Peer) -> Self {
                Self { inner: peer.into() }
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

        #[doc = concat!("A connection at whose near end is a [`", stringify!($side), "`],")]
        /// without input and output.
        #[derive(Debug)]
        pub struct $core {
            inner: super::connection::Core,
        }

        impl $core {
            /// Begins a connection that goes on with handlers itself, whenever it is polled.
            pub fn new(handler: impl $side + 'static) -> Self {
                let options = super::connection::Options::new();
                Self::start(handler, options, super::connection::Tasks::Own(Vec::new()))
            }

            /// Begins a connection with other choices than the default, and with an executor that
            /// goes on with the handlers of requests.
            pub fn with_options(
                handler: impl $side + 'static,
                options: super::connection::Options,
                spawn: impl FnMut(super::connection::Task) + Send + 'static,
            ) -> Self {
                Self::start(handler, options, super::connection::Tasks::spawned(spawn))
            }

            fn start(
                handler: impl $side + 'static,
                options: super::connection::Options,
                tasks: super::connection::Tasks,
            ) -> Self {
                let service = std::sync::Arc::new($service(std::sync::Arc::new(handler)));
                let inner = super::connection::Core::new(service, options, tasks);
                Self { inner }
            }
        }

        impl std::ops::Deref for $core {
            type Target = super::connection::Core;

            fn deref(&self) -> &Self::Target {
                &self.inner
            }
        }

        impl std::ops::DerefMut for $core {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.inner
            }
        }
    };
}
#[doc(hidden)]
pub use side;
