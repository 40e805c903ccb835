//! Speaks to an agent over HTTP or a WebSocket, for whoever speaks lines on standard streams.
//!
//! `bridge http|websocket|plain URL` speaks to the agent that listens there; `plain` is a WebSocket
//! on which nothing has to come first. Each line of standard input is sent as a message, each message
//! that comes is printed as a line. A conversation that does not begin with the opening, or whose
//! opening fails, is opened out of sight.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

use hyper::{Method, StatusCode};
use judge::{Events, Frame, Http, Opened, Server, Socket};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Stdin};
use tokio::sync::mpsc;

type Input = BufReader<Stdin>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(transport), Some(url)) = (arguments.next(), arguments.next()) else {
        panic!("usage: bridge http|websocket|plain URL")
    };
    let agent = Server::at(&url);
    let input = BufReader::new(tokio::io::stdin());
    match transport.as_str() {
        "http" => over_http(&agent, input).await,
        "websocket" => over_websocket(&agent, input, true).await,
        "plain" => over_websocket(&agent, input, false).await,
        other => panic!("`{other}` is no transport"),
    }
}

/// The next line that is not blank.
async fn next(input: &mut Input, line: &mut Vec<u8>) -> Option<Vec<u8>> {
    loop {
        // What was read stays in `line` if this is given up.
        if input.read_until(b'\n', line).await.expect("it can be read") == 0 && line.is_empty() {
            return None;
        }
        let line = std::mem::take(line).trim_ascii().to_vec();
        if !line.is_empty() {
            return Some(line);
        }
    }
}

fn parsed(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap_or_default()
}

fn is_opening(line: &[u8]) -> bool {
    let message = parsed(line);
    message["method"] == "initialize" && message.get("id").is_some()
}

async fn over_websocket(agent: &Server, mut input: Input, is_opened: bool) {
    let mut socket: Option<Socket> = None;
    let mut is_open = false;
    let mut part = Vec::new();
    loop {
        tokio::select! {
            line = next(&mut input, &mut part) => {
                let Some(line) = line else { break };
                let socket = match &mut socket {
                    Some(socket) => socket,
                    None if !is_opened || is_opening(&line) => {
                        is_open = !is_opened;
                        let Ok(new) = Socket::connect(agent, &[]).await else { panic!("refused") };
                        socket.insert(new)
                    }
                    None => {
                        is_open = true;
                        socket.insert(Socket::open(agent).await)
                    }
                };
                let text = String::from_utf8(line).expect("a text frame is UTF-8");
                socket.send_text(&text).await;
            }
            frame = frame(&mut socket) => match frame {
                Frame::Text(text) => {
                    is_open |= parsed(text.as_bytes()).get("result").is_some();
                    println!("{text}");
                }
                Frame::Ping => {}
                // Whoever waits for standard input is not waited for.
                Frame::Closed(_) if is_open => std::process::exit(0),
                // The opening failed.
                Frame::Closed(_) => socket = None,
            },
        }
    }
    let Some(mut socket) = socket else { return };
    socket.close(1000).await;
    loop {
        match socket.frame().await {
            Frame::Text(text) => println!("{text}"),
            Frame::Ping => {}
            Frame::Closed(_) => return,
        }
    }
}

async fn frame(socket: &mut Option<Socket>) -> Frame {
    match socket {
        Some(socket) => socket.frame_at_last().await,
        None => std::future::pending().await,
    }
}

async fn over_http(agent: &Server, mut input: Input) {
    let http = Http::two(agent);
    let (sender, mut answers) = mpsc::unbounded_channel();
    let mut opened: Option<Opened> = None;
    let mut part = Vec::new();
    loop {
        tokio::select! {
            line = next(&mut input, &mut part) => {
                let Some(line) = line else { break };
                match &opened {
                    Some(opened) => post(opened, line).await,
                    None if is_opening(&line) => {
                        let answer = http.post(&[], &parsed(&line)).await;
                        let id = answer.header("acp-connection-id").map(str::to_owned);
                        println!("{}", answer.text().await);
                        opened = id.map(|id| Opened { http: http.clone(), id });
                        if let Some(opened) = &opened {
                            tokio::spawn(hand_on(opened.stream().await, sender.clone()));
                        }
                    }
                    None => {
                        let new = opened.insert(Opened::over(http.clone(), &[]).await);
                        tokio::spawn(hand_on(new.stream().await, sender.clone()));
                        post(new, line).await;
                    }
                }
            }
            Some(answer) = answers.recv() => {
                let message = parsed(answer.as_bytes());
                let session = message["result"]["sessionId"].as_str();
                if let (Some(session), Some(opened)) = (session, &opened) {
                    tokio::spawn(print(opened.session(session).await));
                }
                println!("{answer}");
            }
        }
    }
    if let Some(opened) = opened {
        opened.delete().await;
    }
}

async fn hand_on(events: Events, to: mpsc::UnboundedSender<String>) {
    let mut events = events.patient();
    while let Some(message) = events.text().await {
        to.send(message).ok();
    }
}

async fn print(events: Events) {
    let mut events = events.patient();
    while let Some(message) = events.text().await {
        println!("{message}");
    }
}

async fn post(opened: &Opened, line: Vec<u8>) {
    let message = parsed(&line);
    let mut headers =
        vec![("content-type", "application/json"), ("acp-connection-id", opened.id.as_str())];
    if let Some(session) = message["params"]["sessionId"].as_str() {
        headers.push(("acp-session-id", session));
    }
    let answer = opened.http.send_bytes(Method::POST, &headers, line).await;
    let is_accepted = answer.status == StatusCode::ACCEPTED;
    // It is read even if it is empty: a stream that is left before its end is reset.
    let text = answer.text().await;
    if !is_accepted {
        println!("{text}");
    }
}
