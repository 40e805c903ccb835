//! Rules 16 and 17: what a client does that opens a session again at a server which does not know the
//! session before that.

use std::time::Duration;

use hyper::Method;
use judge::{Asked, Client, Scripted, Stream};
use serde_json::{Value, json};

use crate::client::{open, result};

/// A server that answers whoever loads `old`, and the loading request.
async fn until_load(server: &mut Scripted) -> (Stream, Asked) {
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await;
    assert_eq!(stream.header("acp-session-id"), None);
    let stream = stream.stream();
    let authenticate = server.posted("authenticate").await;
    let answer = result(&authenticate.message(), json!({}));
    authenticate.accept();
    stream.send(&answer);
    let mut load = None;
    let mut is_asked = false;
    // Either may come first, and the message again without the session that there is not.
    while load.is_none() || !is_asked {
        let asked = server.asked().await;
        assert_eq!(asked.header("acp-protocol-version"), Some("1"));
        let session = asked.header("acp-session-id").map(str::to_owned);
        if asked.method == Method::GET {
            assert_eq!(session.as_deref(), Some("old"));
            assert!(!is_asked, "it is asked for once");
            is_asked = true;
            unknown(asked);
        } else if session.is_some() {
            assert_eq!(asked.message()["method"], "session/load");
            unknown(asked);
        } else {
            load = Some(asked);
        }
    }
    (stream, load.unwrap())
}

/// Answers as a server does that does not know a session.
fn unknown(asked: Asked) {
    let json = [("content-type", "application/json")];
    asked.answer(404, &json, &json!({"error": "Unknown session id"}).to_string());
}

fn update(text: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": "old", "update": {
            "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text},
        }},
    })
}

#[tokio::test]
async fn rules_16_and_17_a_session_that_is_known_once_it_is_loaded() {
    let mut server = Scripted::start().await;
    let mut client = Client::load(&server.url, "http", "old", &["hi"]);
    let (stream, load) = until_load(&mut server).await;
    let answer = result(&load.message(), json!({}));
    load.accept();
    stream.send(&update("0"));
    stream.send(&answer);
    // Now there is one.
    let get = server.asked_to(Method::GET).await;
    assert_eq!(get.header("acp-session-id"), Some("old"));
    let session = get.stream();
    let prompt = server.posted("session/prompt").await;
    assert_eq!(prompt.header("acp-session-id"), Some("old"));
    let answer = result(&prompt.message(), json!({"stopReason": "end_turn"}));
    prompt.accept();
    session.send(&update("1"));
    session.send(&answer);
    for step in ["initialize", "authenticate", "session/load", "session/prompt"] {
        let report = client.step().await.unwrap_or_default();
        let said = client.said();
        assert_eq!((&report["step"], report.get("error")), (&json!(step), None), "{said}");
        let updates = u64::from(step.starts_with("session"));
        assert_eq!(report["updates"], updates, "{report}");
    }
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

/// The answer is on the connection's stream, and says how many events of the session's come first.
#[tokio::test]
async fn updates_on_another_stream_come_before_the_answer() {
    let mut server = Scripted::start().await;
    let mut client = Client::load(&server.url, "http", "old", &[]);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    let answer = result(&authenticate.message(), json!({}));
    authenticate.accept();
    stream.send(&answer);
    let (one, other) = (server.asked().await, server.asked().await);
    let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
    assert_eq!(get.header("acp-session-id"), Some("old"));
    let session = get.stream();
    let answer = result(&load.message(), json!({}));
    load.accept();
    stream.text(&format!("event: message\nafter: 2\ndata: {answer}\n\n"));
    for text in ["0", "1"] {
        tokio::time::sleep(Duration::from_millis(100)).await;
        session.send(&update(text));
    }
    for step in ["initialize", "authenticate", "session/load"] {
        let report = client.step().await.unwrap_or_default();
        assert_eq!(report["step"], step, "{}", client.said());
        assert_eq!(report["updates"], if step == "session/load" { 2 } else { 0 }, "{report}");
    }
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

#[tokio::test]
async fn rule_35_a_session_whose_stream_ends_takes_no_other_along() {
    let mut server = Scripted::start().await;
    let mut client = Client::load(&server.url, "http", "old", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    let (one, other) = (server.asked().await, server.asked().await);
    let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
    get.stream().send(&update("0"));
    load.accept();
    let new = server.posted("session/new").await;
    stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
    new.accept();
    let session = server.asked_to(Method::GET).await.stream();
    let prompt = server.posted("session/prompt").await;
    session.send(&result(&prompt.message(), json!({"stopReason": "end_turn"})));
    prompt.accept();
    for step in ["initialize", "authenticate", "session/load", "session/new", "session/prompt"] {
        let report = client.step().await.unwrap_or_default();
        assert_eq!(report["step"], step, "{}", client.said());
        let message = report["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains("connection lost"), step == "session/load", "{report}");
    }
    server.asked_to(Method::DELETE).await.accept();
}

/// Its stream is asked for by the request that loads it.
#[tokio::test]
async fn rule_34_a_message_waits_for_the_stream_of_a_session_that_is_loaded() {
    let mut server = Scripted::start().await;
    let mut client = Client::load_early(&server.url, "old");
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    let (one, other) = (server.asked().await, server.asked().await);
    let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
    let loaded = result(&load.message(), json!({}));
    load.accept();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let asked = server.is_asked().map(|asked| asked.body);
    assert_eq!(asked, None);
    let session = get.stream();
    let prompt = server.posted("session/prompt").await;
    let answer = result(&prompt.message(), json!({"stopReason": "end_turn"}));
    prompt.accept();
    session.send(&answer);
    stream.send(&loaded);
    while let Some(report) = client.step().await {
        assert_eq!(report.get("error"), None, "{report}");
        if report["step"] == "session/load" {
            break;
        }
    }
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

#[tokio::test]
async fn rule_16_a_session_that_is_never_known() {
    let mut server = Scripted::start().await;
    let mut client = Client::load(&server.url, "http", "old", &[]);
    let (stream, load) = until_load(&mut server).await;
    let answer = result(&load.message(), json!({}));
    load.accept();
    stream.send(&answer);
    let get = server.asked_to(Method::GET).await;
    assert_eq!(get.header("acp-session-id"), Some("old"));
    unknown(get);
    // The connection goes on.
    let new = server.posted("session/new").await;
    let answer = result(&new.message(), json!({"sessionId": "s-1"}));
    new.accept();
    stream.send(&answer);
    let _session = server.asked_to(Method::GET).await.stream();
    for step in ["initialize", "authenticate", "session/load", "session/new"] {
        let report = client.step().await.unwrap_or_default();
        assert_eq!(report["step"], step, "{}", client.said());
        let message = report["error"]["message"].as_str();
        assert_eq!(message.is_some(), step == "session/load", "{report}");
        let message = message.unwrap_or_default();
        assert!(!message.contains("connection lost"), "{report}");
        if step == "session/load" {
            assert!(message.contains("404") && message.contains("Unknown session"), "{report}");
        }
    }
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

#[tokio::test]
async fn rule_5_a_connection_that_is_not_known_any_more() {
    let mut server = Scripted::start().await;
    let mut client = Client::load(&server.url, "http", "old", &[]);
    let (_stream, load) = until_load(&mut server).await;
    load.answer(404, &[], "");
    let mut last = Value::Null;
    while let Some(report) = client.step().await {
        last = report;
    }
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    assert_ne!(client.ended().await, Some(0), "{}", client.said());
}

/// The session is loaded before who asked for its stream is answered.
#[tokio::test]
async fn rules_16_and_38_a_stream_that_is_refused_late() {
    for status in [404, 403, 500] {
        let mut server = Scripted::start().await;
        let mut client = Client::load(&server.url, "http", "old", &[]);
        open(server.posted("initialize").await, &[]);
        let stream = server.asked_to(Method::GET).await.stream();
        let authenticate = server.posted("authenticate").await;
        stream.send(&result(&authenticate.message(), json!({})));
        authenticate.accept();
        let (one, other) = (server.asked().await, server.asked().await);
        let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
        let answer = result(&load.message(), json!({}));
        load.accept();
        stream.send(&answer);
        tokio::time::sleep(Duration::from_millis(300)).await;
        get.answer(status, &[], "no reader today");
        // Only where there was no session may there be one now.
        let is_asked_again = status == 404;
        let _session = if is_asked_again {
            let get = server.asked_to(Method::GET).await;
            assert_eq!(get.header("acp-session-id"), Some("old"));
            get.stream()
        } else {
            let new = server.posted("session/new").await;
            stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
            new.accept();
            server.asked_to(Method::GET).await.stream()
        };
        for step in ["initialize", "authenticate", "session/load"] {
            let report = client.step().await.unwrap_or_default();
            assert_eq!(report["step"], step, "{}", client.said());
            let message = report["error"]["message"].as_str();
            let fails = step == "session/load" && !is_asked_again;
            assert_eq!(message.is_some(), fails, "{status}: {report}");
            let is_told = message.is_some_and(|it| it.contains(&status.to_string()));
            assert_eq!(is_told, fails, "{status}: {report}");
        }
        server.asked_to(Method::DELETE).await.accept();
        assert_eq!(client.ended().await, Some(0), "{}", client.said());
    }
}

#[tokio::test]
async fn rule_38_a_stream_that_is_refused_is_not_asked_for_again() {
    for status in [403, 409, 500] {
        let mut server = Scripted::start().await;
        let mut client = Client::load(&server.url, "http", "old", &[]);
        open(server.posted("initialize").await, &[]);
        let stream = server.asked_to(Method::GET).await.stream();
        let authenticate = server.posted("authenticate").await;
        stream.send(&result(&authenticate.message(), json!({})));
        authenticate.accept();
        let (one, other) = (server.asked().await, server.asked().await);
        let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
        get.answer(status, &[], "no reader today");
        let answer = result(&load.message(), json!({}));
        load.accept();
        tokio::time::sleep(Duration::from_millis(100)).await;
        stream.send(&answer);
        let new = server.posted("session/new").await;
        stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
        new.accept();
        let _session = server.asked_to(Method::GET).await.stream();
        for step in ["initialize", "authenticate", "session/load", "session/new"] {
            let report = client.step().await.unwrap_or_default();
            assert_eq!(report["step"], step, "{}", client.said());
            let message = report["error"]["message"].as_str().unwrap_or_default();
            let is_told = message.contains(&status.to_string());
            assert_eq!(is_told, step == "session/load", "{report}");
        }
        server.asked_to(Method::DELETE).await.accept();
        assert_eq!(client.ended().await, Some(0), "{}", client.said());
    }
}
