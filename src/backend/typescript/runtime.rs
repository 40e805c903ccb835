//! The parts of the package that are the same for every protocol.

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../../../templates/typescript/src/", $name, ".ts"))),*]
    };
}

/// The parts that only Node can run, in the order in which they are best read.
const NODE: [&str; 3] = texts!["node/streams", "node/process", "node/log"];

/// The part about programs that run for the other end.
const PROGRAMS: [&str; 1] = texts!["node/programs"];

/// What the parts for Node are, and their imports.
const NODE_IMPORTS: &str = "\
// Connections over what only Node (and what is like it) has: standard
// streams, and processes.

import {
  type ChildProcess,
  spawn as start,
  type SpawnOptions,
} from \"node:child_process\";
CRYPTO\
import { appendFileSync, existsSync } from \"node:fs\";
import { basename } from \"node:path\";
import { PassThrough, type Readable, type Writable } from \"node:stream\";
import { inspect } from \"node:util\";

import {
  chosenLog,
  ConnectionError,
  type ConnectionOptions,
  type Log,
  type Pipe,
  type Stream,
} from \"./connection.js\";
ERRORS\
";

/// The parts that only Node can run as one module, without the header.
pub(super) fn node(has_hosts: bool) -> String {
    let (programs, crypto, errors): (&[&str], _, _) = if has_hosts {
        let crypto = "import { randomUUID } from \"node:crypto\";\n";
        (&PROGRAMS, crypto, "import { RequestError } from \"./errors.js\";\n")
    } else {
        (&[], "", "")
    };
    let imports = NODE_IMPORTS.replace("CRYPTO", crypto).replace("ERRORS", errors);
    together(&imports, &[&NODE, programs].concat())
}

/// Connections, in the order in which they are best read.
const CONNECTION: [&str; 35] = texts![
    "connection/connection-error",
    "connection/json",
    "connection/rules",
    "connection/options",
    "connection/watch",
    "connection/environment",
    "connection/stream",
    "connection/port",
    "connection/pipe",
    "connection/method",
    "connection/scan",
    "connection/skim",
    "connection/message",
    "connection/framing",
    "connection/decoding",
    "connection/calls",
    "connection/unread",
    "connection/stray",
    "connection/batch",
    "connection/outbox",
    "connection/running",
    "connection/cancels",
    "connection/requests",
    "connection/waiting",
    "connection/turn",
    "connection/context",
    "connection/peer",
    "connection/negotiation",
    "connection/capabilities",
    "connection/agreement",
    "connection/link",
    "connection/service",
    "connection/inbox",
    "connection/intake",
    "connection/connection",
];

/// The part about what the other end is told of, from its start to its end.
const PROGRESS: [&str; 1] = texts!["connection/progress"];

/// The part about what is chosen of what was offered.
const CHOICE: [&str; 1] = texts!["connection/choice"];

/// The imports of the parts of connections.
const IMPORTS: &str = "\
import {
  DecodeError,
  holding,
  type Codec,
  type DecodeOptions,
} from \"./codec.js\";
import { RequestError } from \"./errors.js\";
import { inexact, mayBeInexact, parseJson, stringifyJson } from \"./parsing.js\";
";

/// The parts of connections that a protocol needs as one module, without the header: Node takes
/// longer to find a module than to run it. `variable`: the environment variable that has
/// connections logged.
pub(super) fn connection(needs: &Needs, variable: &str) -> String {
    let wanted =
        [(&CONNECTION[..], true), (&CHOICE[..], needs.choices), (&PROGRESS[..], needs.progress)];
    let wanted = wanted.into_iter().filter(|(_, wanted)| *wanted);
    let parts: Vec<&str> = wanted.flat_map(|(parts, _)| parts).copied().collect();
    together(IMPORTS, &parts).replace("PACKAGE_LOG", variable)
}

/// The parts of the runtime that only some protocols need.
pub(super) struct Needs {
    /// Requests are answered with a choice.
    pub(super) choices: bool,
    /// Something is told of from its start to its end.
    pub(super) progress: bool,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("src/remote/", $name, ".ts"),
            include_str!(concat!("../../../templates/typescript/src/remote/", $name, ".ts")),
        )),*]
    };
}

/// Connections over a network.
static REMOTE: &[(&str, &str)] = &files![
    "access",
    "answers",
    "body",
    "client",
    "dialog",
    "envelope",
    "gate",
    "hosts",
    "inflow",
    "limits",
    "opening",
    "origin",
    "reconnect",
    "refused",
    "registry",
    "rules",
    "server",
    "socket",
    "socket-server",
    "stream",
    "timer",
    "node/client",
    "node/cookies",
    "node/cork",
    "node/handler",
    "node/listen",
    "node/optional",
    "node/request",
];

/// The further modules that connections over HTTP need.
static HTTP: &[(&str, &str)] = &files![
    "aborts",
    "client-stream",
    "event-reader",
    "event-stream",
    "http-client",
    "http-connection",
    "http-pipe",
    "http-requests",
    "http-server",
    "node/cookie-fetch",
    "node/http2-fetch",
];

/// The modules of connections over a network, by their paths, without the headers. Each is one of
/// its own, since few programs need all.
pub(super) fn remote(has_http: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let http = if has_http { HTTP } else { &[] };
    REMOTE.iter().chain(http).copied()
}

/// Calls whose results come in pieces, in the order in which they are best read.
const STREAMS: [&str; 2] = texts!["streams/join", "streams/call"];

/// The imports of the parts of calls with results in pieces.
const STREAMS_IMPORTS: &str = "import * as rpc from \"./connection.js\";\n";

/// All parts of calls with results in pieces as one module, without the header.
pub(super) fn streams() -> String {
    together(STREAMS_IMPORTS, &STREAMS)
}

/// The parts that keep the items of states, in the order in which they are best read.
const STATE: [&str; 3] = texts!["state/items", "state/series", "connection/json"];

/// All parts of states, for the end of the module that has them.
pub(super) fn state() -> String {
    together("", &STATE)
}

fn together(imports: &str, parts: &[&str]) -> String {
    let mut text = String::from(imports);
    for part in parts {
        text.push('\n');
        let mut in_import = false;
        let mut was_blank = false;
        for line in part.split_inclusive('\n') {
            in_import |= line.starts_with("import ");
            // One blank line is left where imports were between two.
            let is_blank = line == "\n";
            let is_left_over = is_blank && was_blank;
            if !in_import && !is_left_over {
                text.push_str(line);
                was_blank = is_blank;
            }
            in_import &= !line.trim_end().ends_with(';');
        }
    }
    text
}
