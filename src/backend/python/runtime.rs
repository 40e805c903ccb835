//! The parts of connections that are the same for every protocol: the package `rpc`, and what is
//! beside it for calls whose results come in pieces.

macro_rules! modules {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".py"),
            include_str!(concat!("../../../templates/python/", $folder, $name, ".py")),
        )),*]
    };
}

/// The modules for results that come in pieces, without their headers.
pub(super) const STREAMS: &[(&str, &str)] = modules!["": "_join", "streams"];

/// The module for what requests open, without its header.
pub(super) const HANDLES: (&str, &str) =
    ("_handles.py", include_str!("../../../templates/python/_handles.py"));

/// The modules for programs that run for the other end, without their headers.
pub(super) const HOSTS: &[(&str, &str)] = modules!["rpc/": "kept", "programs"];
/// The module for what is told of from its start to its end, without its header.
pub(super) const PROGRESS: (&str, &str) =
    ("_progress.py", include_str!("../../../templates/python/_progress.py"));

/// The module for functions beside a call, without its header.
pub(super) const HELPERS: (&str, &str) =
    ("_helpers.py", include_str!("../../../templates/python/_helpers.py"));

/// The module for what updates make up, without its header.
pub(super) const STATE: (&str, &str) =
    ("_state.py", include_str!("../../../templates/python/_state.py"));

/// The module for tuples, without its header.
pub(super) const TUPLES: (&str, &str) =
    ("_tuples.py", include_str!("../../../templates/python/_tuples.py"));

/// The module for what messages carry, without its header.
pub(super) const PAYLOADS: (&str, &str) =
    ("_payloads.py", include_str!("../../../templates/python/_payloads.py"));

/// The modules, without their headers, in the order in which they are best read.
pub(super) const RPC: &[(&str, &str)] = modules![
    "rpc/":
    "__init__",
    "options",
    "observed",
    "watch",
    "transport",
    "stdio",
    "stderr",
    "group",
    "process",
    "memory",
    "messages",
    "method",
    "message",
    "rules",
    "framing",
    "skim",
    "outbox",
    "calls",
    "unread",
    "running",
    "requests",
    "agreement",
    "link",
    "context",
    "started",
    "peer",
    "service",
    "inbox",
    "stray",
    "intake",
    "connection",
    "lifetime",
];

/// The modules for connections over a `WebSocket`, without their headers.
pub(super) const REMOTE: &[(&str, &str)] = modules![
    "remote/":
    "endpoint",
    "asked",
    "limits",
    "errors",
    "lines",
    "opening_watch",
    "websocket",
    "request",
    "asgi",
    "hosts",
    "origins",
    "app",
    "cookies",
    "client",
    "pings",
    "websocket_client",
    "watch",
    "reconnect",
];

/// The modules for HTTP, without their headers.
pub(super) const REMOTE_HTTP: &[(&str, &str)] = modules![
    "remote/":
    "sse",
    "event_stream",
    "sessions",
    "registry",
    "http_server",
    "http_app",
    "http_refusal",
    "http_sockets",
    "http_transport",
    "http_streams",
    "http_pool",
    "http_client",
    "http_remote",
];
