//! An agent that has every method of version 2, and says so: what it does is what its prompt says.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use acp::{SessionConfigOptionKind as Kind, SetSessionConfigOptionRequestKind as Asked, *};

const METHOD: &str = "token";
/// So many sessions are listed at once.
const PAGE: usize = 50;

/// What happens once, and can be waited for.
#[derive(Clone, Default)]
struct Signal(Arc<Mutex<(bool, Vec<Waker>)>>);

impl Signal {
    fn set(&self) {
        let mut signal = locked(&self.0);
        signal.0 = true;
        signal.1.drain(..).for_each(Waker::wake);
    }

    fn is_set(&self) -> bool {
        locked(&self.0).0
    }

    async fn wait(&self) {
        poll_fn(|context| {
            let mut signal = locked(&self.0);
            if signal.0 {
                return Poll::Ready(());
            }
            if signal.1.iter().all(|waker| !waker.will_wake(context.waker())) {
                signal.1.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

/// What is known of a session.
struct Session {
    id: SessionId,
    cwd: AbsolutePath,
    now: Mutex<Now>,
}

/// A session as it is now, and its work, one turn after the other.
#[derive(Default)]
struct Now {
    directories: Vec<AbsolutePath>,
    title: Option<String>,
    /// What the client may choose.
    options: Vec<SessionConfigOption>,
    is_active: bool,
    /// None before the first turn.
    state: Option<StateUpdate>,
    /// All that was said and done, as it is replayed.
    history: Vec<SessionUpdate>,
    /// What stops the tools and terminals that can be stopped.
    stops: BTreeMap<String, Signal>,
    /// What stops the turns begun so far.
    stop: Signal,
    /// The end of the turn that was begun last.
    end: Option<Signal>,
}

impl Session {
    fn new(request: NewSessionRequest) -> Self {
        let directories = request.additional_directories.unwrap_or_default();
        let now = Now { directories, options: options(), is_active: true, ..Now::default() };
        Self { id: new_id("session").into(), cwd: request.cwd, now: Mutex::new(now) }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        locked(&self.now)
    }

    fn info(&self) -> SessionInfo {
        let now = self.now();
        let mut info =
            SessionInfo::new(&self.id, &self.cwd).additional_directories(now.directories.clone());
        info.title = now.title.clone().into();
        info
    }

    /// Ends when all work has ended.
    async fn cancel(&self) {
        let end = {
            let mut now = self.now();
            std::mem::take(&mut now.stop).set();
            now.end.clone()
        };
        if let Some(end) = end {
            end.wait().await;
        }
    }

    fn stop(&self, id: &str) -> Result<()> {
        let now = self.now();
        now.stops.get(id).map(Signal::set).ok_or_else(|| invalid("id"))
    }

    async fn tell_state(&self, client: &ClientPeer) -> Result<()> {
        let state = self.now().state.clone();
        let state = state.unwrap_or_else(|| StateUpdate::idle(IdleStateUpdateStopReason::none()));
        Ok(client.update_session(UpdateSessionNotification::new(&self.id, state)).await?)
    }
}

/// One turn: what happens in it is told to the client, and kept.
struct Turn {
    session: Arc<Session>,
    client: ClientPeer,
    stop: Signal,
    answer: MessageId,
}

impl Turn {
    async fn run(&self, message: MessageId, content: Vec<ContentBlock>) -> Result<()> {
        self.tell(UserMessage::new(message).content(content.clone())).await?;
        self.enter(StateUpdate::running()).await?;
        let reason = match self.act(content).await {
            Ok(()) => IdleStateUpdateStopReason::EndTurn,
            Err(_) if self.stop.is_set() => IdleStateUpdateStopReason::Cancelled,
            Err(RequestError { code, message, .. }) => {
                ErrorStopReason::new().error(Error::new(code, message)).into()
            }
        };
        self.enter(StateUpdate::idle(reason)).await
    }

    fn check_stopped(&self) -> Result<()> {
        if self.stop.is_set() { Err(RequestError::request_cancelled()) } else { Ok(()) }
    }

    /// Does what a prompt says.
    async fn act(&self, content: Vec<ContentBlock>) -> Result<()> {
        self.check_stopped()?;
        match first_text(&content).unwrap_or_default() {
            "permission" => self.permission().await,
            "tool" => self.tool().await,
            "long tool" => self.long_tool().await,
            "file" => self.say("version 2 has no files of the client").await,
            "terminal" => self.terminal().await,
            "long terminal" => self.long_terminal().await,
            "slow" => self.stopped(&new_id("wait")).await,
            _ => {
                for block in content {
                    self.check_stopped()?;
                    self.say(block).await?;
                }
                Ok(())
            }
        }
    }

    async fn permission(&self) -> Result<()> {
        let call = ToolCallUpdate::new(new_id("call")).title("Do it");
        let options = [
            PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
            PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(&self.session.id, "Do it?", options)
            .subject(RequestPermissionSubject::tool_call(call));
        self.enter(StateUpdate::requires_action()).await?;
        // When the turn is stopped, so is the call.
        let answer = tokio::select! {
            biased;
            () = self.stop.wait() => return self.check_stopped(),
            answer = self.client.request_permission(request) => answer?,
        };
        self.enter(StateUpdate::running()).await?;
        let outcome = match answer.outcome {
            RequestPermissionOutcome::Selected(it) => format!("selected {}", it.option_id),
            RequestPermissionOutcome::Other(other) => other.tag().to_owned(),
            _ => "cancelled".to_owned(),
        };
        self.say(format!("permission: {outcome}")).await
    }

    async fn tool(&self) -> Result<()> {
        let id = new_id("call");
        let begun = ToolCallUpdate::new(&*id).title("Think").kind(ToolKind::Think);
        self.tell(begun.status(ToolCallStatus::InProgress)).await?;
        let content = [ToolCallContent::content("It is thought.")];
        let done = ToolCallUpdate::new(id).status(ToolCallStatus::Completed);
        self.tell(done.content(content)).await?;
        let entry = PlanEntry::new("Think", PlanEntryPriority::Medium, PlanEntryStatus::Completed);
        self.tell(SessionUpdate::plan_update(PlanUpdateContent::items("plan", [entry]))).await
    }

    /// A tool that ends when it is stopped.
    async fn long_tool(&self) -> Result<()> {
        let id = new_id("call");
        let can = ToolCallCapabilities::new().cancel(ToolCallCancelCapabilities::new());
        let begun = ToolCallUpdate::new(&*id).title("Wait").status(ToolCallStatus::InProgress);
        self.tell(begun.capabilities(can)).await?;
        let stopped = self.stopped(&id).await;
        let mut done = ToolCallUpdate::new(id).status(ToolCallStatus::Cancelled);
        done.capabilities = Patch::Null;
        self.tell(done).await?;
        stopped
    }

    async fn terminal(&self) -> Result<()> {
        let id = new_id("terminal");
        self.tell(TerminalUpdate::new(&*id).command("echo").cwd(&self.session.cwd)).await?;
        // "hi", and the end of its line, in base64.
        self.tell(TerminalOutputChunk::new(&*id, "aGkK")).await?;
        let status = TerminalExitStatus::new().exit_code(0);
        self.tell(TerminalUpdate::new(id).exit_status(status)).await
    }

    /// A terminal whose process ends when it is stopped.
    async fn long_terminal(&self) -> Result<()> {
        let id = new_id("terminal");
        let can = TerminalCapabilities::new().cancel(TerminalCancelCapabilities::new());
        let begun = TerminalUpdate::new(&*id).command("wait").cwd(&self.session.cwd);
        self.tell(begun.capabilities(can)).await?;
        let stopped = self.stopped(&id).await;
        let status = TerminalExitStatus::new().signal("SIGTERM");
        let mut done = TerminalUpdate::new(id).exit_status(status);
        done.capabilities = Patch::Null;
        self.tell(done).await?;
        stopped
    }

    /// Ends when what has this id is stopped; fails if the turn is.
    async fn stopped(&self, id: &str) -> Result<()> {
        let stop = Signal::default();
        self.session.now().stops.insert(id.to_owned(), stop.clone());
        let stopped = tokio::select! {
            biased;
            () = self.stop.wait() => self.check_stopped(),
            () = stop.wait() => Ok(()),
        };
        self.session.now().stops.remove(id);
        stopped
    }

    async fn say(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.tell(SessionUpdate::agent_message_chunk(&self.answer, content)).await
    }

    async fn tell(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        let update = update.into();
        self.session.now().history.push(update.clone());
        let notification = UpdateSessionNotification::new(&self.session.id, update);
        Ok(self.client.update_session(notification).await?)
    }

    async fn enter(&self, state: StateUpdate) -> Result<()> {
        self.session.now().state = Some(state);
        self.session.tell_state(&self.client).await
    }
}

#[derive(Default)]
struct Full {
    is_logged_out: AtomicBool,
    /// In the order in which they were made.
    sessions: Mutex<Vec<Arc<Session>>>,
}

impl Full {
    fn get(&self, id: &SessionId) -> Option<Arc<Session>> {
        locked(&self.sessions).iter().find(|session| session.id == *id).cloned()
    }

    fn find(&self, id: &SessionId) -> Result<Arc<Session>> {
        self.get(id).ok_or_else(|| RequestError::resource_not_found(id.as_str().to_owned()))
    }

    fn find_active(&self, id: &SessionId) -> Result<Arc<Session>> {
        let session = self.find(id)?;
        if session.now().is_active { Ok(session) } else { Err(invalid("sessionId")) }
    }
}

impl Agent for Full {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        let prompt = PromptCapabilities::new()
            .image(PromptImageCapabilities::new())
            .audio(PromptAudioCapabilities::new())
            .embedded_context(PromptEmbeddedContextCapabilities::new());
        let session = SessionCapabilities::new()
            .prompt(prompt)
            .delete(SessionDeleteCapabilities::new())
            .additional_directories(SessionAdditionalDirectoriesCapabilities::new());
        let auth = AgentAuthCapabilities::new();
        let info = Implementation::new("full", "1.0.0").title("Full agent");
        Ok(InitializeResponse::new(context.protocol_version(), info)
            .auth_methods([AuthMethod::agent(METHOD, "A token that the agent has")])
            .capabilities(AgentCapabilities::new().session(session).auth(auth)))
    }

    async fn login_auth(
        &self,
        request: LoginAuthRequest,
        _: AgentContext,
    ) -> Result<LoginAuthResponse> {
        if request.method_id != METHOD {
            return Err(invalid("methodId"));
        }
        self.is_logged_out.store(false, Ordering::Relaxed);
        Ok(LoginAuthResponse::new())
    }

    async fn logout_auth(
        &self,
        _: LogoutAuthRequest,
        _: AgentContext,
    ) -> Result<LogoutAuthResponse> {
        self.is_logged_out.store(true, Ordering::Relaxed);
        Ok(LogoutAuthResponse::new())
    }

    async fn new_session(
        &self,
        request: NewSessionRequest,
        _: AgentContext,
    ) -> Result<NewSessionResponse> {
        if self.is_logged_out.load(Ordering::Relaxed) {
            return Err(RequestError::auth_required());
        }
        let session = Arc::new(Session::new(request));
        let response = NewSessionResponse::new(&session.id).config_options(options());
        locked(&self.sessions).push(session);
        Ok(response)
    }

    async fn list_sessions(
        &self,
        request: ListSessionsRequest,
        _: AgentContext,
    ) -> Result<ListSessionsResponse> {
        let cursor = request.cursor.as_deref().unwrap_or("0");
        let from: usize = cursor.parse().map_err(|_| invalid("cursor"))?;
        let cwd = request.cwd.as_ref();
        let sessions = locked(&self.sessions);
        let asked = sessions.iter().filter(|session| cwd.is_none_or(|cwd| *cwd == session.cwd));
        let mut asked = asked.skip(from);
        let page: Vec<_> = asked.by_ref().take(PAGE).map(|session| session.info()).collect();
        let next = asked.next().map(|_| SessionListCursor::from((from + PAGE).to_string()));
        let mut response = ListSessionsResponse::new(page);
        response.next_cursor = next.into();
        Ok(response)
    }

    async fn resume_session(
        &self,
        request: ResumeSessionRequest,
        context: AgentContext,
    ) -> Result<ResumeSessionResponse> {
        let session = self.find(&request.session_id)?;
        if request.cwd != session.cwd {
            return Err(invalid("cwd"));
        }
        let from = request.replay_from.as_ref();
        if from.is_some_and(|from| from.as_start().is_none()) {
            return Err(invalid("replayFrom"));
        }
        let history = {
            let mut now = session.now();
            now.directories = request.additional_directories.unwrap_or_default();
            now.is_active = true;
            from.map(|_| now.history.clone()).unwrap_or_default()
        };
        let client = context.client();
        for update in history {
            client.update_session(UpdateSessionNotification::new(&session.id, update)).await?;
        }
        session.tell_state(&client).await?;
        Ok(ResumeSessionResponse::new().config_options(session.now().options.clone()))
    }

    /// One that is not active is closed already.
    async fn close_session(
        &self,
        request: CloseSessionRequest,
        _: AgentContext,
    ) -> Result<CloseSessionResponse> {
        if let Some(session) = self.get(&request.session_id) {
            session.now().is_active = false;
            session.cancel().await;
        }
        Ok(CloseSessionResponse::new())
    }

    /// That there is no such session any more is all that is asked for.
    async fn delete_session(
        &self,
        request: DeleteSessionRequest,
        _: AgentContext,
    ) -> Result<DeleteSessionResponse> {
        if let Some(session) = self.get(&request.session_id) {
            locked(&self.sessions).retain(|it| it.id != session.id);
            session.cancel().await;
        }
        Ok(DeleteSessionResponse::new())
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        let session = self.find_active(&request.session_id)?;
        let id = MessageId::from(new_id("message"));
        let mut now = session.now();
        if let (None, Some(text)) = (&now.title, first_text(&request.prompt)) {
            now.title = Some(text.chars().take(80).collect());
        }
        let end = Signal::default();
        let before = now.end.replace(end.clone());
        let turn = Turn {
            session: Arc::clone(&session),
            client: context.client(),
            stop: now.stop.clone(),
            answer: new_id("message").into(),
        };
        let response = PromptResponse::new(&id);
        // Its turn comes after those before it.
        tokio::spawn(async move {
            if let Some(before) = before {
                before.wait().await;
            }
            // It fails only when the client is gone.
            _ = turn.run(id, request.prompt).await;
            end.set();
        });
        Ok(response)
    }

    async fn cancel_session(
        &self,
        request: CancelSessionNotification,
        _: AgentContext,
    ) -> Result<()> {
        if let Some(session) = self.get(&request.session_id) {
            session.cancel().await;
        }
        Ok(())
    }

    async fn cancel_tool_call(
        &self,
        request: CancelToolCallRequest,
        _: AgentContext,
    ) -> Result<CancelToolCallResponse> {
        self.find_active(&request.session_id)?.stop(&request.tool_call_id)?;
        Ok(CancelToolCallResponse::new())
    }

    async fn cancel_terminal(
        &self,
        request: CancelTerminalRequest,
        _: AgentContext,
    ) -> Result<CancelTerminalResponse> {
        self.find_active(&request.session_id)?.stop(&request.terminal_id)?;
        Ok(CancelTerminalResponse::new())
    }

    async fn set_session_config_option(
        &self,
        request: SetSessionConfigOptionRequest,
        _: AgentContext,
    ) -> Result<SetSessionConfigOptionResponse> {
        let session = self.find_active(&request.session_id)?;
        let mut now = session.now();
        let option = now.options.iter_mut().find(|option| option.config_id == request.config_id);
        let option = option.ok_or_else(|| invalid("configId"))?;
        match (&mut option.kind, request.kind) {
            (Kind::Select(select), Asked::Id(asked)) if has(&select.options, &asked.value) => {
                select.current_value = asked.value;
            }
            (Kind::Boolean(boolean), Asked::Boolean(asked)) => boolean.current_value = asked.value,
            _ => return Err(invalid("value")),
        }
        Ok(SetSessionConfigOptionResponse::new(now.options.clone()))
    }
}

/// What the client may choose in a session, and what is chosen at first.
fn options() -> Vec<SessionConfigOption> {
    let select = |id: &str, choices: [(&str, &str); 2]| {
        let [(first, _), _] = choices;
        let choices = choices.map(|(value, name)| SessionConfigSelectOption::new(value, name));
        let choices = SessionConfigSelectOptions::ungrouped(choices);
        let kind = Kind::select(first, choices);
        SessionConfigOption::new(id, id, kind).category(id)
    };
    let verbose = Kind::boolean(false);
    vec![
        select("mode", [("ask", "Ask first"), ("act", "Act at once")]),
        select("model", [("small", "Small"), ("large", "Large")]),
        SessionConfigOption::new("verbose", "verbose", verbose),
    ]
}

fn has(choices: &SessionConfigSelectOptions, value: &SessionConfigValueId) -> bool {
    choices.as_ungrouped().is_some_and(|choices| choices.iter().any(|it| it.value == *value))
}

fn first_text(content: &[ContentBlock]) -> Option<&str> {
    match content.first() {
        Some(ContentBlock::Text(text)) => Some(&text.text),
        _ => None,
    }
}

fn invalid(property: &str) -> RequestError {
    RequestError::new(ErrorCode::InvalidParams, format!("Invalid params: {property}"))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_id(kind: &str) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{kind}-{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    AgentSideConnection::stdio(Full::default()).await
}
