//! An agent whose client fails at a stage of a turn. Its handlers are cancelled, it serves others, and
//! in the end has as much to do as before.

use std::sync::Arc;
use std::time::Duration;

use judge::{Agent, Events, Http, Opened, Proxy, Socket, load, new_session, prompt, request, soon};
use serde_json::{Value, json};

use super::{all, on_its_way};

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The opening is on its way.
    Opening,
    /// The connection is open.
    Opened,
    /// A session is about to be opened.
    Creating,
    /// A session is about to be opened again, and has updates.
    Loading,
    /// Nothing happens in a session.
    Idle,
    /// A prompt is on its way.
    Posting,
    /// A prompt has updates.
    Running,
    /// A prompt goes on without any.
    Waiting,
    /// The client has a question.
    Asked,
    /// The client's answer is on its way.
    Answering,
    /// The connection is about to be closed.
    Closing,
}

use Stage::{
    Answering, Asked, Closing, Creating, Idle, Loading, Opened as IsOpened, Opening, Posting,
    Running, Waiting,
};

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The connections of TCP are closed.
    Cut,
    /// They are reset.
    Reset,
    /// What is on its way is broken off.
    BrokenOff,
    /// The session's stream is left.
    SessionLeft,
    /// The connection's stream is left.
    ConnectionLeft,
}

use Fault::{BrokenOff, ConnectionLeft, Cut, Reset, SessionLeft};

/// Every stage; at some of them something is half on its way.
const STAGES: [Stage; 11] = [
    Opening, IsOpened, Creating, Loading, Idle, Posting, Running, Waiting, Asked, Answering,
    Closing,
];

/// What else fails over HTTP.
const PARTS: [(Stage, Fault); 8] = [
    (Opening, BrokenOff),
    (Posting, BrokenOff),
    (Answering, BrokenOff),
    (Idle, SessionLeft),
    (Idle, ConnectionLeft),
    (Waiting, SessionLeft),
    (Waiting, ConnectionLeft),
    (Asked, SessionLeft),
];

/// Whether a turn goes on at a stage which only hears of the end by being cancelled.
fn has_turn(stage: Stage) -> bool {
    matches!(stage, Waiting | Closing)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_over_http_fails() {
    let agent = start().await;
    let before = alive(&agent).await;
    let cuts = STAGES.into_iter().flat_map(|stage| [(stage, Cut), (stage, Reset)]);
    let table: Vec<_> = cuts.chain(PARTS).collect();
    let turns = table.iter().filter(|(stage, _)| has_turn(*stage)).count();
    all(table.into_iter().map(|(stage, fault)| {
        (format!("{stage:?}, {fault:?}"), over_http(Arc::clone(&agent), stage, fault))
    }))
    .await;
    is_as_before(&agent, &before, turns).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_over_websocket_fails() {
    let agent = start().await;
    let before = alive(&agent).await;
    let table: Vec<_> =
        STAGES.into_iter().flat_map(|stage| [(stage, Cut), (stage, Reset)]).collect();
    let turns = table.iter().filter(|(stage, _)| has_turn(*stage)).count();
    all(table.into_iter().map(|(stage, fault)| {
        (format!("{stage:?}, {fault:?}"), over_websocket(Arc::clone(&agent), stage, fault))
    }))
    .await;
    is_as_before(&agent, &before, turns).await;
}

/// An agent that notices soon that a client is gone, but not that a busy machine makes it wait.
async fn start() -> Arc<Agent> {
    Arc::new(Agent::start(json!({"limits": {"idle": 8}})).await)
}

/// How much an agent has to do.
pub(super) async fn alive(agent: &Agent) -> Value {
    let mut socket = Socket::open(agent).await;
    socket.send(&request(1, "_alive", json!({}))).await;
    let answer = socket.message().await["result"].clone();
    assert!(answer["tasks"].is_u64(), "{answer}");
    socket.close(1000).await;
    answer
}

/// Waits until an agent has cancelled so many turns, and has as much to do as before.
pub(super) async fn is_as_before(agent: &Agent, before: &Value, turns: usize) {
    agent.says_times("cancelled session/prompt", turns).await;
    let mut last = Value::Null;
    let settling = async {
        loop {
            last = alive(agent).await;
            if last == *before {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let settled = tokio::time::timeout(judge::PATIENCE, settling).await;
    assert!(settled.is_ok(), "before: {before}, after: {last}\n{}", agent.said());
    let said = agent.said();
    assert!(!super::ALARMS.iter().any(|alarm| said.contains(alarm)), "{said}");
}

/// The answer to a question.
fn answer(question: &Value) -> Value {
    let outcome = json!({"outcome": {"outcome": "selected", "optionId": "yes"}});
    json!({"jsonrpc": "2.0", "id": question["id"], "result": outcome})
}

async fn over_http(agent: Arc<Agent>, stage: Stage, fault: Fault) {
    let proxy = Proxy::to(&agent, fault == Reset).await;
    let http = Http::to(&proxy.url);
    if stage == Opening {
        let half = http.half(&[], &judge::initialize());
        on_its_way().await;
        return if fault == BrokenOff { half.abort() } else { proxy.cut() };
    }
    let opened = Opened::over(http, &[]).await;
    let mut stream = opened.stream().await;
    let mut session = None;
    let mut half = None;
    match stage {
        IsOpened => {}
        Creating => opened.send(&new_session(1)).await,
        Loading => {
            let (get, ()) = tokio::join!(
                opened.session("old"),
                opened.send_after(load(1, "old", "/replay/100000")),
            );
            let get = session.insert(get);
            assert!(get.message().await.is_some());
        }
        _ => {
            let name = opened.new_session(1, &mut stream).await;
            let events = session.insert(opened.session(&name).await);
            half = turn(&opened, stage, &name, events).await;
        }
    }
    if let Some(half) = half.filter(|_| fault == BrokenOff) {
        half.abort();
        return is_deleted(&opened).await;
    }
    match fault {
        SessionLeft => {
            drop(session);
            // The connection goes on.
            opened.send(&request(9, "_echo", json!({}))).await;
            let answer = stream.message().await.expect("it goes on");
            assert_eq!(answer["id"], 9, "{answer}");
            is_deleted(&opened).await;
        }
        ConnectionLeft => {
            drop(stream);
            is_deleted(&opened).await;
        }
        _ => proxy.cut(),
    }
}

/// Goes on to a stage of a turn. Gives what is half on its way.
async fn turn(
    opened: &Opened,
    stage: Stage,
    name: &str,
    events: &mut Events,
) -> Option<tokio::task::AbortHandle> {
    let half = match stage {
        Posting => opened.half(&prompt(2, name, "sleep")),
        Running => {
            opened.send(&prompt(2, name, "updates 1000000 100")).await;
            assert!(events.message().await.is_some());
            return None;
        }
        Asked | Answering => {
            opened.send(&prompt(2, name, "perm")).await;
            let question = events.message().await.expect("it asks");
            assert_eq!(question["method"], "session/request_permission");
            if stage == Asked {
                return None;
            }
            let headers = [("acp-connection-id", opened.id.as_str()), ("acp-session-id", name)];
            opened.http.half(&headers, &answer(&question))
        }
        Waiting | Closing => {
            opened.send(&prompt(2, name, "sleep")).await;
            if stage == Closing {
                is_deleted(opened).await;
            }
            return None;
        }
        _ => return None,
    };
    on_its_way().await;
    Some(half)
}

/// Closes a connection.
async fn is_deleted(opened: &Opened) {
    assert_eq!(opened.delete().await.status, hyper::StatusCode::ACCEPTED);
}

async fn over_websocket(agent: Arc<Agent>, stage: Stage, fault: Fault) {
    let proxy = Proxy::to(&agent, fault == Reset).await;
    if stage == Opening {
        let Ok(mut socket) = Socket::to(&proxy.url, &[]).await else { panic!("it is refused") };
        socket.send_half(&judge::initialize()).await;
        return proxy.cut();
    }
    let mut socket = Socket::open_at(&proxy.url).await;
    match stage {
        IsOpened => {}
        Creating => socket.send(&new_session(1)).await,
        Loading => {
            socket.send(&load(1, "old", "/replay/100000")).await;
            assert!(socket.message().await["params"].is_object());
        }
        _ => {
            socket.send(&new_session(1)).await;
            let session = socket.message().await["result"]["sessionId"].clone();
            let name = session.as_str().expect("it is a session").to_owned();
            match stage {
                Posting => socket.send_half(&prompt(2, &name, "sleep")).await,
                Running => {
                    socket.send(&prompt(2, &name, "updates 1000000 100")).await;
                    assert!(socket.message().await["params"].is_object());
                }
                Asked | Answering => {
                    socket.send(&prompt(2, &name, "perm")).await;
                    let question = socket.message().await;
                    assert_eq!(question["method"], "session/request_permission");
                    if stage == Answering {
                        socket.send_half(&answer(&question)).await;
                    }
                }
                Waiting | Closing => {
                    socket.send(&prompt(2, &name, "sleep")).await;
                    socket.send(&request(9, "_echo", json!({}))).await;
                    soon("the answer", async { while socket.message().await["id"] != 9 {} }).await;
                    if stage == Closing {
                        socket.close(1001).await;
                    }
                }
                _ => {}
            }
        }
    }
    on_its_way().await;
    proxy.cut();
}
