//! Rules 26 to 31: WebSockets.

use std::time::{Duration, Instant};

use judge::{Agent, Frame, Socket, initialize, new_session, prompt, request};
use serde_json::{Value, json};

#[tokio::test]
async fn rule_26_the_handshake_names_the_connection() {
    let agent = Agent::start(json!({})).await;
    let first = Socket::open(&agent).await;
    let second = Socket::open(&agent).await;
    let id = |socket: &Socket| socket.headers["acp-connection-id"].to_str().unwrap().to_owned();
    assert!(id(&first).len() >= 22, "128 bits or more");
    assert_ne!(id(&first), id(&second));
}

#[tokio::test]
async fn rule_27_the_first_message_is_the_opening() {
    let agent = Agent::start(json!({})).await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}});
    let mut notified = initialize();
    notified.as_object_mut().unwrap().remove("id");
    let batch = json!([initialize()]);
    for (first, id) in [
        (new_session(5).to_string(), json!(5)),
        (cancel.to_string(), Value::Null),
        (notified.to_string(), Value::Null),
        ("{".to_owned(), Value::Null),
        (batch.to_string(), Value::Null),
    ] {
        let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
        socket.send_text(&first).await;
        let answer = socket.message().await;
        assert_eq!(answer["id"], id, "{first}: {answer}");
        assert!(answer["error"]["code"].is_i64(), "{first}: {answer}");
        assert_eq!(socket.told().await, Frame::Closed(Some(1002)), "{first}");
    }
}

#[tokio::test]
async fn rule_28_a_message_is_a_text_frame() {
    let agent = Agent::start(json!({})).await;
    let mut socket = Socket::open(&agent).await;
    socket.send_bytes(request(1, "_echo", json!({})).to_string().as_bytes()).await;
    socket.send_text(&format!("{:#}", request(2, "_echo", json!({"x": [1]})))).await;
    let answer = socket.message().await;
    assert_eq!((&answer["id"], &answer["result"]["echoed"]), (&json!(2), &json!({"x": [1]})));
    socket.send_text("nonsense").await;
    assert_eq!(socket.message().await["error"]["code"], -32700);
    // Batches are for WebSockets, too.
    socket.send(&json!([request(3, "_echo", json!(1)), request(4, "_echo", json!(2))])).await;
    assert_eq!(socket.message().await.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn rule_28_what_is_binary_opens_nothing() {
    let agent = Agent::start(json!({})).await;
    let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    let opening = request(7, "initialize", json!({"protocolVersion": 1}));
    socket.send_bytes(opening.to_string().as_bytes()).await;
    socket.send(&initialize()).await;
    let answer = socket.message().await;
    assert_eq!((&answer["id"], &answer["result"]["protocolVersion"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn rule_28_each_message_has_a_frame() {
    let agent = Agent::start(json!({})).await;
    let mut socket = Socket::open(&agent).await;
    socket.send(&new_session(1)).await;
    let session = socket.message().await["result"]["sessionId"].as_str().unwrap().to_owned();
    // As many as may be sent together.
    socket.send(&prompt(2, &session, "updates 500")).await;
    for _ in 0..500 {
        assert_eq!(socket.message().await["method"], "session/update");
    }
    assert_eq!(socket.message().await["result"]["stopReason"], "end_turn");
}

#[tokio::test]
async fn rule_29_a_close_ends_the_connection() {
    let agent = Agent::start(json!({})).await;
    for is_orderly in [true, false] {
        let mut socket = Socket::open(&agent).await;
        socket.send(&new_session(1)).await;
        socket.message().await;
        socket.send(&prompt(2, "s1", "sleep")).await;
        socket.send(&request(3, "_echo", json!({}))).await;
        socket.message().await;
        if is_orderly {
            socket.close(1000).await;
        }
        drop(socket);
        let times = if is_orderly { 1 } else { 2 };
        agent.says_times("cancelled session/prompt", times).await;
        agent.says_times("connection ended", times).await;
        let said = agent.said().to_lowercase();
        let ends: Vec<_> = said.lines().filter(|line| line.contains("connection ended")).collect();
        if is_orderly {
            assert!(said.contains("closed") && !said.contains("lost"), "{said}");
        } else {
            assert_ne!(ends[0], ends[1], "what breaks off is not closed in order");
        }
    }
}

#[tokio::test]
async fn rule_30_a_foreign_origin() {
    let agent = Agent::start(json!({"origins": ["https://editor.example"]})).await;
    let port = agent.address.rsplit(':').next().unwrap();
    let near = format!("http://evil.example:{port}");
    let foreign = [
        "https://evil.example",
        "null",
        "http://127.0.0.1:1",
        "https://editor.example.evil.example",
        &near,
    ];
    for origin in foreign {
        let refused = Socket::connect(&agent, &[("origin", origin)]).await.err();
        assert_eq!(refused, Some(403), "{origin}");
    }
    let own = format!("http://{}", agent.address);
    for origin in [own.as_str(), "https://editor.example"] {
        assert!(Socket::connect(&agent, &[("origin", origin)]).await.is_ok(), "{origin}");
    }
}

#[tokio::test]
async fn rule_31_a_message_over_the_limit() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    // What serves a program may have a limit of its own, which is higher. Bytes are counted, and
    // not characters.
    for (times, text) in ["y".repeat(1500), "ä".repeat(600)].iter().enumerate() {
        let mut socket = Socket::open(&agent).await;
        socket.send(&request(1, "_echo", json!({"x": text}))).await;
        assert_eq!(socket.told().await, Frame::Closed(Some(1009)));
        agent.says_times("connection ended", times + 1).await;
    }
    let said = agent.said();
    assert!(said.contains("`body`"), "{said}");
}

/// What serves a program may refuse it before that sees it.
#[tokio::test]
async fn rule_31_a_message_far_over_the_limit() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let mut socket = Socket::open(&agent).await;
    socket.send(&judge::of_length(5000)).await;
    assert_eq!(socket.told().await, Frame::Closed(Some(1009)));
    agent.says("connection ended").await;
    assert!(agent.said().contains("`body`"), "{}", agent.said());
}

#[tokio::test]
async fn rule_31_a_message_as_long_as_is_allowed() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let mut socket = Socket::open(&agent).await;
    socket.send(&judge::of_length(1000)).await;
    assert_eq!(socket.message().await["id"], 1);
    socket.send(&judge::of_length(1001)).await;
    assert_eq!(socket.told().await, Frame::Closed(Some(1009)));
}

/// No frame is over the limit, but all together are.
#[tokio::test]
async fn rule_31_a_message_over_the_limit_in_many_frames() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let mut socket = Socket::open(&agent).await;
    socket.send_in_frames(&judge::of_length(1000), 300).await;
    assert_eq!(socket.message().await["id"], 1);
    socket.send_in_frames(&judge::of_length(1500), 300).await;
    assert_eq!(socket.told().await, Frame::Closed(Some(1009)));
    agent.says("connection ended").await;
    assert!(agent.said().contains("`body`"), "{}", agent.said());
}

#[tokio::test]
async fn rule_31_a_first_message_over_the_limit() {
    let agent = Agent::start(json!({"limits": {"body": 1000}})).await;
    let Ok(mut socket) = Socket::connect(&agent, &[]).await else { panic!("it is refused") };
    let long = json!({"protocolVersion": 1, "_meta": {"x": "y".repeat(1500)}});
    socket.send(&request(0, "initialize", long)).await;
    assert_eq!(socket.told().await, Frame::Closed(Some(1009)));
}

#[tokio::test]
async fn rule_31_pings_that_are_answered() {
    let agent = Agent::start(json!({"limits": {"ping": 0.5}})).await;
    let mut socket = Socket::open(&agent).await;
    for _ in 0..4 {
        assert_eq!(socket.frame().await, Frame::Ping);
    }
}

#[tokio::test]
async fn rule_31_pings_come_as_often_as_they_are_wanted() {
    let agent = Agent::start(json!({"limits": {"ping": 0.5}})).await;
    let begin = Instant::now();
    let mut socket = Socket::open(&agent).await;
    for _ in 0..4 {
        assert_eq!(socket.frame().await, Frame::Ping);
    }
    // The first may come at once.
    assert!(begin.elapsed() > Duration::from_millis(1300), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn rule_31_pings_that_are_not_answered() {
    let agent = Agent::start(json!({"limits": {"ping": 0.2}})).await;
    let socket = Socket::open(&agent).await;
    // Nobody reads it, so nobody answers.
    agent.says("connection ended").await;
    drop(socket);
}
