//! The same conversations over HTTP and WebSocket: ours with the official SDKs, in both roles, and
//! each with each of its kind.

use std::ffi::OsString;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support;

use super::conversation::{Conversation, PATIENCE, acp, departures_within};
use super::source;

/// How long to wait for what is known to hang.
const SHORT: Duration = Duration::from_secs(5);

/// An SDK: its name, and the commands of its programs.
struct Sdk {
    name: &'static str,
    agent: Vec<OsString>,
    client: Vec<OsString>,
    /// Those of `agent` and `client` that speak no HTTP/2 where there is no TLS.
    old: &'static [&'static str],
}

/// Two that cannot talk, since one of them breaks a rule of `tests/remote`.
struct Departure {
    client: &'static str,
    agent: &'static str,
    transport: &'static str,
    /// The rule, and who breaks it.
    rule: &'static str,
    /// What is said of it.
    says: &'static str,
}

/// Where official SDKs do not do what the contract says.
const DEPARTURES: &[Departure] = &[
    Departure {
        client: "crate",
        agent: "npm",
        transport: "http",
        rule: "6: the client's answers to requests of a session lack the session's header",
        says: "HTTP 400 Bad Request: Missing Acp-Session-Id",
    },
    Departure {
        client: "PyPI",
        agent: "npm",
        transport: "http",
        rule: "6: the client's answers to requests of a session lack the session's header",
        says: "HTTP 400: POST None failed",
    },
];

/// Every language of ours.
fn ours() -> Vec<Sdk> {
    support::build_harness("acp-v1", "bundled:acp@v1");
    let program = support::root().join("tests/harness/remote");
    let sdk = |name: &'static str| {
        let command = |role: &str| vec![program.clone().into(), name.into(), role.into()];
        Sdk { name, agent: command("agent"), client: command("client"), old: &[] }
    };
    support::harness_languages().into_iter().map(sdk).collect()
}

fn official_rust() -> Option<Sdk> {
    let programs = support::rust_peers()?;
    let program = |name: &str| vec![programs.join(name).into()];
    let (agent, client) = (program("interop-remote-agent"), program("interop-remote-client"));
    Some(Sdk { name: "crate", agent, client, old: &[] })
}

fn official_typescript() -> Option<Sdk> {
    let packages = support::npm_peers()?;
    let program =
        |file| vec!["node".into(), source("typescript", file).into(), packages.clone().into()];
    let (agent, client) = (program("remote-agent.mjs"), program("remote-client.mjs"));
    Some(Sdk { name: "npm", agent, client, old: &["agent", "client"] })
}

fn official_python() -> Option<Sdk> {
    let python = support::python_remote_peer()?;
    let program = |file| vec![python.clone().into(), "-B".into(), source("python", file).into()];
    let (agent, client) = (program("remote_agent.py"), program("remote_client.py"));
    Some(Sdk { name: "PyPI", agent, client, old: &["client"] })
}

/// An agent that listens. It is killed if it is not ended in order.
struct Listening {
    child: Child,
    url: String,
    errors: Option<JoinHandle<String>>,
}

impl Listening {
    fn start(command: &[OsString]) -> Result<Self, String> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let (sender, receiver) = channel();
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        std::thread::spawn(move || {
            let mut line = String::new();
            output.map(|output| BufReader::new(output).read_line(&mut line));
            sender.send(line)
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            errors.map(|mut errors| errors.read_to_string(&mut text));
            text
        });
        let line = receiver.recv_timeout(PATIENCE).unwrap_or_default();
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let url = said["url"].as_str().unwrap_or_default().to_owned();
        let mut agent = Self { child, url, errors: Some(errors) };
        if agent.url.is_empty() {
            return Err(format!("the agent gives no address\n{line}\n{}", agent.killed()));
        }
        Ok(agent)
    }

    /// Has it end, and gives what it said if it does not end well.
    fn end(mut self) -> Option<String> {
        drop(self.child.stdin.take());
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return None,
                Ok(Some(status)) => {
                    return Some(format!("the agent ended with {status}\n{}", self.killed()));
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => return Some(error.to_string()),
            }
        }
        Some(format!("the agent does not end\n{}", self.killed()))
    }

    /// What it said on standard error, once it is no more.
    fn killed(&mut self) -> String {
        self.child.kill().ok();
        self.child.wait().ok();
        self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.killed();
    }
}

/// What went otherwise than it should.
fn departs(
    talk: &Conversation,
    client: &Sdk,
    agent: &Sdk,
    transport: &str,
    patience: Duration,
) -> Option<String> {
    let is_old = client.old.contains(&"client") || agent.old.contains(&"agent");
    let options = json!({"http1": is_old}).to_string();
    let command: Vec<OsString> = agent.agent.iter().cloned().chain([(&options).into()]).collect();
    let mut listening = match Listening::start(&command) {
        Ok(listening) => listening,
        Err(failure) => return Some(failure),
    };
    let arguments = [(&listening.url).into(), transport.into(), options.into()];
    match departures_within(patience, talk, &client.client, &arguments) {
        Some(failure) => Some(format!("{failure}\n{}", listening.killed())),
        None => listening.end(),
    }
}

/// Each client with each agent, over both transports; all that fails is told.
fn converse(pairs: &[(&Sdk, &Sdk)]) {
    let talk = acp();
    let mut failures = String::new();
    for (client, agent) in pairs {
        for transport in ["http", "websocket"] {
            let known = DEPARTURES.iter().find(|it| {
                (it.client, it.agent, it.transport) == (client.name, agent.name, transport)
            });
            let patience = if known.is_some() { SHORT } else { PATIENCE };
            let failure = departs(&talk, client, agent, transport, patience);
            let wrong = match (known, failure) {
                (None, None) => continue,
                (Some(known), Some(failure)) if failure.contains(known.says) => continue,
                (Some(known), None) => format!("they can talk, though rule {} was", known.rule),
                (_, Some(failure)) => failure,
            };
            let (client, agent) = (client.name, agent.name);
            writeln!(failures, "{client} with {agent} over {transport}: {wrong}").ok();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// An official SDK with each of ours, in both roles.
fn converse_with_ours(official: Option<Sdk>) {
    let Some(official) = official else { return };
    let ours = ours();
    let roles = |ours| [(&official, ours), (ours, &official)];
    converse(&ours.iter().flat_map(roles).collect::<Vec<_>>());
}

/// Each of them with each, and with itself.
fn converse_among(sdks: &[Sdk]) {
    let with_all = |client| sdks.iter().map(move |agent| (client, agent));
    converse(&sdks.iter().flat_map(with_all).collect::<Vec<_>>());
}

#[test]
fn with_the_official_rust_sdk() {
    converse_with_ours(official_rust());
}

#[test]
fn with_the_official_typescript_sdk() {
    converse_with_ours(official_typescript());
}

#[test]
fn with_the_official_python_sdk() {
    converse_with_ours(official_python());
}

#[test]
fn official_sdks_with_each_other() {
    let sdks = [official_rust(), official_typescript(), official_python()];
    converse_among(&sdks.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn with_ourselves() {
    converse_among(&ours());
}
