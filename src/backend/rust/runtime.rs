//! The files that are the same for every protocol, or nearly.

use super::model::Model;
use crate::backend::Runtime;

/// Lists files of `templates/rust/` by their path under `src/`.
macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../templates/rust/", $path)))),*]
    };
}

type Files = &'static [(&'static str, &'static str)];

/// The files that read and write JSON and answer requests.
const JSON: Files = files! {
    "json/attempts.rs" "json/constraints.rs" "json/decode.rs" "json/encode.rs" "json/error.rs"
    "json/fields.rs" "json/hop.rs" "json/macros.rs" "json/members.rs" "json/newtypes.rs"
    "json/number.rs" "json/optional.rs" "json/patch.rs" "json/reader.rs"
    "json/record.rs" "json/repeated.rs" "json/serde_bridge.rs" "json/text.rs" "json/unknown.rs"
    "rpc.rs"
};

/// The files about constraints beyond bounds.
const KEYWORDS: Files = files! { "json/keywords.rs" };

/// The module that reads and writes JSON, and its part about constraints beyond bounds.
const JSON_ROOT: &str = include_str!("../../../templates/rust/json/mod.rs");
const BESIDE_KEYWORDS: &str = include_str!("../../../templates/rust/json/mod.keywords.txt");

/// Regular expressions.
const PATTERNS: Files = files! { "json/pattern.rs" };

/// The part of the module of JSON that is about regular expressions.
const BESIDE_PATTERNS: &str = include_str!("../../../templates/rust/json/mod.pattern.txt");

/// Tuples.
const TUPLES: Files = files! { "json/tuple.rs" };

/// The part of the module of JSON that is about tuples.
const BESIDE_TUPLES: &str = include_str!("../../../templates/rust/json/mod.tuple.txt");

/// Connections without input and output.
const CORE: Files = files! {
    "connection/agreement.rs" "connection/answering.rs" "connection/batch.rs" "connection/call.rs"
    "connection/calls.rs" "connection/cancellation.rs" "connection/context.rs" "connection/core.rs"
    "connection/deadline.rs" "connection/error.rs" "connection/escape.rs" "connection/failure.rs"
    "connection/framing.rs" "connection/gates.rs" "connection/hold.rs" "connection/inbox.rs"
    "connection/intake.rs" "connection/link.rs" "connection/log.rs" "connection/macros.rs"
    "connection/message.rs" "connection/negotiation.rs" "connection/options.rs" "connection/outbox.rs"
    "connection/reading.rs" "connection/rules.rs" "connection/running.rs" "connection/sending.rs"
    "connection/service.rs" "connection/skim.rs" "connection/tail.rs" "connection/tasks.rs"
    "connection/turns.rs" "connection/unread.rs" "connection/waiting.rs"
};

/// The input and output of connections.
const TOKIO: Files = files! {
    "connection/child.rs" "connection/driver.rs" "connection/group.rs" "connection/handle.rs"
    "connection/messages.rs" "connection/pipe.rs" "connection/piped.rs" "connection/process.rs"
    "connection/stderr.rs" "connection/stdio.rs"
};

/// Programs that run for the other end.
const HOSTS: Files =
    files! { "connection/kept.rs" "connection/program.rs" "connection/programs.rs" };

/// Files on the disk.
const DISK: Files = files! { "connection/disk.rs" };

/// The module that writes to `tracing`. The one for a single file does nothing.
const TRACED: Files = files! { "connection/trace.rs" };
const UNTRACED: Files =
    &[("connection/trace.rs", include_str!("../../../templates/rust/connection/trace.plain.rs"))];

/// Connections over the network.
const REMOTE: Files = files! {
    "remote/admission.rs" "remote/client.rs" "remote/cookies.rs" "remote/dial.rs"
    "remote/endpoint.rs" "remote/hosts.rs" "remote/id.rs" "remote/ledger.rs" "remote/limits.rs"
    "remote/listener.rs" "remote/macros.rs" "remote/queue.rs" "remote/reconnect.rs"
    "remote/registry.rs" "remote/server.rs" "remote/upgrade.rs" "remote/websocket.rs"
};

/// Connections over HTTP.
const HTTP: Files = files! {
    "remote/events.rs" "remote/http.rs" "remote/listen.rs" "remote/post.rs" "remote/requests.rs"
    "remote/serving.rs" "remote/sse.rs" "remote/streams.rs"
};

/// The modules that packages with and without connections over HTTP have in different versions.
const WITH_HTTP: Files = &[
    ("remote/answer.rs", include_str!("../../../templates/rust/remote/answer.http.rs")),
    ("remote/choice.rs", include_str!("../../../templates/rust/remote/choice.http.rs")),
    ("remote/mod.rs", include_str!("../../../templates/rust/remote/mod.http.rs")),
];
const WITHOUT_HTTP: Files = &[
    ("remote/answer.rs", include_str!("../../../templates/rust/remote/answer.websocket.rs")),
    ("remote/choice.rs", include_str!("../../../templates/rust/remote/choice.websocket.rs")),
    ("remote/mod.rs", include_str!("../../../templates/rust/remote/mod.websocket.rs")),
];

/// Calls whose results come in pieces.
const STREAMS: Files = files! { "streams/join.rs" "streams/mod.rs" };

/// Things that the other end is told of until they end.
const PROGRESS: Files = files! { "progress.rs" };

/// The states that series of updates make up.
const STATE: Files = files! { "state/mod.rs" "state/series.rs" };

/// The module of errors, which calls a function that the protocol's own depend on.
const ERRORS: &str = "rpc.rs";

/// The module of connections.
const CONNECTIONS: &str = include_str!("../../../templates/rust/connection/mod.rs");

/// The part of the module of connections that is about input and output.
const DRIVER: &str = include_str!("../../../templates/rust/connection/mod.tokio.txt");

/// The part of the module of connections that connections over the network need.
const BELOW_REMOTE: &str = include_str!("../../../templates/rust/connection/mod.remote.txt");

/// The part of the module of connections that is about programs.
const BESIDE_HOSTS: &str = include_str!("../../../templates/rust/connection/mod.hosts.txt");

/// The part of the module of connections that is about files.
const BESIDE_DISK: &str = include_str!("../../../templates/rust/connection/mod.disk.txt");

/// The files that a package needs, by their path under `src/`. `own_members`: the function that
/// lists what the data of the protocol's own errors hold.
pub(super) fn files(model: &Model<'_>, own_members: &str) -> Vec<(&'static str, String)> {
    let has_sides = model.has_sides();
    let is_driven = is_driven(model);
    let is_remote = is_remote(model);
    let has_hosts = is_driven && model.scope.protocol.process_hosts().next().is_some();
    let has_files = is_driven && model.has_files();
    let has_http = model.scope.protocol.remote.is_some();
    let has_keywords = model.scope.protocol.has_keywords();
    let keywords = if has_keywords { BESIDE_KEYWORDS } else { "" };
    let has_tuples = model.has_tuples();
    let tuples = if has_tuples { BESIDE_TUPLES } else { "" };
    let has_patterns = model.scope.protocol.has_patterns();
    let patterns = if has_patterns { BESIDE_PATTERNS } else { "" };
    let mut files = vec![("json/mod.rs", [JSON_ROOT, keywords, patterns, tuples].concat())];
    if has_sides {
        let driver = if is_driven { DRIVER } else { "" };
        let remote = if is_remote { BELOW_REMOTE } else { "" };
        let hosts = if has_hosts { BESIDE_HOSTS } else { "" };
        let disk = if has_files { BESIDE_DISK } else { "" };
        files.push(("connection/mod.rs", [CONNECTIONS, driver, disk, hosts, remote].concat()));
    }
    let wanted = [
        (JSON, true),
        (KEYWORDS, has_keywords),
        (PATTERNS, has_patterns),
        (TUPLES, has_tuples),
        (CORE, has_sides),
        (TOKIO, is_driven),
        (HOSTS, has_hosts),
        (DISK, has_files),
        (if model.scope.options.single_file.is_some() { UNTRACED } else { TRACED }, has_sides),
        (REMOTE, is_remote),
        (HTTP, is_remote && has_http),
        (if has_http { WITH_HTTP } else { WITHOUT_HTTP }, is_remote),
        (STREAMS, model.scope.protocol.has_streams()),
        (PROGRESS, model.has_progress()),
        (STATE, !model.states.is_empty()),
    ];
    let wanted = wanted.into_iter().filter(|(_, wanted)| *wanted).flat_map(|(files, _)| files);
    files.extend(wanted.map(|(path, text)| (*path, (*text).to_owned())));
    let errors = files.iter_mut().filter(|(path, _)| *path == ERRORS);
    errors.for_each(|(_, text)| text.extend(["\n", own_members]));
    files
}

/// Tells whether the package does input and output.
pub(super) fn is_driven(model: &Model<'_>) -> bool {
    model.scope.options.runtime != Runtime::None && model.has_sides()
}

/// Tells whether connections go over the network, too. A single file has no features, and they need
/// some.
pub(super) fn is_remote(model: &Model<'_>) -> bool {
    is_driven(model) && model.scope.options.single_file.is_none()
}
