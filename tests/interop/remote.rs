//! The same conversations over HTTP and WebSocket: ours with the official SDKs, in both roles, and
//! with each other.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::Command;

use serde_json::json;

use crate::support;

use super::conversation::{Conversation, PATIENCE, acp, departures_within};
use super::source;

/// An SDK: its name, and the commands of its programs.
struct Sdk {
    name: &'static str,
    agent: Vec<OsString>,
    client: Vec<OsString>,
    /// Those of `agent` and `client` that speak no HTTP/2 where there is no TLS.
    old: &'static [&'static str],
}

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

/// What went otherwise than it should.
fn departs(talk: &Conversation, client: &Sdk, agent: &Sdk, transport: &str) -> Option<String> {
    let is_old = client.old.contains(&"client") || agent.old.contains(&"agent");
    let options = json!({"http1": is_old}).to_string();
    let command: Vec<OsString> = agent.agent.iter().cloned().chain([(&options).into()]).collect();
    let mut listening = match support::Listening::start(&command) {
        Ok(listening) => listening,
        Err(failure) => return Some(failure),
    };
    let arguments = [(&listening.url).into(), transport.into(), options.into()];
    match departures_within(PATIENCE, talk, &client.client, &arguments) {
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
            let Some(wrong) = departs(&talk, client, agent, transport) else { continue };
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
fn with_ourselves() {
    let sdks = ours();
    let with_all = |client| sdks.iter().map(move |agent| (client, agent));
    converse(&sdks.iter().flat_map(with_all).collect::<Vec<_>>());
}

/// Our clients speak over TLS to whoever has a certificate of an authority that they trust, and say
/// of any other certificate that it is not good.
#[test]
fn over_tls() {
    let sdks = ours();
    if sdks.iter().all(|sdk| sdk.name != "typescript") {
        return;
    }
    let file = |name: &str| {
        support::root().join("tests/interop/tls").join(name).to_string_lossy().into_owned()
    };
    let tls = json!({"tls": {"cert": file("cert.pem"), "key": file("key.pem")}}).to_string();
    let program = support::root().join("tests/harness/remote").into();
    let agent = [program, "typescript".into(), "agent".into(), tls.into()];
    let agent = support::Listening::start(&agent).unwrap();
    assert!(agent.url.starts_with("https://"), "{}", agent.url);
    // HTTP/1.1 is refused, as without TLS.
    let asked = Command::new("node").args([&file("http1.mjs"), &agent.url]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&asked.stdout).trim(), "505");
    let talk = acp();
    let mut failures = String::new();
    for client in &sdks {
        for transport in ["http", "websocket"] {
            let arguments = [(&agent.url).into(), transport.into()];
            let trusting = json!({"ca": file("ca.pem")}).to_string().into();
            let trusting: Vec<OsString> = arguments.iter().cloned().chain([trusting]).collect();
            // Node is told so, the others by the option.
            let extra = format!("NODE_EXTRA_CA_CERTS={}", file("ca.pem")).into();
            let told = ["env".into(), extra].into_iter().chain(client.client.iter().cloned());
            let told: Vec<OsString> = told.collect();
            if let Some(wrong) = departures_within(PATIENCE, &talk, &told, &trusting) {
                writeln!(failures, "{} over {transport}: {wrong}", client.name).ok();
            }
            let said = departures_within(PATIENCE, &talk, &client.client, &arguments);
            let said = said.unwrap_or_default().to_lowercase();
            if !said.contains("certificate") || said.contains("does not end") {
                writeln!(failures, "{} over {transport} without trust: {said}", client.name).ok();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert_eq!(agent.end(), None);
}
