//! The exchange of a round trip with nothing but the libraries that connections in Rust stand on:
//! `tokio-tungstenite`, or `reqwest` and `axum`. What they take is not for a connection to save.
//!
//! ```sh
//! exchange websocket|http COUNT [URL]
//! ```
//!
//! Without a URL it is the server, and prints one. With one it is the client, and prints the seconds
//! that so many exchanges take, and those of a processor.

use std::convert::Infallible;
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use futures_util::{SinkExt, StreamExt, stream};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_tungstenite::{accept_async, client_async, tungstenite::Message};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const REQUEST: &str = concat!(
    r#"{"jsonrpc":"2.0","id":12,"method":"session/prompt","params":"#,
    r#"{"sessionId":"s-1","prompt":[{"type":"text","text":"updates 0"}]}}"#
);
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":12,"result":{"stopReason":"end_turn"}}"#;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["websocket", _] => serve(true),
        ["http", _] => serve(false),
        [transport, count, url] => exchange(transport == "websocket", count.parse()?, url),
        _ => Err("exchange websocket|http COUNT [URL]".into()),
    }
}

#[tokio::main]
async fn serve(is_socket: bool) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{{\"url\":\"http://{}\"}}", listener.local_addr()?);
    std::thread::spawn(|| {
        // Whoever started the server ends it.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    if is_socket {
        loop {
            tokio::spawn(answer_messages(listener.accept().await?.0));
        }
    }
    let events = Arc::new(Notify::new());
    let app = Router::new().route("/", get(give_events).post(take)).with_state(events);
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    Ok(axum::serve(listener, app).await?)
}

async fn answer_messages(stream: TcpStream) -> Result<(), Failure> {
    stream.set_nodelay(true)?;
    let mut socket = accept_async(stream).await?;
    while let Some(message) = socket.next().await {
        let _: Value = serde_json::from_slice(&message?.into_data())?;
        socket.send(Message::text(ANSWER)).await?;
    }
    Ok(())
}

async fn give_events(State(events): State<Arc<Notify>>) -> impl IntoResponse {
    let body = stream::repeat(events).then(|events| async move {
        events.notified().await;
        Ok::<_, Infallible>(Bytes::from(format!("data: {ANSWER}\n\n")))
    });
    ([("content-type", "text/event-stream")], Body::from_stream(body))
}

async fn take(State(events): State<Arc<Notify>>, body: Bytes) -> StatusCode {
    if serde_json::from_slice::<Value>(&body).is_err() {
        return StatusCode::BAD_REQUEST;
    }
    events.notify_one();
    StatusCode::ACCEPTED
}

#[tokio::main(flavor = "current_thread")]
async fn exchange(is_socket: bool, count: u32, url: &str) -> Result<(), Failure> {
    let taken = if is_socket {
        exchange_messages(count, url).await
    } else {
        exchange_events(count, url).await
    };
    let (seconds, processor) = (taken?.as_secs_f64(), processor()?);
    println!("{{\"seconds\":{seconds},\"processor\":{processor}}}");
    Ok(())
}

/// The seconds of a processor that this process has had.
fn processor() -> Result<f64, Failure> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // After the name, which may have spaces in it; Linux counts in hundredths.
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let of = |at: usize| fields.get(at).ok_or("no such field")?.parse().map_err(Failure::from);
    let (user, system): (f64, f64) = (of(11)?, of(12)?);
    Ok((user + system) / 100.0)
}

async fn exchange_messages(count: u32, url: &str) -> Result<Duration, Failure> {
    let stream = TcpStream::connect(url.trim_start_matches("http://")).await?;
    stream.set_nodelay(true)?;
    let (mut socket, _) = client_async(url.replacen("http", "ws", 1), stream).await?;
    let start = Instant::now();
    for _ in 0..count {
        socket.send(Message::text(REQUEST)).await?;
        let answer = socket.next().await.ok_or("the server is gone")??;
        let _: Value = serde_json::from_slice(&answer.into_data())?;
    }
    Ok(start.elapsed())
}

async fn exchange_events(count: u32, url: &str) -> Result<Duration, Failure> {
    let client = reqwest::Client::builder().tcp_nodelay(true).build()?;
    let mut events = client.get(url).send().await?;
    let start = Instant::now();
    for _ in 0..count {
        let request = client.post(url).header("content-type", "application/json").body(REQUEST);
        request.send().await?.bytes().await?;
        let event = events.chunk().await?.ok_or("the stream has ended")?;
        let _: Value = serde_json::from_slice(&event["data: ".len()..])?;
    }
    Ok(start.elapsed())
}
