//! Connections over the network: over `WebSocket`.
//!
//! A server is a [`Server`], whose router is a part of an application of `axum`; what a client
//! connects to is a [`Remote`]. Below, both are a transport: it takes lines from a connection and
//! hands lines to it.

mod choice;
mod client;
mod cookies;
mod dial;
mod endpoint;
mod ledger;
mod limits;
mod macros;
mod queue;
mod reconnect;
mod websocket;

#[cfg(feature = "http-server")]
mod admission;
#[cfg(feature = "http-server")]
mod answer;
#[cfg(feature = "http-server")]
mod hosts;
#[cfg(feature = "http-server")]
mod id;
#[cfg(feature = "http-server")]
mod listener;
#[cfg(feature = "http-server")]
mod registry;
#[cfg(feature = "http-server")]
mod server;
#[cfg(feature = "http-server")]
mod upgrade;

pub use self::client::Remote;
pub(crate) use self::client::connect;
pub(crate) use self::endpoint::Endpoint;
pub(crate) use self::ledger::Ledger;
pub use self::limits::Limits;
#[cfg(feature = "http-server")]
pub use self::listener::serve;
pub(crate) use self::macros::{client, server};
pub(crate) use self::reconnect::{Connected, reconnect};
pub use self::reconnect::{Interrupted, Retries};
#[cfg(feature = "http-server")]
pub use self::server::{Head, Refusal, Server};
