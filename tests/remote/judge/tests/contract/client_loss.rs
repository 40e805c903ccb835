//! Rules 35 and 36: what a client makes of the end of streams, and of errors.

use hyper::Method;
use judge::{Client, Scripted};
use serde_json::json;

use crate::client::{open, until_prompt};

/// The reports of a client up to its end.
async fn reports(client: &mut Client) -> Vec<serde_json::Value> {
    let mut reports = Vec::new();
    while let Some(report) = client.step().await {
        reports.push(report);
    }
    reports
}

#[tokio::test]
async fn rule_35_the_stream_of_a_session_ends_early() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.accept();
    drop(session);
    let reports = tokio::select! {
        reports = reports(&mut client) => reports,
        // It is not opened again. The connection is closed at the end.
        () = async {
            server.asked_to(Method::DELETE).await.accept();
            std::future::pending::<()>().await
        } => Vec::new(),
    };
    let last = reports.last().expect("it reports").clone();
    assert_eq!(last["step"], "session/prompt");
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    drop(stream);
}

#[tokio::test]
async fn rule_35_the_stream_of_the_connection_ends_early() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.accept();
    drop(stream);
    let answering = async {
        loop {
            let asked = server.asked().await;
            assert_eq!(asked.method, Method::DELETE, "nothing is opened again");
            asked.accept();
        }
    };
    let reports = tokio::select! {
        reports = reports(&mut client) => reports,
        () = answering => Vec::new(),
    };
    let last = reports.last().expect("it reports").clone();
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    drop(session);
}

#[tokio::test]
async fn rule_35_a_socket_ends_early() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "websocket", &["hi"]);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    socket.message().await;
    socket.close().await;
    let report = client.step().await.unwrap();
    let message = report["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{report}");
    assert_ne!(client.ended().await, Some(0));
}

#[tokio::test]
async fn rule_36_a_start_that_fails_is_closed() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    server.asked_to(Method::GET).await.answer(500, &[], "no streams today");
    let delete = server.asked_to(Method::DELETE).await;
    assert_eq!(delete.header("acp-connection-id"), Some("c-1"));
    delete.accept();
    assert_ne!(client.ended().await, Some(0));
}

#[tokio::test]
async fn an_opening_that_is_refused() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    let body =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "too many"}});
    server.posted("initialize").await.answer(
        503,
        &[("content-type", "application/json")],
        &body.to_string(),
    );
    let report = client.step().await.unwrap();
    let message = report["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("503") && message.contains("too many"), "{report}");
    assert_ne!(client.ended().await, Some(0));
    assert!(server.is_asked().is_none(), "there is nothing to close");
}

#[tokio::test]
async fn a_message_that_is_refused_fails_its_call() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, _session, prompt) = until_prompt(&mut server).await;
    let body =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "too large"}});
    prompt.answer(413, &[("content-type", "application/json")], &body.to_string());
    let reports = tokio::select! {
        reports = reports(&mut client) => reports,
        () = async {
            server.asked_to(Method::DELETE).await.accept();
            std::future::pending::<()>().await
        } => Vec::new(),
    };
    let last = reports.last().expect("it reports").clone();
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("413") && message.contains("too large"), "{last}");
}
