//! A client that starts a server or connects to a URL, has an agent run, and prints each step as a
//! line of JSON.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use acp::json::Value;
use acp::*;
use serde::Serialize;
use serde_json::json;

#[derive(Clone, Default)]
struct Harness {
    updates: Arc<AtomicUsize>,
    /// Whether the server left before the end.
    is_left: Arc<AtomicBool>,
    is_verbose: bool,
}

impl Client for Harness {
    async fn run_progress(&self, params: RunProgressNotification, _: ClientContext) -> Result<()> {
        self.updates.fetch_add(1, Ordering::Relaxed);
        if self.is_verbose {
            println!("{}", json!({ "update": params.delta }));
        }
        Ok(())
    }
}

impl Harness {
    /// Waits for a step, and prints what came of it.
    async fn step<T: Serialize>(
        &self,
        name: &str,
        step: impl Future<Output = std::result::Result<T, CallError>>,
    ) -> Option<T> {
        self.updates.store(0, Ordering::Relaxed);
        let start = Instant::now();
        let result = step.await;
        let seconds = start.elapsed().as_secs_f64();
        let updates = self.updates.load(Ordering::Relaxed);
        let mut line = json!({ "step": name, "updates": updates, "seconds": seconds });
        match &result {
            Ok(value) => line["result"] = json!(value),
            Err(CallError::Answered(error)) => line["error"] = json!(error),
            Err(error) => line["error"] = json!({ "message": error.to_string() }),
        }
        println!("{line}");
        if result.as_ref().is_err_and(CallError::is_closed) {
            self.is_left.store(true, Ordering::Relaxed);
        }
        result.ok()
    }

    async fn talk(&self, server: &ClientSideConnection) -> bool {
        let client = Implementation::new("harness", "1");
        let request = InitializeRequest::new("2025-06-18", ClientCapabilities::new(), client);
        if self.step("initialize", server.initialize(request)).await.is_none()
            || server.initialized(InitializedNotification::new()).await.is_err()
        {
            return false;
        }
        let request = ListAgentsRequest::new();
        if self.step("agents/list", server.list_agents(request)).await.is_none() {
            return false;
        }
        let prompts = std::env::var("PROMPTS").unwrap_or_default();
        let Ok(Value::Array(prompts)) = serde_json::from_str(&prompts) else { return true };
        for (index, prompt) in prompts.iter().filter_map(Value::as_str).enumerate() {
            let token = ProgressToken::text(format!("t{}", index + 1));
            let request = RunAgentRequest::new("obey", prompt);
            let request = request.meta(RunMeta::new().progress_token(token));
            let step = self.step("agents/run", server.run_agent(request));
            // What waits is woken at once.
            if prompt == "slow" {
                let wake = server.initialized(InitializedNotification::new());
                let (_, woken) = tokio::join!(step, wake);
                if woken.is_err() {
                    return false;
                }
            } else {
                step.await;
            }
        }
        true
    }
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
    let is_verbose = std::env::var("VERBOSE").is_ok_and(|value| value == "1");
    let harness = Harness { is_verbose, ..Harness::default() };
    let connection = if program.contains("://") {
        let connecting = ClientSideConnection::connect(harness.clone(), program.as_str()).await;
        connecting.map_err(std::io::Error::other)?
    } else {
        ClientSideConnection::spawn(harness.clone(), command)?
    };
    let is_complete = harness.talk(&connection).await;
    let is_in_order = is_complete && !harness.is_left.load(Ordering::Relaxed);
    drop(connection);
    std::process::exit(i32::from(!is_in_order));
}
