//! Rules 1 to 12: what is posted.

use hyper::{Method, StatusCode};
use judge::{Agent, Http, Opened, Socket, initialize, load, new_session, open, prompt, request};
use serde_json::{Value, json};

#[tokio::test]
async fn rule_1_a_body_that_is_not_said_to_be_json() {
    let agent = Agent::start(json!({})).await;
    let http = Http::two(&agent);
    let body = initialize().to_string();
    for headers in
        [vec![("content-type", "text/plain")], vec![("content-type", "application/jsonx")], vec![]]
    {
        let answer = http.send(Method::POST, &headers, &body).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{headers:?}");
        assert!(answer.header("acp-connection-id").is_none());
        answer.error().await;
    }
    let headers = [("content-type", "Application/JSON; charset=utf-8")];
    let answer = http.send(Method::POST, &headers, &body).await;
    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test]
async fn rule_1_a_body_that_is_not_json() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let headers = [("content-type", "application/json"), ("acp-connection-id", opened.id.as_str())];
    for body in ["", "{", "\"text\"", "{}x"] {
        let answer = opened.http.send(Method::POST, &headers, body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        answer.error().await;
    }
    // Nor is it JSON if it is no UTF-8.
    let body = b"{\"jsonrpc\":\"2.0\",\"method\":\"_\xff\"}".to_vec();
    let answer = opened.http.send_bytes(Method::POST, &headers, body).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    answer.error().await;
    // The connection lives.
    let mut stream = opened.stream().await;
    opened.new_session(1, &mut stream).await;
}

#[tokio::test]
async fn rule_2_the_opening_is_answered_in_its_body() {
    let agent = Agent::start(json!({})).await;
    let answer = Http::two(&agent).post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.header("content-type").unwrap().starts_with("application/json"));
    assert!(answer.header("acp-connection-id").is_some());
    let body = answer.json().await;
    assert_eq!((&body["id"], &body["result"]["protocolVersion"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn rule_3_an_opening_that_fails_leaves_nothing() {
    let agent = Agent::start(json!({"limits": {"connections": 1}})).await;
    let http = Http::two(&agent);
    for _ in 0..3 {
        let badly = request(7, "initialize", json!({"protocolVersion": "one"}));
        let answer = http.post(&[], &badly).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.header("acp-connection-id").is_none());
        let body = answer.json().await;
        assert_eq!((&body["id"], &body["error"]["code"]), (&json!(7), &json!(-32602)), "{body}");
    }
    agent.says_times("connection ended", 3).await;
    // The only connection there may be is not one of those.
    Opened::over(http, &[]).await;
}

#[tokio::test]
async fn rule_4_a_message_of_no_connection() {
    let agent = Agent::start(json!({})).await;
    open(&agent).await;
    let answer = Http::two(&agent).post(&[], &new_session(1)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.error().await.to_lowercase().contains("acp-connection-id"));
}

#[tokio::test]
async fn rule_5_a_message_of_a_connection_that_is_not() {
    let agent = Agent::start(json!({})).await;
    open(&agent).await;
    // Nor does the opening method open another one in its place.
    for message in [new_session(1), initialize()] {
        let answer = Http::two(&agent).post(&[("acp-connection-id", "0123")], &message).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{message}");
        assert!(answer.header("acp-connection-id").is_none());
        answer.error().await;
    }
}

/// What is said over HTTP is answered on streams, and a WebSocket has none.
#[tokio::test]
async fn rule_5_a_connection_over_a_websocket_is_none_over_http() {
    let agent = Agent::start(json!({})).await;
    let mut socket = Socket::open(&agent).await;
    let id = socket.headers["acp-connection-id"].to_str().unwrap().to_owned();
    let opened = Opened { http: Http::two(&agent), id };
    for answer in
        [opened.post(&new_session(1)).await, opened.get(None).await, opened.delete().await]
    {
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        answer.error().await;
    }
    socket.send(&request(2, "_echo", json!({}))).await;
    assert_eq!(socket.message().await["id"], 2);
}

/// Messages of a session that is open.
fn of_session(session: &str) -> [Value; 3] {
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    [prompt(3, session, "hi"), cancel, load(4, session, "/replay/0")]
}

#[tokio::test]
async fn rule_6_a_message_of_a_session_without_its_header() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let headers = [("acp-connection-id", opened.id.as_str())];
    for message in of_session(&session) {
        let answer = opened.http.post(&headers, &message).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{message}");
        assert!(answer.error().await.to_lowercase().contains("acp-session-id"), "{message}");
    }
}

#[tokio::test]
async fn rule_7_a_header_of_another_session() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let other = opened.new_session(2, &mut stream).await;
    let headers = [("acp-connection-id", opened.id.as_str()), ("acp-session-id", other.as_str())];
    for message in of_session(&session) {
        let answer = opened.http.post(&headers, &message).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{message}");
        answer.error().await;
    }
}

#[tokio::test]
async fn rule_8_a_message_is_accepted_before_it_is_handled() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    // Its handler waits to be cancelled.
    opened.send(&prompt(2, &session, "sleep")).await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    opened.send(&cancel).await;
    let answer = events.message().await.unwrap();
    assert_eq!((&answer["id"], &answer["result"]["stopReason"]), (&json!(2), &json!("cancelled")));
}

#[tokio::test]
async fn rule_9_a_batch() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    for batch in [json!([]), json!([request(1, "_echo", json!({}))]), json!([initialize()])] {
        let answer = opened.post(&batch).await;
        assert_eq!(answer.status, StatusCode::NOT_IMPLEMENTED, "{batch}");
        answer.error().await;
    }
}

#[tokio::test]
async fn rule_10_a_body_over_the_limit() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let opened = open(&agent).await;
    for message in [request(1, "_echo", json!({"x": "y".repeat(2000)})), judge::of_length(1001)] {
        let answer = opened.post(&message).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert!(answer.error().await.contains("`body`"));
    }
    let mut stream = opened.stream().await;
    // One that has as many bytes as are allowed is not over it.
    opened.send(&judge::of_length(1000)).await;
    assert_eq!(stream.message().await.unwrap()["id"], 1);
    opened.new_session(2, &mut stream).await;
}

#[tokio::test]
async fn rule_10_a_body_over_the_limit_whose_length_is_not_told() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let opened = open(&agent).await;
    let headers = [("acp-connection-id", opened.id.as_str())];
    for message in [request(1, "_echo", json!({"x": "y".repeat(2000)})), judge::of_length(1001)] {
        let answer = opened.http.post_in_pieces(&headers, &message).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert!(answer.error().await.contains("`body`"));
    }
    for message in [judge::of_length(1000), new_session(2)] {
        let answer = opened.http.post_in_pieces(&headers, &message).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
    }
}

#[tokio::test]
async fn rule_11_the_opening_on_an_open_connection() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let answer = opened.post(&initialize()).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    answer.error().await;
    let mut stream = opened.stream().await;
    opened.new_session(2, &mut stream).await;
}

#[tokio::test]
async fn rule_12_other_verbs() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS, Method::HEAD] {
        let headers = [("acp-connection-id", opened.id.as_str())];
        let answer = opened.http.send(method.clone(), &headers, "").await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        let allowed = answer.header("allow").expect("it says what is allowed").to_owned();
        for verb in ["GET", "POST", "DELETE"] {
            assert!(allowed.contains(verb), "{allowed}");
        }
    }
}

#[tokio::test]
async fn a_response_of_the_client_reaches_its_call() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    opened.send(&prompt(2, &session, "perm")).await;
    let asked = events.message().await.unwrap();
    assert_eq!(asked["method"], "session/request_permission");
    let answer = json!({
        "jsonrpc": "2.0", "id": asked["id"],
        "result": {"outcome": {"outcome": "selected", "optionId": "yes"}},
    });
    // It has no params, so nothing but the header says which session it is of: both will do.
    opened.send(&answer).await;
    let told = events.message().await.unwrap();
    assert!(judge::text_of(&told).unwrap().contains("yes"), "{told}");
    assert_eq!(events.message().await.unwrap()["result"]["stopReason"], "end_turn");
}

#[tokio::test]
async fn a_session_that_cannot_be_loaded_is_not_known() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 0.2}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    opened.send(&load(1, "s9", "/refuse")).await;
    let answer = stream.message().await.unwrap();
    assert_eq!(answer["error"]["code"], json!(-32002), "{answer}");
    assert_eq!(opened.get(Some("s9")).await.status, StatusCode::NOT_FOUND);
}
