//! What agents of the harness do: what their prompts say.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use acp::json::Value;
use acp::*;
use serde_json::json;
use tokio::sync::Notify;

/// How many agents there are, and how many of their turns.
static AGENTS: AtomicUsize = AtomicUsize::new(0);
static TURNS: AtomicUsize = AtomicUsize::new(0);

pub struct Harness {
    /// Whether to say on standard error what was cancelled.
    is_loud: bool,
    /// Rings when a session's prompt is cancelled.
    cancelled: Mutex<HashMap<SessionId, Arc<Notify>>>,
    sessions: AtomicUsize,
}

impl Harness {
    /// An agent that says on standard error what was cancelled.
    #[allow(dead_code, reason = "others say nothing")]
    pub fn loud() -> Self {
        let mut harness = Self::default();
        harness.is_loud = true;
        harness
    }

    /// Makes a session. `/early` says something of it first; `/early/refuse` then refuses it.
    async fn begin(&self, folder: &str, context: AgentContext) -> Result<String> {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("s{number}");
        if folder.starts_with("/early") {
            let session = SessionId::new(name.clone());
            Turn { session: &session, client: context.client() }.say("early".to_owned()).await?;
        }
        if folder.ends_with("/refuse") {
            return Err(RequestError::new(-32002, "Resource not found"));
        }
        Ok(name)
    }

    fn bell(&self, session: &SessionId) -> Arc<Notify> {
        let mut cancelled = self.cancelled.lock().unwrap();
        Arc::clone(cancelled.entry(session.clone()).or_default())
    }
}

impl Default for Harness {
    fn default() -> Self {
        AGENTS.fetch_add(1, Ordering::Relaxed);
        Self { is_loud: false, cancelled: Mutex::default(), sessions: AtomicUsize::new(0) }
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        AGENTS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Agent for Harness {
    async fn initialize(
        &self,
        request: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        if request.client_info.as_ref().is_some_and(|it| it.name == "sleep") {
            context.cancelled().await;
        }
        let method = json!({ "id": "none", "name": "none" });
        let method = json::decode::<AuthMethod>(&method.to_string())?;
        // Whatever was asked for: the connection knows better.
        let capabilities = json!({ "loadSession": true });
        let capabilities = json::decode::<AgentCapabilities>(&capabilities.to_string())?;
        let response = InitializeResponse::new(request.protocol_version);
        Ok(response.auth_methods(vec![method]).agent_capabilities(capabilities))
    }

    async fn authenticate(
        &self,
        _: AuthenticateRequest,
        _: AgentContext,
    ) -> Result<AuthenticateResponse> {
        Ok(AuthenticateResponse::new())
    }

    async fn new_session(
        &self,
        request: NewSessionRequest,
        context: AgentContext,
    ) -> Result<NewSessionResponse> {
        Ok(NewSessionResponse::new(self.begin(&request.cwd, context).await?))
    }

    async fn branch_session(
        &self,
        request: BranchSessionRequest,
        context: AgentContext,
    ) -> Result<BranchSessionResponse> {
        Ok(BranchSessionResponse::new(self.begin(&request.cwd, context).await?))
    }

    async fn load_session(
        &self,
        request: LoadSessionRequest,
        context: AgentContext,
    ) -> Result<LoadSessionResponse> {
        if request.cwd == "/refuse" {
            return Err(RequestError::new(-32002, "Resource not found"));
        }
        let count = request.cwd.strip_prefix("/replay/").and_then(|count| count.parse().ok());
        let turn = Turn { session: &request.session_id, client: context.client() };
        if request.cwd == "/ask" {
            turn.permission().await?;
        }
        turn.numbers(count.unwrap_or_default()).await?;
        Ok(LoadSessionResponse::new())
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        let _report = Report::new(context.clone(), self.is_loud);
        let text = request.prompt.iter().find_map(|block| match block {
            ContentBlock::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        let number = |at: usize, default: usize| {
            words.get(at).and_then(|word| word.parse().ok()).unwrap_or(default)
        };
        let turn = Turn { session: &request.session_id, client: context.client() };
        match words.first().copied().unwrap_or_default() {
            "updates" => turn.updates(number(1, 1), number(2, 20)).await?,
            "later" => {
                let (session, client) = (request.session_id.clone(), context.client());
                let count = number(1, 1);
                tokio::spawn(async move { Turn { session: &session, client }.numbers(count).await });
            }
            "fs" => turn.files(number(1, 1)).await?,
            "perm" => turn.permission().await?,
            "together" => turn.together(number(1, 2)).await?,
            "throw" => return Err(RequestError::unexpected(std::io::Error::other("thrown"))),
            "throwcode" => {
                return Err(RequestError::new(-32042, "custom").data(json!({ "x": 1 })));
            }
            "panic" => panic!("this handler panics"),
            "drop" => {
                // The nearest thing in Rust: whoever was to give the answer is gone without it.
                let (sender, receiver) = tokio::sync::oneshot::channel();
                drop(sender);
                return receiver.await.map_err(|_| RequestError::internal_error());
            }
            "slow" => {
                let bell = self.bell(&request.session_id);
                tokio::select! {
                    () = context.cancelled() => {}
                    () = bell.notified() => {}
                }
                return Ok(PromptResponse::new(StopReason::Cancelled));
            }
            "sleep" => {
                context.cancelled().await;
                return Err(RequestError::request_cancelled());
            }
            "spoil" => {
                context.cancelled().await;
                return Err(RequestError::new(-32042, "custom"));
            }
            "bad" => turn.bad().await?,
            _ => {}
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }

    async fn cancel(&self, notification: CancelNotification, _: AgentContext) -> Result<()> {
        self.bell(&notification.session_id).notify_waiters();
        Ok(())
    }

    async fn ext_method(&self, method: String, params: Value, _: AgentContext) -> Result<Value> {
        match method.as_str() {
            "_echo" => Ok(json!({ "echoed": params })),
            "_alive" => Ok(json!({
                "connections": AGENTS.load(Ordering::Relaxed),
                "handlers": TURNS.load(Ordering::Relaxed),
                "tasks": tokio::runtime::Handle::current().metrics().num_alive_tasks(),
            })),
            _ => Err(RequestError::method_not_found(&method)),
        }
    }

    async fn unknown_method(
        &self,
        method: String,
        params: Value,
        _: AgentContext,
    ) -> Result<Value> {
        if method == "plain/echo" {
            Ok(json!({ "echoed": params }))
        } else {
            Err(RequestError::method_not_found(&method))
        }
    }
}

/// Says at the end of a prompt whether it was cancelled.
struct Report {
    context: AgentContext,
    is_loud: bool,
}

impl Report {
    fn new(context: AgentContext, is_loud: bool) -> Self {
        TURNS.fetch_add(1, Ordering::Relaxed);
        Self { context, is_loud }
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        TURNS.fetch_sub(1, Ordering::Relaxed);
        if self.is_loud && self.context.is_cancelled() {
            eprintln!("cancelled {}", methods::PROMPT);
        }
    }
}

/// What a prompt makes the agent do.
struct Turn<'a> {
    session: &'a SessionId,
    client: ClientPeer,
}

impl Turn<'_> {
    async fn say(&self, text: String) -> Result<()> {
        let update = SessionUpdate::agent_message_chunk(ContentBlock::text(text));
        Ok(self.client.session_update(SessionNotification::new(self.session, update)).await?)
    }

    async fn updates(&self, count: usize, length: usize) -> Result<()> {
        let text = "x".repeat(length);
        for _ in 0..count {
            self.say(text.clone()).await?;
        }
        Ok(())
    }

    async fn numbers(&self, count: usize) -> Result<()> {
        for number in 0..count {
            self.say(number.to_string()).await?;
        }
        Ok(())
    }

    async fn files(&self, count: usize) -> Result<()> {
        for _ in 0..count {
            let request = ReadTextFileRequest::new(self.session, "/hello.txt");
            let response = self.client.read_text_file(request).await?;
            if response.content != "hello" {
                return Err(RequestError::internal_error());
            }
        }
        Ok(())
    }

    async fn permission(&self) -> Result<()> {
        let request = json!({
            "sessionId": self.session,
            "toolCall": { "toolCallId": "t1" },
            "options": [
                { "optionId": "yes", "name": "Yes", "kind": "allow_once" },
                { "optionId": "no", "name": "No", "kind": "reject_once" },
            ],
        });
        let request = json::decode::<RequestPermissionRequest>(&request.to_string())?;
        let response = self.client.request_permission(request).await?;
        let outcome = json::encode(&response.outcome);
        self.say(outcome.map_err(|_| RequestError::internal_error())?).await
    }

    /// Sends calls in one batch, and says what became of each.
    async fn together(&self, count: usize) -> Result<()> {
        let mut batch = self.client.batch();
        let mut answers = Vec::new();
        for number in 0..count {
            let call = self.client.call::<_, Value>("_ask", json!({ "number": number }));
            answers.push(batch.call(call)?);
        }
        batch.send().await?;
        let mut outcomes = Vec::new();
        for answer in answers {
            outcomes.push(answer.await.unwrap_or_else(|_| json!("failed")));
        }
        self.say(Value::from(outcomes).to_string()).await
    }

    async fn bad(&self) -> Result<()> {
        let params = json!({ "sessionId": self.session });
        let mut codes = Vec::new();
        for method in ["no/such_method", methods::READ_TEXT_FILE, "_no_such_extension"] {
            let answer = self.client.call::<_, Value>(method, params.clone()).await;
            codes.push(answer.err().and_then(|error| error.code()));
        }
        self.say(json!(codes).to_string()).await
    }
}
