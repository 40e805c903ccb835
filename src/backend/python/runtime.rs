//! The modules that are the same for every protocol.

/// A module by its path, without the extension.
macro_rules! module {
    ($path:literal) => {
        (
            concat!($path, ".py"),
            include_str!(concat!(
                "../../../templates/python/runtime/src/acp_bindgen_runtime/",
                $path,
                ".py"
            )),
        )
    };
}

/// Modules of a folder, by their names in it.
macro_rules! modules {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".py"),
            include_str!(concat!(
                "../../../templates/python/runtime/src/acp_bindgen_runtime/",
                $folder,
                $name,
                ".py"
            )),
        )),*]
    };
}

/// The modules that codecs stand on, without their headers, and the one that brings them together
/// with what is generated.
pub(super) const CODECS: &[(&str, &str)] = &[
    module!("_codec"),
    module!("_decoding"),
    ("_definitions.py", include_str!("../../../templates/python/_definitions.py")),
    module!("_depth"),
    module!("_errors"),
    module!("_parsing"),
    module!("_quick"),
    module!("_repair"),
    module!("_support"),
    module!("_taking"),
    module!("_unions"),
    module!("_values"),
];

/// The module for constraints beyond bounds, without its header.
pub(super) const KEYWORDS: (&str, &str) = module!("_keywords");

/// The module for what is deprecated or unstable, without its header.
pub(super) const STATUS: (&str, &str) = module!("status");

/// The modules for results that come in pieces, without their headers.
pub(super) const STREAMS: &[(&str, &str)] = modules!["": "_join", "streams"];

/// The module for what requests open, without its header.
pub(super) const HANDLES: (&str, &str) = module!("_handles");

/// The modules for programs that run for the other end, without their headers.
pub(super) const HOSTS: &[(&str, &str)] = modules!["rpc/": "kept", "programs"];
/// The module for what is told of from its start to its end, without its header.
pub(super) const PROGRESS: (&str, &str) = module!("_progress");

/// The module for functions beside a call, without its header.
pub(super) const HELPERS: (&str, &str) = module!("_helpers");

/// The module for what updates make up, without its header.
pub(super) const STATE: (&str, &str) = module!("_state");

/// The module for tuples, without its header.
pub(super) const TUPLES: (&str, &str) = module!("_tuples");

/// The module for what messages carry, without its header.
pub(super) const PAYLOADS: (&str, &str) = module!("_payloads");

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
