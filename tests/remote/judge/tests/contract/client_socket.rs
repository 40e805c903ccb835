//! Rules 28 and 31: what a client makes of what comes over a WebSocket.

use std::time::{Duration, Instant};

use judge::{Client, Frame, Scripted, Upgraded};
use serde_json::{Value, json};

use crate::client::result;

/// A client with options, and the server's end of its WebSocket.
async fn connected(options: &Value) -> (Client, Upgraded) {
    let mut server = Scripted::start().await;
    let client = Client::start_with(&server.url, "websocket", &["hi"], options);
    let socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    (client, socket)
}

/// Why the first step failed.
async fn failure(client: &mut Client) -> String {
    let report = client.step().await.unwrap_or_default();
    assert_eq!(report["step"], "initialize", "{report}");
    report["error"]["message"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn rule_28_a_client_passes_over_binary_frames() {
    let (mut client, mut socket) = connected(&json!({})).await;
    let asked = socket.message().await.expect("it is opened");
    let error = json!({"code": -32603, "message": "not this one"});
    socket.send_binary(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error})).await;
    socket.send(&result(&asked, json!({"protocolVersion": 1}))).await;
    let report = client.step().await.unwrap_or_default();
    assert_eq!((&report["step"], report.get("error")), (&json!("initialize"), None), "{report}");
}

#[tokio::test]
async fn rule_31_a_client_is_sent_a_message_over_the_limit() {
    let (mut client, mut socket) = connected(&json!({"body": 1000, "ping": 600})).await;
    let asked = socket.message().await.expect("it is opened");
    let long = json!({"protocolVersion": 1, "_meta": {"x": "y".repeat(2000)}});
    socket.send(&result(&asked, long)).await;
    let mut frame = socket.frame().await;
    while frame == Frame::Ping {
        frame = socket.frame().await;
    }
    assert_eq!(frame, Frame::Closed(Some(1009)));
    drop(socket);
    let told = failure(&mut client).await;
    assert!(told.contains("connection lost") && told.contains("body"), "{told}");
}

#[tokio::test]
async fn rule_31_a_client_is_sent_a_message_as_long_as_the_limit() {
    let (mut client, mut socket) = connected(&json!({"body": 1000, "ping": 600})).await;
    let asked = socket.message().await.expect("it is opened");
    let answer = |text: &str| result(&asked, json!({"protocolVersion": 1, "_meta": {"x": text}}));
    let length = 1000 - answer("").to_string().len();
    socket.send(&answer(&"y".repeat(length))).await;
    let report = client.step().await.unwrap_or_default();
    assert_eq!((&report["step"], report.get("error")), (&json!("initialize"), None), "{report}");
}

#[tokio::test]
async fn rule_31_a_client_asks_for_signs_of_life() {
    let (_client, mut socket) = connected(&json!({"ping": 0.5})).await;
    for _ in 0..4 {
        assert_eq!(socket.frame().await, Frame::Ping);
    }
}

#[tokio::test]
async fn rule_31_a_client_gets_no_sign_of_life() {
    let (mut client, socket) = connected(&json!({"ping": 0.2})).await;
    // Nobody reads it, so nobody answers.
    tokio::select! {
        told = failure(&mut client) => {
            assert!(told.contains("connection lost") && told.contains("ping"), "{told}");
        }
        () = socket.hold() => {}
    }
}

/// The server that reads nothing answers no ping, but it sends.
#[tokio::test]
async fn rule_31_to_a_client_messages_are_signs_of_life() {
    let (mut client, mut socket) = connected(&json!({"ping": 0.4})).await;
    let asked = socket.message().await.expect("it is opened");
    for _ in 0..16 {
        socket.send(&json!({"jsonrpc": "2.0", "method": "_nothing"})).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    socket.send(&result(&asked, json!({"protocolVersion": 1}))).await;
    let report = client.step().await.unwrap_or_default();
    assert_eq!((&report["step"], report.get("error")), (&json!("initialize"), None), "{report}");
}

/// No frame is over the limit, but all together are.
#[tokio::test]
async fn rule_31_a_client_is_sent_a_message_over_the_limit_in_many_frames() {
    let (mut client, mut socket) = connected(&json!({"body": 1000, "ping": 600})).await;
    let asked = socket.message().await.expect("it is opened");
    let long = json!({"protocolVersion": 1, "_meta": {"x": "y".repeat(2000)}});
    socket.send_in_frames(&result(&asked, long), 300).await;
    let mut frame = socket.frame().await;
    while frame == Frame::Ping {
        frame = socket.frame().await;
    }
    assert_eq!(frame, Frame::Closed(Some(1009)));
    drop(socket);
    let told = failure(&mut client).await;
    assert!(told.contains("connection lost") && told.contains("body"), "{told}");
}

#[tokio::test]
async fn rule_31_a_client_asks_as_often_as_is_wanted() {
    let begin = Instant::now();
    let (_client, mut socket) = connected(&json!({"ping": 0.5})).await;
    for _ in 0..4 {
        assert_eq!(socket.frame().await, Frame::Ping);
    }
    // The first may come at once.
    assert!(begin.elapsed() > Duration::from_millis(1300), "{:?}", begin.elapsed());
}

/// Though there is more than one to send at a time.
#[tokio::test]
async fn rule_28_a_client_sends_each_message_in_a_frame_of_its_own() {
    let mut server = Scripted::start().await;
    let _client = Client::start(&server.url, "websocket", &["slow"]);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    for answer in [
        json!({"protocolVersion": 1, "authMethods": [{"id": "none", "name": "None"}]}),
        json!({}),
        json!({"sessionId": "s-1"}),
    ] {
        let asked = socket.message().await.expect("the client goes on");
        socket.send(&result(&asked, answer)).await;
    }
    for method in ["session/prompt", "session/cancel"] {
        assert_eq!(socket.message().await.expect("it is sent")["method"], method);
    }
}
