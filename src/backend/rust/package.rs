//! The package's manifest and README.

use super::docs;
use super::literals;
use super::model::{Model, SideModel, StateModel};
use super::names::SideNames;
use super::runtime::{is_driven, is_remote};
use crate::backend::metadata::toml_string;
use crate::backend::{Options, Runtime};
use crate::ir::Protocol;

/// The manifest without dependencies on a runtime.
const MANIFEST: &str = include_str!("../../../templates/rust/Cargo.toml.txt");

/// The dependency of a package that looks at patterns.
const PATTERNS: &str = include_str!("../../../templates/rust/Cargo.patterns.txt");

/// The dependencies of a package that does input and output.
const TOKIO: &str = include_str!("../../../templates/rust/Cargo.tokio.txt");

/// The dependencies of connections over the network, and the features that they come with: those
/// of a protocol that is spoken over WebSocket only, and of one that is spoken over HTTP, too.
const WEBSOCKET: &str = include_str!("../../../templates/rust/Cargo.websocket.txt");
const HTTP: &str = include_str!("../../../templates/rust/Cargo.http.txt");

/// The feature of connections that do no input and output, and what it depends on.
const TRACING: &str = include_str!("../../../templates/rust/Cargo.tracing.txt");

/// The features of packages that depend on the runtime, which are the runtime's: those of a
/// protocol that is spoken over WebSocket only, and of one that is spoken over HTTP, too.
const RUNTIME: &str = include_str!("../../../templates/rust/Cargo.runtime.txt");
const RUNTIME_WEBSOCKET: &str = include_str!("../../../templates/rust/Cargo.runtime.websocket.txt");
const RUNTIME_HTTP: &str = include_str!("../../../templates/rust/Cargo.runtime.http.txt");

/// The dependencies of a package's own tests.
const TESTS: &str = include_str!("../../../templates/rust/Cargo.tests.txt");

/// The feature of a package of a protocol that is not stable as a whole.
const UNSTABLE_FEATURE: &str = include_str!("../../../templates/rust/Cargo.features.txt");

/// The lints of the package.
const LINTS: &str = include_str!("../../../templates/rust/Cargo.lints.txt");

/// The lint for packages without a feature that the runtime has.
const UNKNOWN_FEATURE: &str = "unexpected_cfgs = \
    { level = \"warn\", check-cfg = ['cfg(feature, values(\"http-client\"))'] }\n";

/// The README, and what is added to it.
const README: &str = include_str!("../../../templates/rust/README.md.txt");
const CONNECTIONS: &str = include_str!("../../../templates/rust/README.connections.md.txt");
const DRIVEN: &str = include_str!("../../../templates/rust/README.driven.md.txt");
const LOG: &str = include_str!("../../../templates/rust/README.log.md.txt");
const REMOTE: &str = include_str!("../../../templates/rust/README.remote.md.txt");
const UNSTABLE: &str = include_str!("../../../templates/rust/README.unstable.md.txt");
const STATE: &str = include_str!("../../../templates/rust/README.state.md.txt");
const STREAMS: &str = include_str!("../../../templates/rust/README.streams.md.txt");

/// The package's manifest.
pub(super) fn manifest(model: &Model<'_>, header: &[String; 2]) -> String {
    let options = model.scope.options;
    let manifest = described(options).replacen("PACKAGE", &published(options), 1);
    let library = match options.published {
        Some(_) => format!("[lib]\nname = \"{}\"\n\n", krate(options)),
        None => String::new(),
    };
    let protocol = model.scope.protocol;
    let patterns = match (options.runtime, protocol.has_patterns()) {
        (Runtime::Package, _) => runtime(model),
        (_, true) => PATTERNS.to_owned(),
        (_, false) => String::new(),
    };
    let dependencies = [library.as_str(), "[dependencies]\n", &patterns].concat();
    let manifest = manifest.replacen("[dependencies]\n", &dependencies, 1);
    let driven = match (options.runtime, protocol.remote.is_some()) {
        (Runtime::Package, true) => [RUNTIME, RUNTIME_HTTP],
        (Runtime::Package, false) => [RUNTIME, RUNTIME_WEBSOCKET],
        (_, true) => [TOKIO, HTTP],
        (_, false) => [TOKIO, WEBSOCKET],
    };
    let (dependencies, tests) = match (is_driven(model), model.has_sides()) {
        (true, _) => (driven.concat(), TESTS),
        (false, true) => (TRACING.to_owned(), ""),
        (false, false) => (String::new(), ""),
    };
    let unstable = match (protocol.has_unstable(), model.has_sides()) {
        (false, _) => String::new(),
        (true, true) => UNSTABLE_FEATURE.to_owned(),
        (true, false) => format!("\n[features]\n{UNSTABLE_FEATURE}"),
    };
    // The copy of the runtime asks for a feature that this package then does not have.
    let is_asked = is_remote(model) && protocol.remote.is_none();
    let is_asked = is_asked && options.runtime != Runtime::Package;
    let lints = if is_asked { LINTS.to_owned() } else { LINTS.replacen(UNKNOWN_FEATURE, "", 1) };
    let [tool, schema] = header;
    format!("# {tool}\n# {schema}\n\n{manifest}{dependencies}{unstable}{tests}{lints}")
}

/// The dependency on the runtime.
fn runtime(model: &Model<'_>) -> String {
    let needed =
        [("\"tokio\"", is_driven(model)), ("\"regex\"", model.scope.protocol.has_patterns())];
    let features: Vec<&str> =
        needed.iter().filter(|(_, is_needed)| *is_needed).map(|(feature, _)| *feature).collect();
    let (version, features) = (env!("CARGO_PKG_VERSION"), features.join(", "));
    format!("acp-bindgen-runtime = {{ version = \"{version}\", features = [{features}] }}\n")
}

/// The manifest without dependencies on a runtime, with what was chosen for it.
fn described(options: &Options) -> String {
    let metadata = &options.metadata;
    let key = |key: &str, value: Option<&String>| {
        value.map_or_else(String::new, |value| format!("{key} = {}\n", toml_string(value)))
    };
    let authors: Vec<String> = metadata.authors.iter().map(|author| toml_string(author)).collect();
    let authors = match authors.as_slice() {
        [] => String::new(),
        authors => format!("authors = [{}]\n", authors.join(", ")),
    };
    let more = [
        key("description", metadata.description.as_ref()),
        key("license", metadata.license.as_ref()),
        // Cargo takes the one or the other; the file is in the package anyhow.
        match (&metadata.license, &options.license) {
            (None, Some(_)) => String::from("license-file = \"LICENSE\"\n"),
            _ => String::new(),
        },
        key("repository", metadata.repository.as_ref()),
        authors,
    ];
    let Some(version) = &metadata.version else {
        return MANIFEST.replacen("publish = ", &(more.concat() + "publish = "), 1);
    };
    // Who chooses a version means to publish it.
    MANIFEST
        .replacen("version = \"0.1.0\"", &format!("version = {}", toml_string(version)), 1)
        .replacen("publish = false\n", &more.concat(), 1)
}

/// The name of the crate in code.
pub(super) fn krate(options: &Options) -> String {
    name(&options.package).replace('-', "_")
}

/// The name of the package that has the crate.
fn published(options: &Options) -> String {
    name(options.published())
}

/// Makes a name that a package can have out of the one wanted.
fn name(wanted: &str) -> String {
    let is_allowed = |next: &char| next.is_ascii_alphanumeric() || matches!(next, '-' | '_');
    let name: String = wanted.chars().filter(is_allowed).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        format!("sdk{name}")
    }
}

/// The protocol's title as Markdown.
pub(super) fn title(protocol: &Protocol) -> String {
    docs::markdown(&literals::printable(&protocol.title.wire)).join(" ")
}

/// The package's README, with a program in place of the guide if there is one.
pub(super) fn readme(model: &Model<'_>, header: &[String; 2], program: Option<String>) -> String {
    let options = model.scope.options;
    let guide = shown(&guide(model));
    let guide = program.unwrap_or(guide);
    let dependencies = match (options.runtime, is_driven(model)) {
        (Runtime::Package, _) => "`serde`, `serde_json` and `acp-bindgen-runtime`",
        (_, true) => "`serde`, `serde_json` and `tokio`",
        (_, false) => "`serde` and `serde_json`",
    };
    // What runs a program's `async fn main`.
    let tokio = if guide.contains("#[tokio::main") {
        "tokio = { version = \"1\", features = [\"macros\", \"rt\", \"sync\"] }\n"
    } else {
        ""
    };
    let parts = [
        ("HEADER", header.join("\n")),
        ("TITLE", title(model.scope.protocol)),
        ("DEPENDENCIES", dependencies.to_owned()),
        ("TOKIO", tokio.to_owned()),
        ("CRATE", krate(options)),
        ("PACKAGE", published(options)),
        ("GUIDE", guide),
    ];
    let mut text = filled(README, &parts);
    for state in &model.states {
        text += &held(state);
    }
    if model.has_sides() {
        text += &connections(model);
    }
    if is_remote(model) {
        text += &remote(model);
    }
    if model.scope.protocol.has_streams() {
        text += STREAMS;
    }
    if model.scope.protocol.has_unstable() {
        text += UNSTABLE;
    }
    text
}

/// The sentence of the README about a state.
fn held(state: &StateModel<'_>) -> String {
    let held = state.collections.iter().map(|items| match &items.value {
        Some(value) => format!("`{}` (`{}()` alone)", items.ident, value.ident),
        None => format!("`{}`", items.ident),
    });
    let held: Vec<String> = held.collect();
    let ends = state.collections.iter().any(|items| items.status.is_some());
    let end = if ends {
        "; `turn_cancelled` ends what was at work when a turn was cancelled"
    } else {
        ""
    };
    let parts = [
        ("STATE", state.ident.to_string()),
        ("UNION", state.union.to_string()),
        ("HELD", held.join(", ")),
        ("END", end.to_owned()),
    ];
    filled(STATE, &parts)
}

/// A text with words in it replaced by others. Nothing in these is replaced.
pub(super) fn filled(text: &str, parts: &[(&str, String)]) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    let next = |rest: &str| {
        let found = parts.iter().filter_map(|(word, with)| Some((rest.find(word)?, *word, with)));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, word, with)) = next(rest) {
        let (before, after) = rest.split_at(at);
        filled.extend([before, with]);
        rest = after.get(word.len()..).unwrap_or_default();
    }
    filled + rest
}

/// The text of the schema's authors that users are to read first, as Markdown, with an empty line
/// after it. Its examples need a connection that does input and output.
pub(super) fn guide(model: &Model<'_>) -> String {
    let guide = model.scope.protocol.guides.get("rust").filter(|_| is_driven(model));
    let name = krate(model.scope.options);
    guide.map_or_else(String::new, |guide| guide.trim().replace("%PACKAGE%", &name) + "\n\n")
}

fn connections(model: &Model<'_>) -> String {
    let all = |name: fn(&SideNames) -> String| {
        let names = model.sides.iter().map(|side| format!("`{}`", name(&side.names)));
        names.collect::<Vec<_>>().join(" and ")
    };
    let cores = all(|names| names.core.to_string());
    let about = if is_driven(model) {
        format!(
            "{} connect\nover any reader and writer, standard input and output, or a process \
             that they start. {cores} are\nthe same without input and output, for any executor \
             or none.",
            all(|names| names.connection.to_string())
        )
    } else {
        format!("{cores} take bytes,\ncall handlers and give bytes, with any executor or none.")
    };
    let handlers = all(|names| names.handler.to_string());
    let variable = model.sides.first().map_or("", |side| side.log_variable.as_str());
    let driven = if is_driven(model) { DRIVEN } else { "" };
    let text = filled(CONNECTIONS, &[("SIDES", handlers), ("CONNECTIONS", about)]);
    text + driven + &LOG.replace("VARIABLE", variable)
}

/// How connections go over the network.
fn remote(model: &Model<'_>) -> String {
    let protocol = model.scope.protocol;
    let named = |is: fn(&SideModel<'_>) -> bool| {
        let side = model.sides.iter().find(|side| is(side)).or(model.sides.first());
        side.map(|side| side.names.connection.to_string()).unwrap_or_default()
    };
    let (path, features) = match &protocol.remote {
        Some(remote) => (remote.path.as_str(), HTTP_FEATURES),
        None => ("", WEBSOCKET_FEATURES),
    };
    let parts = [
        ("SERVER", named(|side| side.is_server)),
        ("CLIENT", named(|side| side.is_client)),
        ("FEATURES", features.to_owned()),
        ("PATH", literals::printable(path)),
    ];
    filled(REMOTE, &parts)
}

/// The list of the package's features for connections over the network, in the README.
const HTTP_FEATURES: &str = "\
* `http-server`: servers over HTTP, with streams of events. They speak HTTP/2; `Server::http1` turns
  HTTP/1.1 on.
* `http-client`: clients over HTTP.
* `websocket`: clients over WebSocket. With `http-server`, the same router serves WebSockets, and with
  `http-client` a client takes HTTP where there is no WebSocket, unless it chooses
  (`Remote::transport`).
* `rustls`: clients over TLS. `Remote::tls` trusts authorities of your own.";
const WEBSOCKET_FEATURES: &str = "\
* `http-server`: servers of WebSockets.
* `websocket`: clients over WebSocket.
* `rustls`: clients over TLS. `Remote::tls` trusts authorities of your own.";

/// A guide without the lines of its examples that are run and not shown.
fn shown(guide: &str) -> String {
    let mut in_example = false;
    let lines = guide.split_inclusive('\n').filter(|line| {
        let text = line.trim_end();
        if text.starts_with("```") {
            in_example = text == "```rust";
        }
        !(in_example && (text == "#" || text.starts_with("# ")))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{filled, shown};

    #[test]
    fn what_is_filled_in_is_not_replaced() {
        let parts = [("ONE", "TWO ONE".to_owned()), ("TWO", "ONE".to_owned())];
        assert_eq!(filled("ONE, TWO.", &parts), "TWO ONE, ONE.");
        assert_eq!(filled("nothing", &parts), "nothing");
    }

    #[test]
    fn what_is_run_only_is_not_shown() {
        let guide = "# Title\n```rust\n# hidden\n#\n#[shown]\n```\n# Title\n```sh\n# shown\n```\n";
        let expected = "# Title\n```rust\n#[shown]\n```\n# Title\n```sh\n# shown\n```\n";
        assert_eq!(shown(guide), expected);
    }
}
