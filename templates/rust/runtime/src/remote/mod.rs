//! Connections over the network: over HTTP with streams of events, and over `WebSocket`.
//!
//! A server is a [`Server`], whose router is a part of an application of `axum`; what a client
//! connects to is a [`Remote`]. Below, both are a transport: it takes lines from a connection and
//! hands lines to it.

#![cfg(any(
    feature = "http-client",
    feature = "http-server",
    feature = "websocket"
))]

mod endpoint;
mod ledger;
mod limits;
mod macros;
mod queue;

#[cfg(any(feature = "http-client", feature = "websocket"))]
mod choice;
#[cfg(any(feature = "http-client", feature = "websocket"))]
mod client;
#[cfg(any(feature = "http-client", feature = "websocket"))]
mod cookies;
#[cfg(feature = "websocket")]
mod dial;
#[cfg(feature = "http-client")]
mod events;
#[cfg(feature = "http-client")]
mod http;
#[cfg(feature = "http-client")]
mod listen;
#[cfg(any(feature = "http-client", feature = "websocket"))]
mod reconnect;
#[cfg(feature = "http-client")]
mod requests;
#[cfg(feature = "websocket")]
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
mod post;
#[cfg(feature = "http-server")]
mod registry;
#[cfg(feature = "http-server")]
mod server;
#[cfg(feature = "http-server")]
mod serving;
#[cfg(feature = "http-server")]
mod sse;
#[cfg(feature = "http-server")]
mod streams;
#[cfg(all(feature = "http-server", feature = "websocket"))]
mod upgrade;

#[cfg(any(feature = "http-client", feature = "websocket"))]
pub use self::choice::Transport;
#[cfg(any(feature = "http-client", feature = "websocket"))]
pub use self::client::Remote;
#[cfg(any(feature = "http-client", feature = "websocket"))]
#[doc(hidden)]
pub use self::client::connect;
#[doc(hidden)]
pub use self::endpoint::{Endpoint, Sessions, VersionHeader};
#[cfg(any(feature = "http-client", feature = "websocket"))]
#[doc(hidden)]
pub use self::ledger::Ledger;
pub use self::limits::Limits;
#[cfg(feature = "http-server")]
pub use self::listener::serve;
#[doc(hidden)]
pub use self::macros::{client, server};
#[cfg(any(feature = "http-client", feature = "websocket"))]
#[doc(hidden)]
pub use self::reconnect::{Connected, reconnect};
#[cfg(any(feature = "http-client", feature = "websocket"))]
pub use self::reconnect::{Interrupted, Retries};
#[cfg(feature = "http-server")]
pub use self::server::{Head, Refusal, Server};
