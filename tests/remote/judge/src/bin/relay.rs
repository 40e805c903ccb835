//! Lets a client speak over a WebSocket with whoever plays its agent on standard streams.
//!
//! `relay -- COMMAND…` starts the command, listens, and starts `HARNESS LANGUAGE client
//! URL websocket`. Each line that the command prints is sent to the client as a message, each
//! message of the client is a line of the command's input. It ends as the client does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

use std::process::Stdio;

use judge::{Scripted, Upgraded};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [_, program, arguments @ ..] = words.as_slice() else {
        panic!("usage: relay -- COMMAND…")
    };
    let mut agent = Command::new(program);
    let agent = agent.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut agent = agent.spawn().expect("the command can be started");
    let mut server = Scripted::start().await;
    let mut client = start(&server.url);
    let lines = BufReader::new(agent.stdout.take().expect("it is piped"));
    let input = agent.stdin.take().expect("it is piped");
    tokio::select! {
        asked = server.asked() => {
            let socket = asked.upgrade(&[("acp-connection-id", "the only one")]).await;
            stand_between(socket, lines, input).await;
        }
        // It never connects.
        _ = client.wait() => {}
    }
    let status = client.wait().await.expect("it can be waited for");
    std::process::exit(status.code().unwrap_or(1));
}

/// Starts the client. What it prints is for whoever started this.
fn start(url: &str) -> Child {
    let variable = |name: &str| std::env::var(name).expect("the environment has it");
    let mut client = Command::new(variable("HARNESS"));
    client.args([&variable("LANGUAGE"), "client", url, "websocket"]).kill_on_drop(true);
    client.spawn().expect("the client can be started")
}

/// Hands messages on until the client closes.
async fn stand_between(
    mut socket: Upgraded,
    mut lines: BufReader<ChildStdout>,
    mut input: ChildStdin,
) {
    let mut part = Vec::new();
    let mut is_open = true;
    loop {
        tokio::select! {
            read = lines.read_until(b'\n', &mut part), if is_open => {
                read.expect("it can be read");
                // The end comes after what is left.
                is_open = part.ends_with(b"\n");
                let line = std::mem::take(&mut part).trim_ascii().to_vec();
                if !line.is_empty() {
                    socket.send_text(String::from_utf8(line).expect("a text frame is UTF-8")).await;
                }
                if !is_open {
                    socket.say_close().await;
                }
            }
            text = socket.text() => {
                let Some(text) = text else { return };
                let line = format!("{text}\n");
                // Whoever plays the agent may be gone.
                let _ = input.write_all(line.as_bytes()).await;
                let _ = input.flush().await;
            }
        }
    }
}
