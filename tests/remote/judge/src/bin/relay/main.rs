//! Lets a client speak over HTTP or a WebSocket with whoever plays its agent on standard streams.
//!
//! `relay http|websocket -- COMMAND…` starts the command, listens, and starts `HARNESS LANGUAGE
//! client URL TRANSPORT`. Each line that the command prints is sent to the client as a message, each
//! message of the client is a line of the command's input. It ends as the client does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod agent;
mod http;
mod routes;
mod websocket;

use judge::Scripted;
use tokio::process::{Child, Command};

use agent::Agent;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [transport, _, program, arguments @ ..] = words.as_slice() else {
        panic!("usage: relay http|websocket -- COMMAND…")
    };
    let agent = Agent::start(program, arguments);
    let server = Scripted::start().await;
    let client = start(&server.url, transport);
    let status = match transport.as_str() {
        "http" => http::stand_between(server, client, agent).await,
        "websocket" => websocket::stand_between(server, client, agent).await,
        other => panic!("`{other}` is no transport"),
    };
    std::process::exit(status.code().unwrap_or(1));
}

/// Starts the client. What it prints is for whoever started this.
fn start(url: &str, transport: &str) -> Child {
    let variable = |name: &str| std::env::var(name).expect("the environment has it");
    let mut client = Command::new(variable("HARNESS"));
    client.args([&variable("LANGUAGE"), "client", url, transport]).kill_on_drop(true);
    client.spawn().expect("the client can be started")
}
