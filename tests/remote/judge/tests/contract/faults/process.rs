//! A client and an agent of the same language, one of which is killed while a turn goes on.

use std::time::Duration;

use judge::{Agent, Client};
use serde_json::{Value, json};

use super::agent::{alive, is_as_before};
use super::fails;

/// Starts an agent, and a client that waits for an answer.
async fn start(transport: &str) -> (Agent, Client, Value) {
    let agent = Agent::start(json!({"limits": {"idle": 4}})).await;
    let before = alive(&agent).await;
    let mut client = Client::start(&agent.url, transport, &["updates 1", "sleep"]);
    while client.step().await.expect("it goes on")["step"] != "session/prompt" {}
    let waiting = async {
        while alive(&agent).await["handlers"] == before["handlers"] {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    judge::soon("the turn", waiting).await;
    (agent, client, before)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_killed() {
    for (transport, word) in [("http", "stream"), ("websocket", "websocket")] {
        let (mut agent, mut client, _) = start(transport).await;
        agent.kill();
        fails(&mut client, "session/prompt", &[&["connection lost"], &[word]]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_killed() {
    for transport in ["http", "websocket"] {
        let (agent, mut client, before) = start(transport).await;
        client.kill();
        is_as_before(&agent, &before, 1).await;
    }
}
