//! Speaks to an agent over HTTP or a WebSocket, for whoever speaks lines on standard streams.
//!
//! `bridge http|websocket` starts `HARNESS LANGUAGE agent`. Each line of standard input is sent as a
//! message, each message that comes is printed as a line. A conversation that does not begin with
//! the opening is opened first, out of sight.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

use judge::{Agent, Events, Frame, Http, Opened, Socket};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin};
use tokio::sync::mpsc;

type Input = Lines<BufReader<Stdin>>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let transport = std::env::args().nth(1).expect("usage: bridge http|websocket");
    let mut agent = Agent::start(json!({})).await;
    let mut input = BufReader::new(tokio::io::stdin()).lines();
    if let Some(first) = next(&mut input).await {
        match transport.as_str() {
            "http" => over_http(&agent, first, input).await,
            "websocket" => over_websocket(&agent, first, input).await,
            other => panic!("`{other}` is no transport"),
        }
    }
    agent.drain();
    let status = agent.ended().await;
    eprint!("{}", agent.said());
    std::process::exit(status.unwrap_or(1));
}

/// The next line that is not blank.
async fn next(input: &mut Input) -> Option<String> {
    loop {
        let line = input.next_line().await.expect("standard input is UTF-8")?;
        if !line.trim().is_empty() {
            return Some(line);
        }
    }
}

fn is_opening(line: &str) -> bool {
    let message: Value = serde_json::from_str(line).unwrap_or_default();
    message["method"] == "initialize" && message.get("id").is_some()
}

async fn over_websocket(agent: &Agent, first: String, mut input: Input) {
    let mut socket = if is_opening(&first) {
        match Socket::connect(agent, &[]).await {
            Ok(socket) => socket,
            Err(status) => panic!("the handshake is refused with {status}"),
        }
    } else {
        Socket::open(agent).await
    };
    socket.send_text(&first).await;
    loop {
        tokio::select! {
            line = next(&mut input) => match line {
                Some(line) => socket.send_text(&line).await,
                None => break,
            },
            frame = socket.frame_at_last() => match frame {
                Frame::Text(text) => println!("{text}"),
                Frame::Ping => {}
                Frame::Closed(_) => return,
            },
        }
    }
    socket.close(1000).await;
    loop {
        match socket.frame().await {
            Frame::Text(text) => println!("{text}"),
            Frame::Ping => {}
            Frame::Closed(_) => return,
        }
    }
}

async fn over_http(agent: &Agent, first: String, mut input: Input) {
    let http = Http::two(agent);
    let opened = if is_opening(&first) {
        let message = serde_json::from_str(&first).expect("it is JSON");
        let answer = http.post(&[], &message).await;
        let id = answer.header("acp-connection-id").map(str::to_owned);
        println!("{}", answer.text().await);
        id.map(|id| Opened { http: http.clone(), id })
    } else {
        let opened = Opened::over(http.clone(), &[]).await;
        Some(opened)
    };
    let Some(opened) = opened else {
        // What comes next is of no connection, unless it opens one.
        return;
    };
    let (sender, mut sessions) = mpsc::unbounded_channel();
    tokio::spawn(print(opened.stream().await, Some(sender)));
    if !is_opening(&first) {
        post(&opened, &first).await;
    }
    loop {
        tokio::select! {
            line = next(&mut input) => match line {
                Some(line) => post(&opened, &line).await,
                None => break,
            },
            Some((session, line)) = sessions.recv() => {
                if let Some(session) = session {
                    tokio::spawn(print(opened.session(&session).await, None));
                }
                println!("{line}");
            }
        }
    }
    opened.delete().await;
}

/// Prints what comes on a stream, or hands it on with the session that it opens.
async fn print(events: Events, to: Option<mpsc::UnboundedSender<(Option<String>, Value)>>) {
    let mut events = events.patient();
    let mut known = Vec::new();
    while let Some(message) = events.message().await {
        let session = message["result"]["sessionId"].as_str().map(str::to_owned);
        let session = session.filter(|session| !known.contains(session));
        known.extend(session.clone());
        match &to {
            Some(to) => drop(to.send((session, message))),
            None => println!("{message}"),
        }
    }
}

async fn post(opened: &Opened, line: &str) {
    let message: Value = serde_json::from_str(line).unwrap_or_default();
    let mut headers =
        vec![("content-type", "application/json"), ("acp-connection-id", opened.id.as_str())];
    if let Some(session) = message["params"]["sessionId"].as_str() {
        headers.push(("acp-session-id", session));
    }
    let answer = opened.http.send(hyper::Method::POST, &headers, line).await;
    if answer.status != hyper::StatusCode::ACCEPTED {
        println!("{}", answer.text().await);
    }
}
