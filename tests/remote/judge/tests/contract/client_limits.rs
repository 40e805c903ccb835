//! Rule 41: the limits of a client, each of which an error names.

use std::time::Duration;

use hyper::Method;
use judge::{Client, Frame, Scripted, Stream};
use serde_json::json;

use crate::client::{open, result, until_prompt};
use crate::client_loss::{answered, last_before_the_end, reports};
use crate::client_opening::failed_to_open;

#[tokio::test]
async fn rule_41_a_stream_that_is_never_given() {
    let mut server = Scripted::start().await;
    let options = json!({"opening": 2.0});
    let client = Client::start_with(&server.url, "http", &["hi"], &options);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    let new = server.posted("session/new").await;
    stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
    new.accept();
    let get = server.asked_to(Method::GET).await;
    passes(client, server, "session/new", "opening").await;
    drop((stream, get));
}

#[tokio::test]
async fn rule_41_an_opening_that_is_never_answered() {
    let mut server = Scripted::start().await;
    let options = json!({"opening": 2.0});
    let client = Client::start_with(&server.url, "http", &["hi"], &options);
    let opening = server.posted("initialize").await;
    passes(client, server, "initialize", "opening").await;
    drop(opening);
}

#[tokio::test]
async fn rules_36_and_41_an_opening_that_is_answered_in_part() {
    let mut server = Scripted::start().await;
    let options = json!({"opening": 2.0});
    let mut client = Client::start_with(&server.url, "http", &["hi"], &options);
    let opening = server.posted("initialize").await;
    let headers = [("content-type", "application/json"), ("acp-connection-id", "c-1")];
    let body = opening.begin(200, &headers);
    body.text("{\"jsonrpc\":");
    is_deleted(&mut client, &mut server, "opening").await;
    drop(body);
}

#[tokio::test]
async fn rule_41_an_opening_over_a_websocket_that_is_never_answered() {
    let mut server = Scripted::start().await;
    let options = json!({"opening": 2.0, "ping": 600});
    let mut client = Client::start_with(&server.url, "websocket", &["hi"], &options);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    assert_eq!(socket.message().await.expect("it is opened")["method"], "initialize");
    while matches!(socket.frame().await, Frame::Ping) {}
    drop(socket);
    let told = failed_to_open(&mut client).await;
    assert!(told.contains("connection lost") && told.contains("`opening`"), "{told}");
}

/// It goes on once the time is over in which it had to be answered.
#[tokio::test]
async fn rule_41_an_opening_that_is_answered() {
    let options = json!({"opening": 2.0, "ping": 600});
    let late = Duration::from_millis(2500);
    let mut server = Scripted::start().await;
    let client = Client::start_with(&server.url, "http", &[], &options);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    let answer = result(&authenticate.message(), json!({}));
    authenticate.accept();
    tokio::time::sleep(late).await;
    stream.send(&answer);
    server.posted("session/new").await;
    drop((client, stream));
    let mut server = Scripted::start().await;
    let client = Client::start_with(&server.url, "websocket", &[], &options);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    let opening = socket.message().await.expect("it is opened");
    socket.send(&result(&opening, json!({"protocolVersion": 1}))).await;
    let authenticate = socket.message().await.expect("it goes on");
    tokio::time::sleep(late).await;
    socket.send(&result(&authenticate, json!({}))).await;
    assert_eq!(socket.message().await.expect("it goes on")["method"], "session/new");
    drop(client);
}

#[tokio::test]
async fn rule_41_a_websocket_that_is_never_given() {
    let mut server = Scripted::start().await;
    let options = json!({"opening": 2.0});
    let mut client = Client::start_with(&server.url, "websocket", &["hi"], &options);
    let opening = server.asked().await;
    let told = failed_to_open(&mut client).await;
    assert!(told.contains("`opening`"), "{told}");
    drop(opening);
}

#[tokio::test]
async fn rule_41_an_event_over_the_limit() {
    let mut server = Scripted::start().await;
    let client = Client::start_with(&server.url, "http", &["hi"], &json!({"body": 1000}));
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    let long = json!({"_meta": {"x": "y".repeat(1_000_000)}});
    stream.send(&result(&authenticate.message(), long));
    authenticate.accept();
    passes(client, server, "authenticate", "body").await;
    drop(stream);
}

/// Its lines have nothing in them.
#[tokio::test]
async fn rule_41_an_event_of_countless_lines() {
    let mut server = Scripted::start().await;
    let client = Client::start_with(&server.url, "http", &["hi"], &json!({"body": 1000}));
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    for _ in 0..100 {
        stream.text(&"data:\n".repeat(100));
    }
    authenticate.accept();
    passes(client, server, "authenticate", "body").await;
    drop(stream);
}

/// Bytes are counted, and not characters.
#[tokio::test]
async fn rule_41_an_event_just_over_the_limit() {
    for (letter, over) in [("y", 0), ("y", 1), ("ä", 200)] {
        let mut server = Scripted::start().await;
        let mut client = Client::start_with(&server.url, "http", &["hi"], &json!({"body": 1000}));
        open(server.posted("initialize").await, &[]);
        let stream = server.asked_to(Method::GET).await.stream();
        let authenticate = server.posted("authenticate").await;
        let answer = |text| result(&authenticate.message(), json!({"_meta": {"x": text}}));
        let room = 1000 - answer(String::new()).to_string().len();
        let answer = answer(letter.repeat((room + over) / letter.len()));
        authenticate.accept();
        stream.send(&answer);
        if over > 0 {
            passes(client, server, "authenticate", "body").await;
        } else {
            server.posted("session/new").await;
            assert_eq!(client.step().await.unwrap()["step"], "initialize");
            assert_eq!(client.step().await.unwrap().get("error"), None);
        }
    }
}

#[tokio::test]
async fn rules_36_and_41_an_opening_whose_answer_is_over_the_limit() {
    let mut server = Scripted::start().await;
    let mut client = Client::start_with(&server.url, "http", &["hi"], &json!({"body": 1000}));
    let opening = server.posted("initialize").await;
    let headers = [("content-type", "application/json"), ("acp-connection-id", "c-1")];
    let body = opening.begin(200, &headers);
    body.flood();
    is_deleted(&mut client, &mut server, "body").await;
    is_let_in_no_more(&body);
}

/// The opening fails because of a limit, and the connection that its answer names is deleted.
async fn is_deleted(client: &mut Client, server: &mut Scripted, limit: &str) {
    let mut id = None;
    let reports = tokio::select! {
        reports = reports(client) => reports,
        () = async {
            let delete = server.asked_to(Method::DELETE).await;
            id = delete.header("acp-connection-id").map(str::to_owned);
            delete.accept();
            std::future::pending::<()>().await
        } => Vec::new(),
    };
    let last = reports.last().expect("it reports");
    assert_eq!(last["step"], "initialize", "{last}");
    let message = last["error"]["message"].as_str().unwrap_or_default();
    let limit = format!("`{limit}`");
    assert!(message.contains("connection lost") && message.contains(&limit), "{last}");
    assert_eq!(id.as_deref(), Some("c-1"));
}

/// Windows of HTTP let in more than is read.
fn is_let_in_no_more(body: &Stream) {
    assert!(body.given() < 24 << 20, "{} bytes are let in", body.given());
}

#[tokio::test]
async fn rule_41_a_refusal_at_great_length() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, _session, prompt) = until_prompt(&mut server).await;
    let body = prompt.begin(413, &[]);
    body.flood();
    let last = last_before_the_end(&mut client, &mut server).await;
    let message = last["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("413") && message.len() < 1000, "{message}");
    is_let_in_no_more(&body);
}

#[tokio::test]
async fn rule_41_a_message_is_accepted_at_great_length() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, session, prompt) = until_prompt(&mut server).await;
    let end = result(&prompt.message(), json!({"stopReason": "end_turn"}));
    let body = prompt.begin(202, &[]);
    body.flood();
    // Whoever reads on has read more after a while.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let given = body.given();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(body.given(), given, "it reads on");
    is_let_in_no_more(&body);
    session.send(&end);
    answered(&mut client).await;
    // Whoever read all of it would not be here before.
    server.asked_to(Method::DELETE).await.accept();
    is_let_in_no_more(&body);
}

/// A step fails, and says which limit was passed.
async fn passes(mut client: Client, mut server: Scripted, step: &str, limit: &str) {
    let reports = tokio::select! {
        reports = reports(&mut client) => reports,
        () = async {
            server.asked_to(Method::DELETE).await.accept();
            std::future::pending::<()>().await
        } => Vec::new(),
    };
    let failed = reports.iter().find(|it| it.get("error").is_some());
    let failed = failed.unwrap_or_else(|| panic!("{reports:?}"));
    assert_eq!(failed["step"], step, "{failed}");
    let message = failed["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains(&format!("`{limit}`")), "{message}");
    assert!(message.contains("connection lost"), "{message}");
}
