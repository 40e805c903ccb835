//! The runtime: what is the same for every protocol. A package has a copy of what it needs, or depends
//! on all of it.

use crate::backend::license;
use crate::output::FileSet;

/// The folder in which the copy is.
pub(super) const FOLDER: &str = "src/runtime/";

/// The package that the runtime is, if it is no copy.
pub(super) const PACKAGE: &str = "acp-bindgen-runtime";

/// The versions of that package that generated code can stand on.
pub(super) const VERSIONS: &str = concat!("^", env!("CARGO_PKG_VERSION"));

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!("src/runtime/", $name, ".ts"),
            include_str!(concat!("../../../templates/typescript/runtime/src/", $name, ".ts")),
        )),*]
    };
}

/// Files by their paths, without the headers.
type Files = &'static [(&'static str, &'static str)];

/// What codecs stand on.
static CODECS: Files = files!["codec", "decoding", "parsing", "standard", "values"];

/// What values are held to beyond bounds.
static KEYWORDS: Files = files!["keywords"];

/// Arrays whose items have types by their places.
static TUPLES: Files = files!["tuples"];

/// Connections.
static CONNECTION: Files = files![
    "connection",
    "connection/agreement",
    "connection/batch",
    "connection/calls",
    "connection/cancels",
    "connection/capabilities",
    "connection/choice",
    "connection/connection",
    "connection/connection-error",
    "connection/context",
    "connection/decoding",
    "connection/environment",
    "connection/framing",
    "connection/inbox",
    "connection/intake",
    "connection/json",
    "connection/link",
    "connection/message",
    "connection/method",
    "connection/negotiation",
    "connection/options",
    "connection/outbox",
    "connection/peer",
    "connection/pipe",
    "connection/port",
    "connection/progress",
    "connection/request-error",
    "connection/requests",
    "connection/rules",
    "connection/running",
    "connection/scan",
    "connection/service",
    "connection/skim",
    "connection/stray",
    "connection/stream",
    "connection/turn",
    "connection/unread",
    "connection/waiting",
    "connection/watch",
    "node/log",
    "node/process",
    "node/streams",
];

/// Handlers of a side, method by method.
static APP: Files = files!["app"];

/// Any request, result or notification by the name of its method.
static PAYLOADS: Files = files!["payloads"];

/// Programs that run for the other end.
static HOSTS: Files = files!["node/programs"];

/// Connections over a network.
static REMOTE: Files = files![
    "remote/access",
    "remote/answers",
    "remote/body",
    "remote/client",
    "remote/dialog",
    "remote/envelope",
    "remote/gate",
    "remote/hosts",
    "remote/inflow",
    "remote/limits",
    "remote/opening",
    "remote/origin",
    "remote/reconnect",
    "remote/refused",
    "remote/registry",
    "remote/rules",
    "remote/server",
    "remote/socket",
    "remote/socket-server",
    "remote/stream",
    "remote/timer",
    "remote/node/client",
    "remote/node/cookies",
    "remote/node/cork",
    "remote/node/handler",
    "remote/node/listen",
    "remote/node/optional",
    "remote/node/request",
];

/// The further modules that connections over HTTP need.
static HTTP: Files = files![
    "remote/aborts",
    "remote/client-stream",
    "remote/event-reader",
    "remote/event-stream",
    "remote/http-client",
    "remote/http-connection",
    "remote/http-pipe",
    "remote/http-requests",
    "remote/http-server",
    "remote/node/cookie-fetch",
    "remote/node/http2-fetch",
];

/// Calls whose results come in pieces.
static STREAMS: Files = files!["streams", "streams/call", "streams/join"];

/// The items of states.
static STATE: Files = files!["connection/json", "state/items", "state/series"];

/// The parts of the runtime that only some protocols need.
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub(super) struct Needs {
    pub(super) keywords: bool,
    pub(super) tuples: bool,
    pub(super) payloads: bool,
    pub(super) connections: bool,
    pub(super) app: bool,
    pub(super) http: bool,
    pub(super) hosts: bool,
    pub(super) streams: bool,
    pub(super) state: bool,
}

/// The files that a protocol needs, by their paths, without the headers.
pub(super) fn files(needs: &Needs) -> impl Iterator<Item = (&'static str, &'static str)> {
    let Needs { keywords, tuples, payloads, connections, app, http, hosts, streams, state } =
        *needs;
    let wanted = [
        (CODECS, true),
        (KEYWORDS, keywords),
        (TUPLES, tuples),
        (PAYLOADS, payloads),
        (CONNECTION, connections),
        (APP, app),
        (REMOTE, connections),
        (HTTP, connections && http),
        (HOSTS, connections && hosts),
        (STREAMS, connections && streams),
        (STATE, state),
    ];
    wanted.into_iter().filter(|(_, wanted)| *wanted).flat_map(|(files, _)| files).copied()
}

/// The runtime as a package.
pub(super) fn package() -> FileSet {
    macro_rules! file {
        ($name:literal) => {
            include_str!(concat!("../../../templates/typescript/runtime/", $name))
        };
    }
    let version = format!("\n  \"version\": \"{}\",\n", env!("CARGO_PKG_VERSION"));
    let manifest = file!("package.json").replacen("\n  \"version\": \"0.1.0\",\n", &version, 1);
    let mut files = FileSet::new();
    for (path, text) in license::OWN {
        files.insert(path, text);
    }
    files.insert("README.md", file!("README.md"));
    files.insert("package.json", manifest);
    files.insert("tsconfig.json", file!("tsconfig.json"));
    let all =
        [CODECS, KEYWORDS, TUPLES, PAYLOADS, CONNECTION, APP, REMOTE, HTTP, HOSTS, STREAMS, STATE];
    for (path, text) in all.into_iter().flatten() {
        files.insert(path.replacen(FOLDER, "src/", 1), *text);
    }
    files
}
