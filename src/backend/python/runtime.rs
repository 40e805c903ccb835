//! The runtime: its modules, which are the same for every protocol, and which of them a package has a
//! copy of.

use super::model::{Model, has_deprecated, has_unstable};
use crate::backend::license;
use crate::ir::{Protocol, TypeKind};
use crate::output::FileSet;

/// A module by its file in the runtime, and its text without a header.
type Module = (&'static str, &'static str);

/// Includes a file of the runtime's package.
macro_rules! file {
    ($($path:literal),*) => {
        include_str!(concat!("../../../templates/python/runtime/", $($path),*))
    };
}

/// Lists modules of the runtime.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".py"),
            file!("src/acp_bindgen_runtime/", $name, ".py"),
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

/// Tells whether a package needs a part.
type IsNeeded = fn(&Protocol, &Model) -> bool;

/// The parts of the runtime, each with what it is for.
const PARTS: [(IsNeeded, &[Module]); 15] = [
    (|_, _| true, CODECS),
    (|_, model| has_late(model), modules!["late"]),
    (has_status, modules!["status"]),
    (|protocol, _| protocol.has_keywords(), modules!["keywords"]),
    (|protocol, _| has_tuples(protocol), modules!["tuples"]),
    (|_, model| !model.states.states.is_empty(), modules!["state"]),
    (|_, model| model.payloads.is_some(), modules!["payloads"]),
    (|_, model| is_connected(model), RPC),
    (|_, model| is_connected(model), REMOTE),
    (|_, model| is_connected(model) && model.remote.has_http, HTTP),
    (|_, model| model.sides.has_handles(), modules!["handles"]),
    (|_, model| !model.hosts.hosts.is_empty(), modules!["rpc/kept", "rpc/programs"]),
    (|_, model| model.sides.has_progress(), modules!["progress"]),
    (|_, model| model.sides.has_helpers(), modules!["helpers"]),
    (|_, model| is_connected(model) && model.sides.has_streams, modules!["join", "streams"]),
];

/// Tells whether a package warns of what is deprecated, unstable or has an old name.
pub(super) fn has_status(protocol: &Protocol, model: &Model) -> bool {
    has_deprecated(protocol) || has_unstable(protocol) || model.types.has_old_names
}

fn has_late(model: &Model) -> bool {
    is_connected(model)
        || !model.exports.old_types.is_empty()
        || !model.exports.old_states.is_empty()
}

fn has_tuples(protocol: &Protocol) -> bool {
    protocol.types.values().any(|def| matches!(def.kind, TypeKind::Tuple(_)))
}

fn is_connected(model: &Model) -> bool {
    !model.sides.sides.is_empty()
}

/// The modules that a package needs.
pub(super) fn needed(protocol: &Protocol, model: &Model) -> impl Iterator<Item = Module> {
    let parts = PARTS.iter().filter(|(is_needed, _)| is_needed(protocol, model));
    parts.flat_map(|(_, modules)| *modules).copied()
}

/// The runtime as a package of its own.
pub(super) fn package() -> FileSet {
    let version = format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    let manifest = file!("pyproject.toml").replacen("\nversion = \"0.1.0\"\n", &version, 1);
    let mut files = FileSet::new();
    for (path, text) in license::OWN {
        files.insert(path, text);
    }
    files.insert("README.md", file!("README.md"));
    files.insert("pyproject.toml", manifest);
    files.insert("src/acp_bindgen_runtime/py.typed", "");
    for (path, text) in PARTS.iter().flat_map(|(_, modules)| *modules) {
        files.insert(format!("src/acp_bindgen_runtime/{path}"), *text);
    }
    files
}
