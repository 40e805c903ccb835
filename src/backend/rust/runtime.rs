//! The runtime: what is the same for every protocol, as a copy in the package.

use std::collections::BTreeSet;

use super::model::Model;
use crate::backend::Runtime;
#[cfg(feature = "cli")]
use crate::backend::license;
#[cfg(feature = "cli")]
use crate::output::FileSet;

/// Lists files of the runtime by their path in it.
macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../templates/rust/runtime/src/", $path)))),*]
    };
}

type Files = &'static [(&'static str, &'static str)];

/// The files that read and write JSON and answer requests.
const JSON: Files = files! {
    "json/attempts.rs" "json/constraints.rs" "json/decode.rs" "json/encode.rs" "json/error.rs"
    "json/fields.rs" "json/hop.rs" "json/macros.rs" "json/members.rs" "json/newtypes.rs"
    "json/mod.rs" "json/number.rs" "json/optional.rs" "json/patch.rs" "json/reader.rs"
    "json/record.rs" "json/repeated.rs" "json/serde_bridge.rs" "json/text.rs" "json/unknown.rs"
    "rpc.rs"
};

/// The files about constraints beyond bounds.
const KEYWORDS: Files = files! { "json/keywords.rs" };

/// Regular expressions.
const PATTERNS: Files = files! { "json/pattern.rs" };

/// Tuples.
const TUPLES: Files = files! { "json/tuple.rs" };

/// Connections without input and output.
const CORE: Files = files! {
    "connection/agreement.rs" "connection/answering.rs" "connection/batch.rs" "connection/call.rs"
    "connection/calls.rs" "connection/cancellation.rs" "connection/context.rs" "connection/core.rs"
    "connection/deadline.rs" "connection/error.rs" "connection/escape.rs" "connection/failure.rs"
    "connection/framing.rs" "connection/gates.rs" "connection/hold.rs" "connection/inbox.rs"
    "connection/intake.rs" "connection/link.rs" "connection/log.rs" "connection/macros.rs"
    "connection/message.rs" "connection/mod.rs" "connection/negotiation.rs" "connection/options.rs" "connection/outbox.rs"
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
    &[("connection/trace.rs", include_str!("../../../templates/rust/trace.plain.rs"))];

/// Connections over the network.
const REMOTE: Files = files! {
    "remote/admission.rs" "remote/answer.rs" "remote/choice.rs" "remote/client.rs"
    "remote/cookies.rs" "remote/dial.rs" "remote/endpoint.rs" "remote/hosts.rs" "remote/id.rs"
    "remote/ledger.rs" "remote/limits.rs" "remote/listener.rs" "remote/macros.rs" "remote/mod.rs"
    "remote/post.rs" "remote/queue.rs" "remote/reconnect.rs" "remote/registry.rs"
    "remote/server.rs" "remote/serving.rs" "remote/sse.rs" "remote/streams.rs" "remote/upgrade.rs"
    "remote/websocket.rs"
};

/// Clients over HTTP.
const HTTP: Files =
    files! { "remote/events.rs" "remote/http.rs" "remote/listen.rs" "remote/requests.rs" };

/// Calls whose results come in pieces.
const STREAMS: Files = files! { "streams/join.rs" "streams/mod.rs" };

/// Things that the other end is told of until they end.
const PROGRESS: Files = files! { "progress.rs" };

/// The states that series of updates make up.
const STATE: Files = files! { "state/mod.rs" "state/series.rs" };

/// The files of the runtime that a package needs, by their paths in it.
fn needed(model: &Model<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    let protocol = model.scope.protocol;
    let is_driven = is_driven(model);
    let is_traced = model.scope.options.single_file.is_none();
    let wanted = [
        (JSON, true),
        (KEYWORDS, protocol.has_keywords()),
        (PATTERNS, protocol.has_patterns()),
        (TUPLES, model.has_tuples()),
        (CORE, model.has_sides()),
        (TOKIO, is_driven),
        (HOSTS, is_driven && protocol.process_hosts().next().is_some()),
        (DISK, is_driven && model.has_files()),
        (if is_traced { TRACED } else { UNTRACED }, model.has_sides()),
        (REMOTE, is_remote(model)),
        (HTTP, is_remote(model) && protocol.remote.is_some()),
        (STREAMS, protocol.has_streams()),
        (PROGRESS, model.has_progress()),
        (STATE, !model.states.is_empty()),
    ];
    wanted.into_iter().filter(|(_, wanted)| *wanted).flat_map(|(files, _)| files).copied()
}

/// The modules of the runtime that a package needs, by name.
pub(super) fn modules(model: &Model<'_>) -> BTreeSet<&'static str> {
    needed(model).filter_map(|(path, _)| path.split(['/', '.']).next()).collect()
}

/// A package's copy of the runtime: files by their paths under `src/`. None if it depends on it.
pub(super) fn files(model: &Model<'_>) -> Vec<(String, String)> {
    if model.scope.options.runtime == Runtime::Package {
        return Vec::new();
    }
    let needed: Vec<_> = needed(model).collect();
    let paths: BTreeSet<&str> =
        needed.iter().filter_map(|(path, _)| path.strip_suffix(".rs")).collect();
    let copies = needed.iter().map(|(path, text)| {
        let folder = path.strip_suffix("mod.rs");
        let has = |module: &str| {
            folder.is_none_or(|folder| paths.contains(format!("{folder}{module}").as_str()))
        };
        (format!("runtime/{path}"), embedded(text, has))
    });
    let root = (String::from("runtime/mod.rs"), root(model));
    copies.chain([root]).collect()
}

/// The runtime as a crate.
#[cfg(feature = "cli")]
pub(super) fn package() -> FileSet {
    let version = format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    let manifest = include_str!("../../../templates/rust/runtime/Cargo.toml.txt");
    let mut files = FileSet::new();
    for (path, text) in license::OWN {
        files.insert(path, text);
    }
    files.insert("Cargo.toml", manifest.replacen("\nversion = \"0.1.0\"\n", &version, 1));
    files.insert("README.md", include_str!("../../../templates/rust/runtime/README.md"));
    files.insert("src/lib.rs", include_str!("../../../templates/rust/runtime/src/lib.rs"));
    let all = [
        JSON, KEYWORDS, PATTERNS, TUPLES, CORE, TOKIO, HOSTS, DISK, TRACED, REMOTE, HTTP, STREAMS,
        PROGRESS, STATE,
    ];
    for (path, text) in all.into_iter().flatten() {
        files.insert(format!("src/{path}"), *text);
    }
    files
}

/// The root of a package's copy of the runtime.
fn root(model: &Model<'_>) -> String {
    let modules = modules(model).into_iter().map(|module| match module {
        "progress" => format!("pub(crate) mod {module};\n"),
        _ => format!("pub mod {module};\n"),
    });
    let modules: String = modules.collect();
    format!("//! What the packages of all protocols have.\n\n{modules}")
}

/// The text of a file of the runtime in a package that has a copy of it.
///
/// What the runtime shows generated code only is not shown to users. What it has for a feature is
/// there if the package has its file: `has` tells this of a module beside this one.
fn embedded(text: &str, has: impl Fn(&str) -> bool) -> String {
    let text = text
        .replace("#[doc(hidden)]\n#[macro_export]\n", "")
        .replace("\n#[doc(hidden)]\npub ", "\npub(crate) ")
        .replace("\n    #[doc(hidden)]\n    pub ", "\n    pub(crate) ")
        .replace("#[cfg(feature = \"regex\")]\n", "")
        .replace("#[cfg(feature = \"tokio\")]\n", "");
    let (mut out, mut item) = (String::with_capacity(text.len()), String::new());
    for line in text.split_inclusive('\n') {
        item.push_str(line);
        if line.starts_with("#[") || (item.contains("use self::") && !line.ends_with(";\n")) {
            continue;
        }
        if module(&item).is_none_or(&has) {
            out.push_str(&item);
        }
        item.clear();
    }
    out + &item
}

/// The module that an item declares, or from which it takes names.
fn module(item: &str) -> Option<&str> {
    let (_, rest) = item.rsplit_once("]\n").unwrap_or(("", item));
    let rest = rest.strip_prefix("pub(crate) ").or(rest.strip_prefix("pub ")).unwrap_or(rest);
    let rest = rest.strip_prefix("mod ").or(rest.strip_prefix("use self::"))?;
    rest.split_once([':', ';']).map(|(module, _)| module)
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
