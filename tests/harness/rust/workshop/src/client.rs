//! A client that starts a server, does what its prompts say, and prints each step, and the state
//! after each change, as a line of JSON.

mod observed;

use std::process::Command;
use std::sync::{Arc, Mutex};

use acp::json::Value;
use acp::*;
use serde::Serialize;
use serde_json::json;

#[derive(Clone, Default)]
struct Harness {
    state: Arc<Mutex<ChangeState>>,
}

impl Client for Harness {
    async fn confirm(&self, _: ConfirmRequest, context: ClientContext) -> Result<ConfirmResponse> {
        context.cancelled().await;
        Err(RequestError::request_cancelled())
    }

    async fn check(&self, _: CheckRequest, _: ClientContext) -> Result<CheckResponse> {
        Ok(CheckResponse::new())
    }

    async fn piece(&self, params: PieceNotification, _: ClientContext) -> Result<()> {
        println!("{}", json!({ "handled": params }));
        Ok(())
    }

    async fn change(&self, params: ChangeNotification, _: ClientContext) -> Result<()> {
        let mut state = self.state.lock().unwrap();
        let is_changed = match &params.change {
            Change::TurnOver => state.turn_cancelled(),
            change => state.apply(change),
        };
        let tasks: Vec<_> = state.tasks.values().collect();
        let pages: Vec<_> = state.pages.values().collect();
        let state = json!({
            "tasks": tasks,
            "pages": pages,
            "mode": state.mode.as_slice(),
            "info": state.info.as_slice(),
        });
        println!("{}", json!({ "changed": is_changed, "state": state }));
        Ok(())
    }
}

/// Waits for a step, and prints what came of it.
async fn step<T: Serialize>(
    name: &str,
    step: impl Future<Output = std::result::Result<T, CallError>>,
) -> Option<T> {
    let result = step.await;
    let outcome = match &result {
        Ok(value) => json!({ "step": name, "result": value }),
        Err(CallError::Answered(error)) => json!({ "step": name, "error": error }),
        Err(error) => json!({ "step": name, "error": { "message": error.to_string() } }),
    };
    println!("{outcome}");
    result.ok()
}

async fn talk(server: &ClientSideConnection, prompts: &[Value]) -> bool {
    let mut prompts = prompts.iter().filter_map(Value::as_str).peekable();
    let abilities = Abilities::new().pictures(true);
    let is_boasting = prompts.next_if_eq(&"boast").is_some();
    let abilities = if is_boasting { abilities.drawing(true) } else { abilities };
    let hello = HelloRequest::new(PROTOCOL_VERSION).abilities(abilities);
    if step("hello", server.hello(hello)).await.is_none() && !is_boasting {
        return false;
    }
    for prompt in prompts {
        let (word, job) = prompt.split_once(' ').unwrap_or((prompt, "a"));
        match word {
            "run" => {
                let run = RunRequest::new(job, vec![Block::from("hi")]);
                step("job/run", server.run(run)).await;
            }
            "picture" => {
                let run = RunRequest::new(job, vec![Block::from("hi"), Block::picture("p")]);
                step("job/run", server.run(run)).await;
            }
            "chunk" => {
                let run = RunRequest::new(job, vec![Block::from("hi")]).entry(Entry::chunk("hi"));
                step("job/run", server.run(run)).await;
            }
            "folder" => {
                let run = RunRequest::new(job, vec![Block::from("hi")]).folder("f");
                step("job/run", server.run(run)).await;
            }
            "read" => {
                step("read", server.read(ReadRequest::new("p"))).await;
            }
            "save" => {
                step("save", server.save(SaveRequest::new("t"))).await;
            }
            "stop" => {
                let job = StopNotificationJob::String(job.to_owned());
                step("job/stop", async { server.stop(StopNotification::new(job)).await }).await;
            }
            "drop" => {
                step("job/drop", server.drop(DropRequest::new(job))).await;
            }
            "relay" => {
                step("relay/start", server.relay().start_relay(StartRelayRequest::new(job))).await;
            }
            "version" => {
                println!("{}", json!({ "step": word, "result": server.protocol_version() }));
            }
            "copy" => copy(server).await,
            "door" => door(server).await,
            _ => {}
        }
    }
    true
}

/// Has a text copied, and prints each piece of it.
async fn copy(server: &ClientSideConnection) {
    let mut copying = server.copy_streamed(CopyRequest::new("f"));
    while let Some(piece) = copying.next().await {
        println!("{}", json!({ "piece": piece }));
    }
    step("copy", async { copying.finish().await.map(|copied| copied.result) }).await;
}

/// Opens a door, does all that can be done with one, and shuts it.
async fn door(server: &ClientSideConnection) {
    let Ok(door) = DoorHandle::create(server, OpenDoorRequest::new("h")).await else { return };
    println!("{}", json!({ "step": "door/open", "result": door.door_id }));
    step("door/look", door.look()).await;
    step("door/paint", door.paint("red")).await;
    step("door/shut", door.release()).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--").collect();
    let Some((program, arguments)) = arguments.split_first() else {
        eprintln!("usage: client -- COMMAND…");
        std::process::exit(2);
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let prompts = std::env::var("PROMPTS").unwrap_or_default();
    let prompts: Vec<Value> = serde_json::from_str(&prompts).unwrap_or_default();
    let connection = ClientSideConnection::spawn_with_options(
        Harness::default(),
        command,
        observed::options(),
    )?;
    let is_complete = talk(&connection, &prompts).await;
    drop(connection);
    std::process::exit(i32::from(!is_complete));
}
