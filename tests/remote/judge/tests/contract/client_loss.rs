//! Rules 35 and 36: what a client makes of the end of streams, and of errors.

use hyper::Method;
use judge::{Client, Scripted, Stream};
use serde_json::json;

use crate::client::{open, result, until_prompt};
use crate::faults::update;

/// The reports of a client up to its end.
pub(super) async fn reports(client: &mut Client) -> Vec<serde_json::Value> {
    let mut reports = Vec::new();
    while let Some(report) = client.step().await {
        reports.push(report);
    }
    reports
}

/// The last report of a client that asks for nothing more but the end.
pub(super) async fn last_before_the_end(
    client: &mut Client,
    server: &mut Scripted,
) -> serde_json::Value {
    let mut reports = tokio::select! {
        reports = reports(client) => reports,
        () = async {
            server.asked_to(Method::DELETE).await.accept();
            std::future::pending::<()>().await
        } => Vec::new(),
    };
    reports.pop().expect("it reports")
}

#[tokio::test]
async fn rule_35_the_stream_of_a_session_ends_early() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi", "again"]);
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
    // Neither the call that waits nor the next one has anywhere to be answered.
    let prompts: Vec<_> = reports.iter().filter(|it| it["step"] == "session/prompt").collect();
    assert_eq!(prompts.len(), 2, "{reports:?}");
    for prompt in prompts {
        let message = prompt["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("connection lost"), "{prompt}");
    }
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

/// Whatever is said of how a call fails, the id of the connection is not.
#[tokio::test]
async fn rule_39_a_client_does_not_tell_the_id() {
    let id = "0123456789abcdef0123456789abcdef";
    // The stream ends, the connection is not known any more, or a call is refused.
    for status in [None, Some(404), Some(503)] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, "http", &["hi"]);
        let opening = server.posted("initialize").await;
        let answer = result(&opening.message(), json!({"protocolVersion": 1}));
        opening.answer_json(&[("acp-connection-id", id)], &answer);
        let mut stream = Some(server.asked_to(Method::GET).await.stream());
        let authenticate = server.posted("authenticate").await;
        match status {
            Some(status) => authenticate.answer(status, &[], "not today"),
            None => {
                authenticate.accept();
                stream = None;
            }
        }
        if status == Some(503) {
            server.posted("session/new").await.answer(503, &[], "not today");
        }
        let reports = tokio::select! {
            reports = reports(&mut client) => reports,
            () = async {
                server.asked_to(Method::DELETE).await.accept();
                std::future::pending::<()>().await
            } => Vec::new(),
        };
        let failure = reports.iter().find(|it| it.get("error").is_some());
        assert_eq!(failure.expect("a call fails")["step"], "authenticate", "{reports:?}");
        assert_ne!(client.ended().await, Some(0));
        let told = format!("{reports:?} {}", client.said());
        assert!(!told.contains(id), "{told}");
        drop(stream);
    }
}

#[tokio::test]
async fn rule_38_a_request_that_fails_is_not_repeated() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.reset();
    let last = last_before_the_end(&mut client, &mut server).await;
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    drop((stream, session));
}

#[tokio::test]
async fn rule_38_what_is_refused_is_not_repeated() {
    for (prompts, status) in [
        (["hi"], 404),
        (["hi"], 409),
        (["hi"], 503),
        // It opens a session in the one that it names, which is there already.
        (["branch"], 404),
        (["branch"], 409),
    ] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, "http", &prompts);
        open(server.posted("initialize").await, &[]);
        let stream = server.asked_to(Method::GET).await.stream();
        let authenticate = server.posted("authenticate").await;
        stream.send(&result(&authenticate.message(), json!({})));
        authenticate.accept();
        let new = server.posted("session/new").await;
        stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
        new.accept();
        let session = server.asked_to(Method::GET).await.stream();
        server.asked_to(Method::POST).await.answer(status, &[], "not this");
        let last = last_before_the_end(&mut client, &mut server).await;
        let message = last["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(&status.to_string()), "{last}");
        drop((stream, session));
    }
}

#[tokio::test]
async fn rules_5_and_38_a_new_session_is_not_asked_for_again() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    server.posted("session/new").await.answer(404, &[], "");
    let reports = reports(&mut client).await;
    let last = reports.last().expect("it reports");
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    let asked = server.is_asked().map(|it| it.method);
    assert!(asked.is_none_or(|it| it == Method::DELETE));
}

#[tokio::test]
async fn rule_40_nothing_is_sent_to_where_an_answer_points() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.answer(307, &[("location", "/elsewhere")], "");
    let last = last_before_the_end(&mut client, &mut server).await;
    assert!(last["error"]["message"].is_string(), "{last}");
    drop((stream, session));
}

#[tokio::test]
async fn rule_35_a_socket_ends_early() {
    // However orderly it is closed.
    for code in [None, Some(1000)] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, "websocket", &["hi"]);
        let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
        socket.message().await;
        match code {
            None => socket.close().await,
            Some(code) => socket.close_for(code, "").await,
        }
        let report = client.step().await.unwrap();
        let message = report["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("connection lost"), "{report}");
        assert_ne!(client.ended().await, Some(0));
    }
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
async fn a_message_that_is_refused_fails_its_call() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, _session, prompt) = until_prompt(&mut server).await;
    let body =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "too large"}});
    prompt.answer(413, &[("content-type", "application/json")], &body.to_string());
    let last = last_before_the_end(&mut client, &mut server).await;
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("413") && message.contains("too large"), "{last}");
}

/// The prompt is answered: the conversation goes on.
pub(super) async fn answered(client: &mut Client) {
    loop {
        let step = client.step().await.expect("the prompt is answered");
        if step["step"] == "session/prompt" {
            assert_eq!(step["result"]["stopReason"], "end_turn", "{step}");
            return;
        }
    }
}

#[tokio::test]
async fn a_message_that_is_refused_at_endless_length_fails_its_call() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, _session, prompt) = until_prompt(&mut server).await;
    let body = prompt.begin(413, &[("content-length", "100")]);
    body.text("half of i");
    let last = last_before_the_end(&mut client, &mut server).await;
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.ends_with("the server answered with status 413: half of i"), "{last}");
    drop(body);
}

#[tokio::test]
async fn an_answer_that_is_refused_is_told_of() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    let prompted = prompt.message();
    prompt.accept();
    session.send(&json!({
        "jsonrpc": "2.0", "id": "p", "method": "session/request_permission",
        "params": {
            "sessionId": "s-1",
            "toolCall": {"toolCallId": "t"},
            "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}],
        },
    }));
    let answer = server.asked_to(Method::POST).await;
    assert_eq!(answer.message()["id"], "p");
    assert!(answer.message()["result"].is_object());
    answer.answer(413, &[], "too large");
    let instead = server.asked_to(Method::POST).await;
    assert_eq!(instead.header("acp-protocol-version"), Some("1"));
    assert_eq!(instead.message()["id"], "p");
    assert_eq!(instead.message()["error"]["code"], -32603);
    instead.accept();
    session.send(&result(&prompted, json!({"stopReason": "end_turn"})));
    answered(&mut client).await;
    drop(stream);
}

#[tokio::test]
async fn answers_that_are_refused_leave_nothing_open() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    let prompted = prompt.message();
    prompt.accept();
    // More than a connection of HTTP has place for.
    for number in 0..220 {
        let unknown = json!({"jsonrpc": "2.0", "id": number, "method": "_unknown", "params": {}});
        session.send(&unknown);
        for _ in 0..2 {
            let answer = server.asked_to(Method::POST).await;
            assert_eq!(answer.message()["id"], number);
            answer.answer(503, &[], "busy");
        }
    }
    session.send(&result(&prompted, json!({"stopReason": "end_turn"})));
    answered(&mut client).await;
    drop(stream);
}

#[tokio::test]
async fn a_notification_that_is_refused_ends_nothing() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["slow"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    let prompted = prompt.message();
    prompt.accept();
    let cancel = server.posted("session/cancel").await;
    assert_eq!(cancel.header("acp-session-id"), Some("s-1"));
    assert_eq!(cancel.header("acp-protocol-version"), Some("1"));
    cancel.answer(503, &[], "busy");
    session.send(&result(&prompted, json!({"stopReason": "end_turn"})));
    answered(&mut client).await;
    drop(stream);
}

#[tokio::test]
async fn rule_35_what_came_before_the_loss_of_a_session_is_handled() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.accept();
    many(&session);
    drop(session);
    lost_after_many(client, server).await;
    drop(stream);
}

#[tokio::test]
async fn rule_35_what_came_before_the_loss_of_a_connection_is_handled() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (stream, session, prompt) = until_prompt(&mut server).await;
    prompt.accept();
    many(&session);
    drop(stream);
    drop(session);
    lost_after_many(client, server).await;
}

/// As many updates as may not be handled at once.
const MANY: usize = 500;

/// Sends many updates. A client takes its time for the first ones.
fn many(session: &Stream) {
    for count in 0..MANY {
        let mut update = update("s-1");
        if count < 50 {
            update["params"]["update"]["content"]["text"] = json!("nap");
        }
        session.send(&update);
    }
}

/// The call fails, after all updates.
async fn lost_after_many(mut client: Client, mut server: Scripted) {
    let last = last_before_the_end(&mut client, &mut server).await;
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("connection lost"), "{last}");
    assert_eq!(last["updates"], MANY, "{last}");
}
