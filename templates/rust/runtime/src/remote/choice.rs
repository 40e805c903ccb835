//! The transport of a client.

use std::sync::Arc;

use super::super::connection::{CallError, Handle, Service};
use super::client::Remote;
#[cfg(feature = "websocket")]
use super::dial;
use super::endpoint::Endpoint;
#[cfg(feature = "http-client")]
use super::http;
use super::ledger::Ledger;

/// How messages travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// Over a `WebSocket`, or if there is none, over HTTP: whatever the package's features allow.
    #[default]
    Auto,
    /// In requests of HTTP, and in streams of events.
    #[cfg(feature = "http-client")]
    Http,
    /// Over a `WebSocket`.
    #[cfg(feature = "websocket")]
    WebSocket,
}

/// What a client chooses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    transport: Transport,
    #[cfg(feature = "http-client")]
    pub(super) http1: bool,
}

impl Remote {
    /// Chooses how messages travel.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.choice.transport = transport;
        self
    }

    /// Speaks HTTP/1.1 with a server that speaks no HTTP/2.
    #[cfg(feature = "http-client")]
    #[must_use]
    pub fn http1(mut self, http1: bool) -> Self {
        self.choice.http1 = http1;
        self
    }
}

/// Connects to a server.
pub(super) async fn connect(
    endpoint: &'static Endpoint,
    remote: &Remote,
    service: Arc<dyn Service>,
    ledger: &Arc<Ledger>,
) -> Result<Handle, CallError> {
    #[cfg(not(feature = "http-client"))]
    let _ = endpoint;
    match remote.choice.transport {
        #[cfg(feature = "http-client")]
        Transport::Http if !endpoint.has_http() => {
            let why = "the protocol is spoken over WebSocket only";
            Err(CallError::Lost(why.to_owned()))
        }
        #[cfg(feature = "http-client")]
        Transport::Http => http::connect(endpoint, remote, service, ledger),
        #[cfg(feature = "websocket")]
        Transport::WebSocket => dial::connect(remote, service, ledger).await,
        #[cfg(all(feature = "http-client", feature = "websocket"))]
        Transport::Auto => match dial::connect(remote, Arc::clone(&service), ledger).await {
            Err(error) if endpoint.has_http() && may_be_http(&error) => {
                http::connect(endpoint, remote, service, ledger)
            }
            connected => connected,
        },
        #[cfg(not(feature = "http-client"))]
        Transport::Auto => dial::connect(remote, service, ledger).await,
        #[cfg(not(feature = "websocket"))]
        Transport::Auto => http::connect(endpoint, remote, service, ledger),
    }
}

/// Whether the server may still take what it did not take over a `WebSocket`.
#[cfg(all(feature = "http-client", feature = "websocket"))]
fn may_be_http(error: &CallError) -> bool {
    !matches!(
        error,
        CallError::Refused {
            status: 401 | 403,
            ..
        }
    )
}
