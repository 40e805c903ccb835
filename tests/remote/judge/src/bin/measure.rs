//! What an agent holds while many are connected, or while one reads slowly.
//!
//! `measure idle|slow http|http1|websocket COUNT COMMAND…` starts an agent that prints `{"url": …}`,
//! and prints a JSON object. `idle` opens COUNT connections with a session each; `slow` has COUNT
//! updates of 4 KB sent to who reads 20 of them a second, for two seconds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a tool")]

use std::time::Duration;

use judge::{Agent, Events, Http, Opened, Socket, new_session, prompt};
use serde_json::json;
use tokio::process::Command;

/// An open connection with a session.
enum Connection {
    Http(Box<Opened>, Vec<Events>, String),
    Socket(Box<Socket>, String),
}

impl Connection {
    async fn open(agent: &Agent, transport: &str) -> Self {
        if transport == "websocket" {
            let mut socket = Socket::open(agent).await;
            socket.send(&new_session(1)).await;
            let session = socket.message().await["result"]["sessionId"].as_str().map(str::to_owned);
            return Self::Socket(Box::new(socket), session.expect("it opens a session"));
        }
        let http = if transport == "http1" { Http::one(agent) } else { Http::two(agent) };
        let opened = Opened::over(http, &[]).await;
        let mut stream = opened.stream().await;
        let session = opened.new_session(1, &mut stream).await;
        let events = opened.session(&session).await;
        Self::Http(Box::new(opened), vec![events, stream], session)
    }

    async fn prompt(&mut self, text: &str) {
        match self {
            Self::Http(opened, _, session) => opened.send(&prompt(2, session, text)).await,
            Self::Socket(socket, session) => socket.send(&prompt(2, session, text)).await,
        }
    }

    async fn read(&mut self) {
        match self {
            Self::Http(_, streams, _) => drop(streams[0].message().await),
            Self::Socket(socket, _) => drop(socket.message().await),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, transport, count, program, arguments @ ..] = words.as_slice() else {
        panic!("usage: measure idle|slow http|http1|websocket COUNT COMMAND…");
    };
    let count: usize = count.parse().expect("COUNT is a number");
    let agent = Agent::run(Command::new(program).args(arguments)).await;
    let mut first = Connection::open(&agent, transport).await;
    let before = agent.memory_now();
    if what == "idle" {
        let mut connections = Vec::new();
        for _ in 0..count {
            connections.push(Connection::open(&agent, transport).await);
        }
        println!("{}", json!({"before": before, "after": agent.memory_now()}));
        return;
    }
    first.prompt(&format!("updates {count} 4096")).await;
    for _ in 0..40 {
        first.read().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("{}", json!({"before": before, "peak": agent.peak_memory()}));
}
