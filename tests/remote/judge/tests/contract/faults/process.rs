//! A client and an agent of the same language, one of which is killed.

use std::time::Duration;

use judge::{Agent, Client};
use serde_json::{Value, json};

use super::agent::{alive, is_as_before};
use super::fails;

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A session is about to be opened again, and has updates.
    Loading,
    /// Nothing happens in a session.
    Idle,
    /// A turn goes on, and nothing comes.
    Waiting,
}

use Stage::{Idle, Loading, Waiting};

/// Starts an agent, and a client that gets to a stage.
async fn start(transport: &str, stage: Stage) -> (Agent, Client, Value) {
    let agent = Agent::start(json!({"limits": {"idle": 8}})).await;
    let before = alive(&agent).await;
    let mut client = match stage {
        Loading => Client::load_in(&agent.url, transport, "/replay/1000000"),
        Idle => Client::start(&agent.url, transport, &["updates 1", "idle"]),
        Waiting => Client::start(&agent.url, transport, &["updates 1", "sleep"]),
    };
    if stage == Loading {
        client.update().await.expect("it goes on");
        return (agent, client, before);
    }
    while client.step().await.expect("it goes on")["step"] != "session/prompt" {}
    if stage == Waiting {
        let waiting = async {
            while alive(&agent).await["handlers"] == before["handlers"] {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        judge::soon("the turn", waiting).await;
    }
    (agent, client, before)
}

/// What waits at a stage.
fn step(stage: Stage) -> &'static str {
    match stage {
        Loading => "session/load",
        Idle => "closed",
        Waiting => "session/prompt",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_killed() {
    let table = [
        ("http", Loading),
        ("http", Idle),
        ("http", Waiting),
        ("websocket", Loading),
        ("websocket", Waiting),
    ];
    super::all(table.map(|(transport, stage)| {
        let run = async move {
            let (mut agent, mut client, _) = start(transport, stage).await;
            agent.kill();
            // Whichever is lost first.
            let word: &[&str] =
                if transport == "http" { &["stream", "request"] } else { &["websocket"] };
            fails(&mut client, step(stage), &[&["connection lost"], word]).await;
        };
        (format!("{transport}, {stage:?}"), run)
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_killed() {
    let table = [("http", Loading), ("http", Waiting), ("websocket", Idle), ("websocket", Waiting)];
    super::all(table.map(|(transport, stage)| {
        let run = async move {
            let (agent, mut client, before) = start(transport, stage).await;
            client.kill();
            is_as_before(&agent, &before, usize::from(stage == Waiting)).await;
        };
        (format!("{transport}, {stage:?}"), run)
    }))
    .await;
}
