//! Faults at every stage of a turn: each end of a connection, while the other end, or what is
//! between them, is cut off or breaks what it sends. Nothing may hang or be left behind, and whoever
//! waits for an answer is told what happened.

mod agent;
mod http;
mod process;
mod websocket;

use std::future::Future;
use std::time::Duration;

use judge::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// How many pairs run at a time.
const AT_A_TIME: usize = 6;

/// How long a pair may take. A net for what hangs, never a measure.
const LIMIT: Duration = Duration::from_secs(25);

/// What nothing that goes wrong in order says.
const ALARMS: [&str; 6] =
    ["left behind", "panicked", "Traceback", "never retrieved", "was destroyed", "Unhandled"];

/// Runs each pair of a stage and a fault, and says which went wrong.
async fn all<F: Future<Output = ()> + Send + 'static>(
    pairs: impl IntoIterator<Item = (String, F)>,
) {
    let mut failed = Vec::new();
    let mut running = JoinSet::new();
    let mut judge = |name: String, ended: Result<Result<(), _>, tokio::task::JoinError>| match ended
    {
        Ok(Ok(())) => {}
        Ok(Err(_)) => failed.push(format!("{name}: it hangs")),
        Err(error) => failed.push(format!("{name}: {error}")),
    };
    // For work on one pair: a part of its name.
    let only = std::env::var("REMOTE_FAULT").unwrap_or_default();
    for (name, pair) in pairs.into_iter().filter(|(name, _)| name.contains(&only)) {
        if running.len() == AT_A_TIME {
            let (name, ended) = running.join_next().await.unwrap().unwrap();
            judge(name, ended);
        }
        running.spawn(async move {
            let pair = tokio::spawn(tokio::time::timeout(LIMIT, pair));
            (name, pair.await)
        });
    }
    while let Some(ended) = running.join_next().await {
        let (name, ended) = ended.unwrap();
        judge(name, ended);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What is wrong with how a client took a fault: it has to fail one step with these words, one of
/// each group, and then end with nothing left behind.
async fn fails(client: &mut Client, step: &str, words: &[&[&str]]) {
    let mut reports = Vec::new();
    while let Some(report) = client.step().await {
        reports.push(report);
    }
    let failure = reports.iter().find(|report| report.get("error").is_some());
    let failure = failure.unwrap_or(&Value::Null);
    assert_eq!(failure["step"], step, "{reports:?}\n{}", client.said());
    let message = failure["error"]["message"].as_str().unwrap_or_default();
    for group in words {
        let said = message.to_lowercase();
        assert!(group.iter().any(|it| said.contains(it)), "`{message}` has none of {group:?}");
    }
    assert!(!message.trim_end().ends_with(':'), "`{message}` gives no cause");
    ends_in_order(client).await;
}

/// Has a client end with nothing left behind.
async fn ends_in_order(client: &mut Client) {
    assert!(client.ended().await.is_some(), "it is killed\n{}", client.said());
    let said = client.said();
    assert!(!ALARMS.iter().any(|alarm| said.contains(alarm)), "{said}");
}

/// Gives what is half on its way the time to come half.
async fn on_its_way() {
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// The question that a client does not answer.
fn never(id: u64) -> Value {
    let option = json!({"optionId": "never", "name": "Never", "kind": "allow_once"});
    json!({
        "jsonrpc": "2.0", "id": id, "method": "session/request_permission",
        "params": {"sessionId": "s-1", "toolCall": {"toolCallId": "t1"}, "options": [option]},
    })
}

/// The question that a client answers at once.
fn read(id: u64) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "fs/read_text_file",
        "params": {"sessionId": "s-1", "path": "/hello.txt"},
    })
}

/// A part of what an agent says.
pub(super) fn update(session: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": session, "update": {
            "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"},
        }},
    })
}
