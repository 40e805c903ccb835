//! Rule 30a: every stage of a request has a time.

use judge::{Agent, Frame, Raw, Socket, initialize, open, request};
use serde_json::json;

/// The head of a message to a connection whose body has more bytes than come.
fn head(host: &str, id: &str) -> String {
    format!(
        "POST /acp HTTP/1.1\r\nhost: {host}\r\nacp-connection-id: {id}\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
    )
}

/// Opens a connection over HTTP/1.1, and gives its id.
async fn opened(agent: &Agent) -> String {
    let body = initialize().to_string();
    let head = format!(
        "POST /acp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        agent.address,
        body.len()
    );
    let mut raw = Raw::connect(agent).await;
    raw.send(&format!("{head}{body}")).await;
    let answer = raw.until("\r\n\r\n").await;
    let line = answer.lines().find(|it| it.to_lowercase().starts_with("acp-connection-id:"));
    line.unwrap().split_once(": ").unwrap().1.to_owned()
}

#[tokio::test]
async fn rule_30a_a_body_that_stops() {
    let agent = Agent::start(json!({"http1": true, "limits": {"reading": 0.3}})).await;
    let id = opened(&agent).await;
    for begin in ["", "{\"jsonrpc\":"] {
        let mut raw = Raw::connect(&agent).await;
        raw.send(&head(&agent.address, &id)).await;
        raw.send(begin).await;
        let answer = raw.until("}").await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("`reading`"), "{answer}");
        raw.ends().await;
    }
}

#[tokio::test]
async fn rule_30a_many_bodies_that_stop() {
    let agent = Agent::start(json!({"http1": true, "limits": {"reading": 0.5}})).await;
    let id = opened(&agent).await;
    let mut stopped = Vec::new();
    for _ in 0..200 {
        let mut raw = Raw::connect(&agent).await;
        raw.send(&head(&agent.address, &id)).await;
        stopped.push(raw);
    }
    for raw in &mut stopped {
        let answer = raw.until("}").await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        raw.ends().await;
    }
}

#[tokio::test]
async fn rule_30a_a_body_that_stops_over_http_2() {
    let agent = Agent::start(json!({"limits": {"reading": 0.3}})).await;
    let opened = open(&agent).await;
    let status = opened.answer_to_half(&request(1, "_echo", json!({"x": "y"}))).await;
    assert_eq!(status, 408);
    // Others on the same connection go on.
    assert_eq!(opened.get(None).await.status, 200);
}

/// A body that comes slowly is taken: what counts is the time between two pieces.
#[tokio::test]
async fn rule_30a_a_body_that_comes_slowly() {
    let agent = Agent::start(json!({"http1": true, "limits": {"reading": 2.0}})).await;
    let body = initialize().to_string();
    let mut raw = Raw::connect(&agent).await;
    let head = format!(
        "POST /acp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        agent.address,
        body.len()
    );
    raw.send(&head).await;
    for piece in body.as_bytes().chunks(body.len() / 5) {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        raw.send(std::str::from_utf8(piece).unwrap()).await;
    }
    let answer = raw.until("\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// In Python, whatever runs the application reads heads.
#[tokio::test]
async fn rule_30a_a_head_that_stops() {
    if std::env::var("LANGUAGE").as_deref() == Ok("python") {
        return;
    }
    let agent = Agent::start(json!({"http1": true, "limits": {"reading": 0.3}})).await;
    for begin in [
        "",
        "P",
        "PRI * HTTP/2.0",
        "POST /acp HTTP/1.1\r\nhost: local",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut raw = Raw::connect(&agent).await;
        raw.send(begin).await;
        raw.ends().await;
    }
}

/// A socket on which nothing comes is closed.
#[tokio::test]
async fn rule_30a_a_websocket_without_a_message() {
    let agent = Agent::start(json!({"limits": {"opening": 0.3}})).await;
    let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    assert_eq!(socket.told().await, Frame::Closed(Some(1002)));
}
