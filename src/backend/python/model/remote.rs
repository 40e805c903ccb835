//! The model of `remote.py` and `_endpoint.py`: how the protocol is served over HTTP or a
//! `WebSocket`.

use serde::Serialize;

use super::super::data;
use super::super::expression::Expression;
use super::super::imports::{Import, Imports, Used};
use super::super::reexports::{Reexports, ReexportsModel};
use super::scope::Scope;
use crate::ir::{Protocol, Side};
use crate::sdk;

/// `remote.py` and `_endpoint.py`
#[derive(Debug, Serialize)]
pub(crate) struct RemoteModule {
    /// True if it is said how the protocol is spoken over HTTP.
    pub(crate) has_http: bool,
    endpoint: Expression,
    endpoint_imports: Vec<Import>,
    #[serde(flatten)]
    reexports: ReexportsModel,
}

/// Decides what connections know of the endpoint.
pub(super) fn remote_module(scope: &Scope<'_>) -> RemoteModule {
    let has_http = scope.protocol.remote.is_some();
    let mut imports = Imports::default();
    imports.typing("Final");
    imports.module("runtime/remote/endpoint", "_endpoint");
    if has_http {
        imports.own("runtime/remote/http_app", "HttpApp as _App");
        imports.own("runtime/remote/http_remote", "HttpRemote as _Remote");
    } else {
        imports.own("runtime/remote/app", "WebSocketApp as _App");
        imports.own("runtime/remote/client", "WebSocketRemote as _Remote");
    }
    let mut reexports = Reexports::default();
    reexports.add_late("_endpoint", ["App", "Remote"]);
    reexports.add_late("runtime/remote/app", ["ServerOptions"]);
    reexports.add_late("runtime/remote/errors", ["HttpError"]);
    reexports.add_late("runtime/remote/limits", ["Limits"]);
    reexports.add_late("runtime/remote/reconnect", ["Lost", "Retries", "keep_connected"]);
    reexports.add_late("runtime/remote/request", ["RefusedError", "Request", "opening"]);
    let rules = sdk::endpoint(&scope.protocol.endpoint_rules());
    RemoteModule {
        has_http,
        endpoint: data::expression(&rules, "_endpoint."),
        endpoint_imports: imports.statements(scope.modules, "_endpoint"),
        reexports: reexports.finish(scope.modules, "remote"),
    }
}

/// Tells whether others connect to a side: to the one that handles what opens a connection, or to
/// any if nothing has to. The functions for that need an import.
pub(super) fn serve(protocol: &Protocol, side: &Side, connections: &mut Used) -> bool {
    let is_served = protocol.can_serve(side);
    if is_served {
        connections.annotations.module("remote", "_remote");
    }
    is_served
}
