//! The model of `remote/protocol.py`: how the protocol is served over HTTP or a `WebSocket`.

use serde::Serialize;

use super::super::data;
use super::super::expression::Expression;
use super::super::imports::Used;
use crate::ir::{Protocol, Side};
use crate::sdk;

/// `remote/__init__.py` and `remote/protocol.py`
#[derive(Debug, Serialize)]
pub(crate) struct RemoteModule {
    /// True if it is said how the protocol is spoken over HTTP.
    pub(crate) has_http: bool,
    endpoint: Expression,
}

/// Decides what connections know of the endpoint.
pub(super) fn remote_module(protocol: &Protocol) -> RemoteModule {
    let remote = protocol.remote.as_ref();
    RemoteModule {
        has_http: remote.is_some(),
        endpoint: data::expression(&sdk::endpoint(&protocol.endpoint_rules()), "_endpoint."),
    }
}

/// Tells whether others connect to a side: to the one that handles what opens a connection, or to
/// any if nothing has to. The functions for that need an import.
pub(super) fn serve(protocol: &Protocol, side: &Side, connections: &mut Used) -> bool {
    let is_served = protocol.can_serve(side);
    if is_served {
        connections.annotations.own(".", "remote as _remote");
    }
    is_served
}
