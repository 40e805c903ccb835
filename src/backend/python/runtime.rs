//! The modules of the runtime, which are the same for every protocol: which of them a package has a
//! copy of.

use super::model::{Model, has_deprecated, has_unstable};
use crate::ir::{Protocol, TypeKind};

/// A module by its file in the runtime, and its text without a header.
type Module = (&'static str, &'static str);

/// Modules of the runtime.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".py"),
            include_str!(concat!(
                "../../../templates/python/runtime/src/acp_bindgen_runtime/",
                $name,
                ".py"
            )),
        )),*]
    };
}

/// The modules that codecs stand on.
const CODECS: &[Module] = modules![
    "__init__", "codec", "decoding", "depth", "errors", "parsing", "quick", "repair", "support",
    "taking", "unions", "values",
];

/// The modules of connections.
const RPC: &[Module] = modules![
    "rpc/__init__",
    "rpc/agreement",
    "rpc/calls",
    "rpc/connection",
    "rpc/context",
    "rpc/framing",
    "rpc/group",
    "rpc/inbox",
    "rpc/intake",
    "rpc/lifetime",
    "rpc/link",
    "rpc/memory",
    "rpc/message",
    "rpc/messages",
    "rpc/method",
    "rpc/observed",
    "rpc/options",
    "rpc/outbox",
    "rpc/peer",
    "rpc/process",
    "rpc/requests",
    "rpc/rules",
    "rpc/running",
    "rpc/service",
    "rpc/skim",
    "rpc/started",
    "rpc/stderr",
    "rpc/stdio",
    "rpc/stray",
    "rpc/transport",
    "rpc/unread",
    "rpc/watch",
];

/// The modules of connections over a `WebSocket`.
const REMOTE: &[Module] = modules![
    "remote/__init__",
    "remote/app",
    "remote/asgi",
    "remote/asked",
    "remote/client",
    "remote/cookies",
    "remote/endpoint",
    "remote/errors",
    "remote/hosts",
    "remote/limits",
    "remote/lines",
    "remote/opening_watch",
    "remote/origins",
    "remote/pings",
    "remote/reconnect",
    "remote/request",
    "remote/watch",
    "remote/websocket",
    "remote/websocket_client",
];

/// The modules of connections over HTTP.
const HTTP: &[Module] = modules![
    "remote/event_stream",
    "remote/http_app",
    "remote/http_client",
    "remote/http_pool",
    "remote/http_refusal",
    "remote/http_remote",
    "remote/http_server",
    "remote/http_sockets",
    "remote/http_streams",
    "remote/http_transport",
    "remote/registry",
    "remote/sessions",
    "remote/sse",
];

/// Tells whether a package warns of what is deprecated, unstable or has an old name.
pub(super) fn has_status(protocol: &Protocol, model: &Model) -> bool {
    has_deprecated(protocol) || has_unstable(protocol) || model.types.has_old_names
}

/// The modules that a package needs.
pub(super) fn needed(protocol: &Protocol, model: &Model) -> impl Iterator<Item = Module> {
    let has_tuples = protocol.types.values().any(|def| matches!(def.kind, TypeKind::Tuple(_)));
    let sides = &model.sides;
    let is_connected = !sides.sides.is_empty();
    let parts = [
        (true, CODECS),
        (has_status(protocol, model), modules!["status"]),
        (protocol.has_keywords(), modules!["keywords"]),
        (has_tuples, modules!["tuples"]),
        (!model.states.states.is_empty(), modules!["state"]),
        (model.payloads.is_some(), modules!["payloads"]),
        (is_connected, RPC),
        (is_connected, REMOTE),
        (is_connected && model.remote.has_http, HTTP),
        (is_connected && sides.has_handles(), modules!["handles"]),
        (is_connected && !model.hosts.hosts.is_empty(), modules!["rpc/kept", "rpc/programs"]),
        (is_connected && sides.has_progress(), modules!["progress"]),
        (is_connected && sides.has_helpers(), modules!["helpers"]),
        (is_connected && sides.has_streams, modules!["join", "streams"]),
    ];
    parts.into_iter().filter(|(is_needed, _)| *is_needed).flat_map(|(_, modules)| modules).copied()
}
