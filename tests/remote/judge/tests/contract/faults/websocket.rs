//! A client over a WebSocket whose server fails at a stage of a turn.

use judge::{Asked, Client, Scripted, Upgraded};
use serde_json::{Value, json};

use super::{all, ends_in_order, fails, never, on_its_way, read, update};
use crate::client::result;

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The opening is not answered.
    Opening,
    /// A call of the connection waits for its answer.
    Opened,
    /// A session is about to be opened.
    Creating,
    /// A session is about to be opened again, and has an update.
    Loading,
    /// Nothing happens in a session.
    Idle,
    /// A prompt has updates.
    Running,
    /// The client has a question.
    Asked,
    /// The client has answered one.
    Answered,
    /// The client has closed the socket.
    Closing,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The connection of TCP is closed.
    Cut,
    /// It is reset, and nobody listens any more.
    Dead,
    /// It is closed within a frame.
    HalfFrame,
    /// The socket is closed because the server leaves.
    Away,
    /// The socket is closed because of an error.
    Broken,
    /// There is no answer.
    Silence,
}

use Fault::{Away, Broken, Cut, Dead, HalfFrame, Silence};

const LOST: &[&str] = &["connection lost"];
const SOCKET: &[&str] = &["websocket"];

/// Which call fails at a stage.
const TABLE: [(Stage, &str); 8] = [
    (Stage::Opening, "initialize"),
    (Stage::Opened, "authenticate"),
    (Stage::Creating, "session/new"),
    (Stage::Loading, "session/load"),
    (Stage::Idle, "closed"),
    (Stage::Running, "session/prompt"),
    (Stage::Asked, "session/prompt"),
    (Stage::Answered, "session/prompt"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_websocket_fails() {
    let each = TABLE.into_iter().flat_map(|(stage, step)| {
        [Cut, Dead, HalfFrame, Away, Broken].map(|fault| (stage, fault, step))
    });
    let shut = [Cut, Dead, Silence].map(|fault| (Stage::Closing, fault, ""));
    let all_pairs = each.chain(shut);
    all(all_pairs
        .map(|(stage, fault, step)| (format!("{stage:?}, {fault:?}"), run(stage, fault, step))))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_fails() {
    all([Cut, Dead].map(|fault| (format!("{fault:?}"), shake_hands(fault)))).await;
}

/// The handshake is not answered: there is no connection, and the program says so.
async fn shake_hands(fault: Fault) {
    let mut server = server(fault).await;
    let mut client = Client::start(&server.url, "websocket", &["hi"]);
    let asked: Asked = server.asked().await;
    assert!(asked.is_upgrade());
    if fault == Dead {
        server.die()
    } else {
        server.cut()
    }
    let mut said = String::new();
    while let Some(report) = client.step().await {
        said.push_str(report["error"]["message"].as_str().unwrap_or_default());
    }
    assert_ne!(client.ended().await, Some(0));
    said.push_str(&client.said());
    let told = said.to_lowercase();
    assert!(told.contains("connection lost") && told.contains("websocket"), "{said}");
    ends_in_order(&mut client).await;
}

async fn server(fault: Fault) -> Scripted {
    if fault == Dead { Scripted::abrupt().await } else { Scripted::start().await }
}

async fn run(stage: Stage, fault: Fault, step: &'static str) {
    let mut server = server(fault).await;
    let mut client = match stage {
        Stage::Loading => Client::load(&server.url, "websocket", "s-1", &[]),
        Stage::Idle => Client::start(&server.url, "websocket", &["hi", "idle"]),
        Stage::Closing => Client::start(&server.url, "websocket", &[]),
        _ => Client::start(&server.url, "websocket", &["hi"]),
    };
    let asked = server.asked().await;
    let mut socket = asked.upgrade(&[("acp-connection-id", "c-1")]).await;
    let next = reach(stage, &mut socket, &mut client).await;
    let failing = fail(fault, &server, socket, &next);
    let judged = async {
        if stage == Stage::Closing {
            return ends_in_order(&mut client).await;
        }
        let details: &[&str] = match fault {
            Away => &["1001"],
            Broken => &["1011"],
            _ => &["closed", "broke", "reset", "1006", "without", "failed"],
        };
        fails(&mut client, step, &[LOST, SOCKET, details]).await;
        if stage == Stage::Asked {
            let said = client.said();
            assert!(said.contains("cancelled session/request_permission"), "{said}");
        }
    };
    let failing = async {
        failing.await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = judged => {}
        () = failing => {}
    }
    assert!(server.is_asked().is_none(), "it connects again");
}

/// Goes on up to a stage, and gives the message that would come next.
async fn reach(stage: Stage, socket: &mut Upgraded, client: &mut Client) -> Value {
    let open = json!({
        "protocolVersion": 1,
        "authMethods": [{"id": "none", "name": "None"}],
        "agentCapabilities": {"loadSession": true},
    });
    let new = if stage == Stage::Loading { json!({}) } else { json!({"sessionId": "s-1"}) };
    let steps = [
        (Stage::Opening, open),
        (Stage::Opened, json!({})),
        (Stage::Creating, new),
        (Stage::Running, json!({"stopReason": "end_turn"})),
    ];
    for (at, answer) in steps {
        if at == Stage::Running && stage == Stage::Closing {
            assert_eq!(socket.message().await, None);
            return Value::Null;
        }
        let asked = socket.message().await.expect("the client goes on");
        let answer = result(&asked, answer);
        if at == stage {
            if at == Stage::Running {
                socket.send(&update("s-1")).await;
            }
            return answer;
        }
        match (at, stage) {
            (Stage::Creating, Stage::Loading) => {
                socket.send(&update("s-1")).await;
                return answer;
            }
            (Stage::Running, Stage::Asked) => {
                socket.send(&never(7)).await;
                client.says("asked session/request_permission").await;
                return answer;
            }
            (Stage::Running, Stage::Answered) => {
                socket.send(&read(7)).await;
                assert_eq!(socket.message().await.unwrap()["id"], 7);
                return answer;
            }
            _ => socket.send(&answer).await,
        }
    }
    while client.step().await.unwrap()["step"] != "session/prompt" {}
    update("s-1")
}

async fn fail(fault: Fault, server: &Scripted, mut socket: Upgraded, next: &Value) {
    match fault {
        Cut => drop(socket),
        Dead => {
            server.die();
            drop(socket);
        }
        HalfFrame => {
            socket.send_half(next).await;
            on_its_way().await;
            drop(socket);
        }
        Away => socket.close_for(1001, "restart").await,
        Broken => socket.close_for(1011, "it broke").await,
        Silence => socket.hold().await,
    }
}
