//! Rule 40, and the order of messages.

use hyper::StatusCode;
use judge::{Agent, Client, open, prompt, text_of};
use serde_json::json;

#[tokio::test]
async fn rule_40_messages_stay_in_their_connection() {
    let agent = Agent::start(json!({})).await;
    let (one, two) = (open(&agent).await, open(&agent).await);
    let (mut of_one, mut of_two) = (one.stream().await, two.stream().await);
    // Both have a session of the same name.
    let session = one.new_session(1, &mut of_one).await;
    assert_eq!(two.new_session(1, &mut of_two).await, session);
    let (mut first, mut second) = (one.session(&session).await, two.session(&session).await);
    one.send(&prompt(2, &session, "updates 5")).await;
    two.send(&prompt(3, &session, "updates 2")).await;
    for (events, count, id) in [(&mut first, 5, 2), (&mut second, 2, 3)] {
        for _ in 0..count {
            assert_eq!(events.message().await.unwrap()["method"], "session/update");
        }
        assert_eq!(events.message().await.unwrap()["id"], json!(id));
    }
    // One ends; the other goes on.
    one.delete().await;
    while first.message().await.is_some() {}
    two.send(&prompt(4, &session, "updates 1")).await;
    assert_eq!(second.message().await.unwrap()["method"], "session/update");
    assert_eq!(second.message().await.unwrap()["id"], 4);
}

#[tokio::test]
async fn rule_40_another_reader_is_not_told_again() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    opened.send(&prompt(2, &session, "updates 3")).await;
    while events.message().await.unwrap()["id"] != json!(2) {}
    drop(events);
    let mut answer = opened.get(Some(&session)).await;
    while answer.status == StatusCode::CONFLICT {
        // The first is not gone yet.
        tokio::task::yield_now().await;
        answer = opened.get(Some(&session)).await;
    }
    let mut events = answer.events();
    opened.send(&prompt(3, &session, "hi")).await;
    assert_eq!(events.message().await.unwrap()["id"], 3);
}

/// What is said of the new session is handled before the call resolves.
#[tokio::test]
async fn a_client_opens_a_session_in_another() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 2}})).await;
    for transport in ["http", "websocket"] {
        let mut client = Client::start(&agent.url, transport, &["branch", "updates 3", "branch"]);
        let mut steps = Vec::new();
        while let Some(report) = client.step().await {
            assert!(report.get("error").is_none(), "{report}");
            steps.push(format!("{} {}", report["step"].as_str().unwrap(), report["updates"]));
        }
        let opened = ["initialize 0", "authenticate 0", "session/new 0"];
        let branched = ["session/branch 1", "session/prompt 3", "session/branch 1"];
        assert_eq!(steps, [opened, branched].concat(), "{transport}");
    }
}

#[tokio::test]
async fn many_updates_come_once_and_in_order() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    opened.send(&prompt(2, &session, "later 2000")).await;
    let mut next = 0;
    while next < 2000 {
        let message = events.message().await.unwrap();
        if let Some(text) = text_of(&message) {
            assert_eq!(text, next.to_string());
            next += 1;
        }
    }
}

#[tokio::test]
async fn a_slow_reader_bounds_memory() {
    let agent = Agent::start(json!({"limits": {"buffered": 1_000_000}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    let before = agent.peak_memory();
    // 400 MB, if nobody waited.
    opened.send(&prompt(2, &session, "updates 20000 20000")).await;
    for _ in 0..50 {
        events.message().await.unwrap();
    }
    // It may go on for as long as it takes to be stopped.
    let mut memory = None;
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        if agent.peak_memory() == memory {
            break;
        }
        memory = agent.peak_memory();
    }
    if let (Some(before), Some(after)) = (before, agent.peak_memory()) {
        assert!(after < before + 100, "{before} MiB before, {after} MiB after");
    }
    // It goes on where it was.
    for _ in 0..500 {
        assert_eq!(events.message().await.unwrap()["method"], "session/update");
    }
}
