//! Rule 41: limits, each of which an error names.

use hyper::StatusCode;
use judge::{
    Agent, Frame, Http, Opened, Socket, initialize, load, new_session, open, prompt, request,
};
use serde_json::{Value, json};

#[tokio::test]
async fn rule_41_connections() {
    let agent = Agent::start(json!({"limits": {"connections": 1}})).await;
    let http = Http::two(&agent);
    let opened = Opened::over(http.clone(), &[]).await;
    let answer = http.post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.header("acp-connection-id").is_none());
    let message = answer.error().await;
    assert!(message.contains("`connections`"), "{message}");
    assert_eq!(Socket::connect(&agent, &[]).await.err(), Some(503));
    opened.delete().await;
    // Its place is free once all that belonged to it is gone.
    let reopening = async {
        while http.post(&[], &initialize()).await.status == StatusCode::SERVICE_UNAVAILABLE {}
    };
    judge::soon("there is place again", reopening).await;
}

#[tokio::test]
async fn rule_41_connections_over_a_websocket() {
    let agent = Agent::start(json!({"limits": {"connections": 1}})).await;
    let http = Http::two(&agent);
    let mut socket = Socket::open(&agent).await;
    let answer = http.post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(Socket::connect(&agent, &[]).await.err(), Some(503));
    socket.close(1000).await;
    drop(socket);
    let reopening = async {
        while http.post(&[], &initialize()).await.status == StatusCode::SERVICE_UNAVAILABLE {}
    };
    judge::soon("there is place again", reopening).await;
}

#[tokio::test]
async fn rule_41_connections_that_are_being_opened() {
    let agent = Agent::start(json!({"limits": {"connections": 1}})).await;
    let Ok(socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    assert_eq!(Socket::connect(&agent, &[]).await.err(), Some(503));
    let answer = Http::two(&agent).post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.error().await.contains("connections"));
    drop(socket);
}

/// One that is being loaded is known, and counts once.
#[tokio::test]
async fn rule_41_sessions_that_are_being_opened() {
    let agent = Agent::start(json!({"limits": {"sessions": 2}})).await;
    let opened = open(&agent).await;
    // What loads it waits for an answer of the client, and is sent again while it does.
    opened.send(&load(1, "s7", "/ask")).await;
    opened.send(&load(2, "s7", "/ask")).await;
    opened.send(&new_session(3)).await;
    let refused = opened.post(&new_session(4)).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.error().await.contains("`sessions`"));
}

#[tokio::test]
async fn rule_41_sessions() {
    let agent = Agent::start(json!({"limits": {"sessions": 2}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    opened.new_session(2, &mut stream).await;
    let answer = opened.post(&new_session(3)).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    let message = answer.error().await;
    assert!(message.contains("`sessions`"), "{message}");
    // One that is opened again is one more, but if it is open.
    let answer = opened.post(&load(5, "s9", "/replay/0")).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    opened.send(&load(6, &session, "/replay/0")).await;
    assert_eq!(stream.message().await.unwrap()["id"], 6);
    // Those that are there go on.
    let mut events = opened.session(&session).await;
    opened.send(&prompt(4, &session, "updates 1")).await;
    events.message().await.unwrap();
    assert_eq!(events.message().await.unwrap()["id"], 4);
}

#[tokio::test]
async fn rules_19_and_41_messages_without_a_reader() {
    let agent = Agent::start(json!({"limits": {"buffered": 20_000}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    opened.send(&prompt(2, &session, "updates 100 1000")).await;
    agent.says("connection ended").await;
    let said = agent.said();
    assert!(said.contains("`buffered`"), "{said}");
    while stream.message().await.is_some() {}
    assert_eq!(opened.get(None).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn rules_19_and_41_answers_without_a_reader() {
    let agent = Agent::start(json!({"limits": {"buffered": 20_000}})).await;
    let opened = open(&agent).await;
    let large = json!({"x": "y".repeat(1000)});
    let asking = async {
        // Once there are too many, the connection is not known any more.
        for id in 1.. {
            if opened.post(&request(id, "_echo", large.clone())).await.status
                == StatusCode::NOT_FOUND
            {
                return;
            }
        }
    };
    judge::soon("there is an end", asking).await;
    agent.says("connection ended").await;
    let said = agent.said();
    assert!(said.contains("`buffered`"), "{said}");
}

/// They take space that is not their own, too.
#[tokio::test]
async fn rules_19_and_41_short_answers_without_a_reader() {
    let agent = Agent::start(json!({"limits": {"buffered": 20_000, "sessionWait": 0.2}})).await;
    let opened = open(&agent).await;
    for id in 0..40 {
        opened.send(&request(id, "_echo", json!({}))).await;
    }
    assert_eq!(opened.get(Some("s0")).await.status, StatusCode::NOT_FOUND);
    assert!(!agent.said().contains("connection ended"), "{}", agent.said());
    // Each has about 50 bytes.
    for id in 40..160 {
        opened.post(&request(id, "_echo", json!({}))).await;
    }
    agent.says("connection ended").await;
    let said = agent.said();
    assert!(said.contains("`buffered`"), "{said}");
}

#[tokio::test]
async fn rule_41_headers() {
    let agent = Agent::start(json!({"limits": {"headers": 20}})).await;
    let http = Http::two(&agent);
    let names: Vec<String> = (0..50).map(|number| format!("x-more-{number}")).collect();
    let headers: Vec<_> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let answer = http.post(&headers, &initialize()).await;
    assert_eq!(answer.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    let message = answer.error().await;
    assert!(message.contains("`headers`"), "{message}");
    assert_eq!(Socket::connect(&agent, &headers).await.err(), Some(431));
    Opened::over(http, &[]).await;
}

#[tokio::test]
async fn rule_41_idle_connections() {
    let agent = Agent::start(json!({"limits": {"idle": 0.3}})).await;
    let idle = open(&agent).await;
    agent.says("connection ended").await;
    let said = agent.said();
    assert!(said.contains("`idle`"), "{said}");
    assert_eq!(idle.get(None).await.status, StatusCode::NOT_FOUND);
    // One with a reader is not idle.
    let read = open(&agent).await;
    let mut stream = read.stream().await;
    tokio::time::sleep(std::time::Duration::from_millis(900)).await;
    let session = read.new_session(1, &mut stream).await;
    // Whichever stream that is.
    let _events = read.session(&session).await;
    drop(stream);
    tokio::time::sleep(std::time::Duration::from_millis(900)).await;
    read.stream().await;
}

#[tokio::test]
async fn rule_41_messages_keep_connections_alive() {
    let agent = Agent::start(json!({"limits": {"idle": 1.0}})).await;
    let opened = open(&agent).await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}});
    for _ in 0..8 {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        opened.send(&cancel).await;
    }
}

#[tokio::test]
async fn rule_41_a_socket_that_says_nothing() {
    let agent = Agent::start(json!({"limits": {"opening": 0.3}})).await;
    let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    assert_eq!(socket.told().await, Frame::Closed(Some(1002)));
    assert!(socket.reason.contains("`opening`"), "{}", socket.reason);
}

/// A request whose handler does not answer.
fn never_opened() -> Value {
    let info = json!({"name": "sleep", "version": "1"});
    request(0, "initialize", json!({"protocolVersion": 1, "clientInfo": info}))
}

#[tokio::test]
async fn rule_41_an_opening_that_is_not_answered() {
    let agent = Agent::start(json!({"limits": {"opening": 0.5, "connections": 1}})).await;
    let http = Http::two(&agent);
    let answer = http.post(&[], &never_opened()).await;
    assert_eq!(answer.status, StatusCode::GATEWAY_TIMEOUT);
    assert!(answer.header("acp-connection-id").is_none());
    let message = answer.error().await;
    assert!(message.contains("`opening`"), "{message}");
    agent.says("connection ended").await;
    // Its place is free.
    let reopening = async {
        while http.post(&[], &initialize()).await.status == StatusCode::SERVICE_UNAVAILABLE {}
    };
    judge::soon("there is place again", reopening).await;
}

#[tokio::test]
async fn rule_41_an_opening_over_a_websocket_that_is_not_answered() {
    let agent = Agent::start(json!({"limits": {"opening": 0.5}})).await;
    let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    socket.send(&never_opened()).await;
    let mut told = socket.told().await;
    if let Frame::Text(cancelled) = &told {
        assert!(cancelled.contains("error"), "{cancelled}");
        told = socket.told().await;
    }
    assert_eq!(told, Frame::Closed(Some(1001)));
    assert!(socket.reason.contains("`opening`"), "{}", socket.reason);
    agent.says("connection ended").await;
    let said = agent.said();
    assert!(said.contains("`opening`"), "{said}");
    // One that is answered goes on.
    let mut socket = Socket::open(&agent).await;
    tokio::time::sleep(std::time::Duration::from_millis(1000)).await;
    socket.send(&request(1, "_echo", json!({}))).await;
    assert_eq!(socket.message().await["id"], 1);
}
