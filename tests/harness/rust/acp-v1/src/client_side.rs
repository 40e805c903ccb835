//! What clients of the harness do: they talk with an agent, and print each step as a line of JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use acp::json::Value;
use acp::*;
use serde::Serialize;
use serde_json::json;

#[derive(Clone, Default)]
pub struct Harness {
    updates: Arc<AtomicUsize>,
    /// Whether the agent left before the end.
    is_left: Arc<AtomicBool>,
    is_verbose: bool,
}

/// How many prompts are sent before the others, of which nothing is printed.
fn round_trips() -> usize {
    std::env::var("ROUND_TRIPS").ok().and_then(|it| it.parse().ok()).unwrap_or_default()
}

/// Whether an update is to be handled slowly.
fn is_nap(update: &SessionUpdate) -> bool {
    let SessionUpdate::AgentMessageChunk(chunk) = update else { return false };
    matches!(&chunk.content, ContentBlock::Text(text) if text.text == "nap")
}

impl Client for Harness {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        self.updates.fetch_add(1, Ordering::Relaxed);
        if is_nap(&params.update) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if self.is_verbose {
            println!("{}", json!({ "update": params.update }));
        }
        Ok(())
    }

    async fn request_permission(
        &self,
        params: RequestPermissionRequest,
        context: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        if params.options.iter().any(|it| json!(it.option_id) == "never") {
            eprintln!("asked {}", methods::REQUEST_PERMISSION);
            context.cancelled().await;
            eprintln!("cancelled {}", methods::REQUEST_PERMISSION);
        }
        let outcome = match params.options.into_iter().next() {
            Some(option) => json!({ "outcome": "selected", "optionId": option.option_id }),
            None => json!({ "outcome": "cancelled" }),
        };
        let outcome = json::decode::<RequestPermissionOutcome>(&outcome.to_string())?;
        Ok(RequestPermissionResponse::new(outcome))
    }

    async fn read_text_file(
        &self,
        _: ReadTextFileRequest,
        _: ClientContext,
    ) -> Result<ReadTextFileResponse> {
        Ok(ReadTextFileResponse::new("hello"))
    }
}

impl Harness {
    /// Talks with an agent. Says whether all went in order.
    pub async fn converse(&self, connection: &ClientSideConnection) -> bool {
        let is_complete = self.talk(connection).await;
        is_complete && !self.is_left.load(Ordering::Relaxed)
    }

    pub fn new() -> Self {
        let is_verbose = std::env::var("VERBOSE").is_ok_and(|value| value == "1");
        Self { is_verbose, ..Self::default() }
    }

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

    async fn talk(&self, connection: &ClientSideConnection) -> bool {
        let capabilities = json!({ "fs": { "readTextFile": true, "writeTextFile": false } });
        let Ok(capabilities) = json::decode::<ClientCapabilities>(&capabilities.to_string()) else {
            return false;
        };
        let request = InitializeRequest::new(1).client_capabilities(capabilities);
        let Some(response) = self.step("initialize", connection.initialize(request)).await else {
            return false;
        };
        let methods = json!(response.auth_methods);
        let method = methods[0]["id"].as_str().unwrap_or("none").to_owned();
        let request = AuthenticateRequest::new(method);
        self.step("authenticate", connection.authenticate(request)).await;
        let mut session = None;
        if let Ok(known) = std::env::var("LOAD") {
            let folder = std::env::var("FOLDER").unwrap_or_else(|_| "/replay/3".to_owned());
            let request = LoadSessionRequest::new(Vec::new(), folder, known.as_str());
            let load = self.step("session/load", connection.load_session(request));
            let early = async {
                if std::env::var("EARLY").is_ok_and(|it| it == "1") {
                    let prompt = vec![ContentBlock::text("early")];
                    let request = PromptRequest::new(known.as_str(), prompt);
                    self.step("session/prompt", connection.prompt(request)).await;
                }
            };
            let (loaded, ()) = tokio::join!(load, early);
            session = loaded.map(|_| SessionId::from(known));
        }
        if session.is_none() {
            let request = NewSessionRequest::new("/", Vec::new());
            let step = self.step("session/new", connection.new_session(request));
            session = step.await.map(|it| it.session_id);
        }
        let Some(mut session) = session else { return false };
        for _ in 0..round_trips() {
            let prompt = vec![ContentBlock::text("updates 0")];
            if connection.prompt(PromptRequest::new(&session, prompt)).await.is_err() {
                return false;
            }
        }
        let prompts = std::env::var("PROMPTS").unwrap_or_default();
        let Ok(Value::Array(prompts)) = serde_json::from_str(&prompts) else { return true };
        for prompt in prompts.iter().filter_map(Value::as_str) {
            if prompt == "idle" {
                self.step("closed", connection.closed()).await;
                continue;
            }
            if prompt == "branch" {
                let request = BranchSessionRequest::new(&session, "/early");
                let step = self.step("session/branch", connection.branch_session(request)).await;
                let Some(branch) = step else { return false };
                session = branch.session_id;
                continue;
            }
            // What waits to be cancelled is cancelled at once.
            let is_slow = prompt == "slow";
            let prompt = vec![ContentBlock::text(prompt)];
            let request = PromptRequest::new(&session, prompt);
            let step = self.step("session/prompt", connection.prompt(request));
            if is_slow {
                let cancel = CancelNotification::new(&session);
                let (_, cancelled) = tokio::join!(step, connection.cancel(cancel));
                if cancelled.is_err() {
                    return false;
                }
            } else {
                step.await;
            }
        }
        true
    }
}
