//! An agent that handles every method of version 1, and says what it can do.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use acp::*;

/// How many sessions a page of the list has.
const PAGE: usize = 50;

struct Session {
    cwd: String,
    directories: Vec<String>,
    title: Option<String>,
    mode: SessionModeId,
    detail: SessionConfigValueId,
    /// What was said so far.
    history: Vec<SessionUpdate>,
    is_open: bool,
}

impl Session {
    fn new(cwd: String, directories: Option<Vec<String>>) -> Self {
        Self {
            cwd,
            directories: directories.unwrap_or_default(),
            title: None,
            mode: "ask".into(),
            detail: "brief".into(),
            history: Vec::new(),
            is_open: true,
        }
    }

    fn open(&mut self, cwd: String, directories: Option<Vec<String>>) {
        (self.cwd, self.directories) = (cwd, directories.unwrap_or_default());
        self.is_open = true;
    }

    fn modes(&self) -> SessionModeState {
        let modes = [SessionMode::new("ask", "Ask"), SessionMode::new("code", "Code")];
        SessionModeState::new(&self.mode, modes)
    }

    fn options(&self) -> Vec<SessionConfigOption> {
        let values = ["brief", "full"].map(|value| SessionConfigSelectOption::new(value, value));
        let values = SessionConfigSelectOptions::ungrouped(values);
        let kind = SessionConfigOptionKind::select(&self.detail, values);
        vec![SessionConfigOption::new("detail", "Detail", kind)]
    }

    fn info(&self, id: &SessionId) -> SessionInfo {
        let directories = self.directories.clone();
        let info = SessionInfo::new(id, &self.cwd).additional_directories(directories);
        match &self.title {
            Some(title) => info.title(title),
            None => info,
        }
    }
}

type Sessions = BTreeMap<SessionId, Session>;

#[derive(Default)]
struct Full {
    count: AtomicUsize,
    is_logged_out: AtomicBool,
    sessions: Mutex<Sessions>,
}

impl Full {
    fn count(&self) -> usize {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses a session that is known, whether it is open or not.
    fn known<T>(&self, id: &SessionId, use_it: impl FnOnce(&mut Session) -> T) -> Result<T> {
        let mut sessions = self.sessions();
        sessions.get_mut(id).map(use_it).ok_or_else(|| RequestError::resource_not_found(None))
    }

    /// Uses a session that is open.
    fn opened<T>(&self, id: &SessionId, use_it: impl FnOnce(&mut Session) -> T) -> Result<T> {
        let used = self.known(id, |session| session.is_open.then(|| use_it(session)))?;
        used.ok_or_else(|| RequestError::resource_not_found(None))
    }
}

impl Agent for Full {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        let prompts = PromptCapabilities::new().image(true).audio(true).embedded_context(true);
        let sessions = SessionCapabilities::new()
            .list(SessionListCapabilities::new())
            .delete(SessionDeleteCapabilities::new())
            .additional_directories(SessionAdditionalDirectoriesCapabilities::new())
            .resume(SessionResumeCapabilities::new())
            .close(SessionCloseCapabilities::new());
        let capabilities = AgentCapabilities::new()
            .load_session(true)
            .prompt_capabilities(prompts)
            .session_capabilities(sessions)
            .auth(AgentAuthCapabilities::new().logout(LogoutCapabilities::new()));
        Ok(InitializeResponse::new(context.protocol_version())
            .agent_info(Implementation::new("full", "1.0.0"))
            .agent_capabilities(capabilities)
            .auth_methods([AuthMethod::agent("login", "Log in")]))
    }

    async fn authenticate(
        &self,
        request: AuthenticateRequest,
        _: AgentContext,
    ) -> Result<AuthenticateResponse> {
        if request.method_id.as_str() != "login" {
            return Err(RequestError::invalid_params());
        }
        self.is_logged_out.store(false, Ordering::Relaxed);
        Ok(AuthenticateResponse::new())
    }

    async fn logout(&self, _: LogoutRequest, _: AgentContext) -> Result<LogoutResponse> {
        self.is_logged_out.store(true, Ordering::Relaxed);
        Ok(LogoutResponse::new())
    }

    async fn new_session(
        &self,
        request: NewSessionRequest,
        _: AgentContext,
    ) -> Result<NewSessionResponse> {
        if self.is_logged_out.load(Ordering::Relaxed) {
            return Err(RequestError::auth_required());
        }
        let id = SessionId::from(format!("session-{}", self.count()));
        let session = Session::new(request.cwd, request.additional_directories);
        let response =
            NewSessionResponse::new(&id).modes(session.modes()).config_options(session.options());
        self.sessions().insert(id, session);
        Ok(response)
    }

    async fn load_session(
        &self,
        request: LoadSessionRequest,
        context: AgentContext,
    ) -> Result<LoadSessionResponse> {
        let id = request.session_id;
        let (history, response) = self.known(&id, |session| {
            session.open(request.cwd, request.additional_directories);
            let response = LoadSessionResponse::new().modes(session.modes());
            (session.history.clone(), response.config_options(session.options()))
        })?;
        for update in history {
            context.client().session_update(SessionNotification::new(&id, update)).await?;
        }
        Ok(response)
    }

    async fn resume_session(
        &self,
        request: ResumeSessionRequest,
        _: AgentContext,
    ) -> Result<ResumeSessionResponse> {
        self.known(&request.session_id, |session| {
            session.open(request.cwd, request.additional_directories);
            let response = ResumeSessionResponse::new().modes(session.modes());
            response.config_options(session.options())
        })
    }

    async fn list_sessions(
        &self,
        request: ListSessionsRequest,
        _: AgentContext,
    ) -> Result<ListSessionsResponse> {
        let sessions = self.sessions();
        let after = request.cursor.as_ref().map(SessionId::new);
        if after.as_ref().is_some_and(|id| !sessions.contains_key(id)) {
            return Err(RequestError::invalid_params());
        }
        let cwd = request.cwd.as_ref();
        let mut asked = sessions
            .iter()
            .filter(|(id, _)| after.as_ref().is_none_or(|after| *id > after))
            .filter(|(_, session)| cwd.is_none_or(|cwd| *cwd == session.cwd))
            .map(|(id, session)| session.info(id));
        let page: Vec<_> = asked.by_ref().take(PAGE).collect();
        let last = page.last().map(|info| info.session_id.to_string());
        let response = ListSessionsResponse::new(page);
        Ok(match last.filter(|_| asked.next().is_some()) {
            Some(last) => response.next_cursor(last),
            None => response,
        })
    }

    async fn close_session(
        &self,
        request: CloseSessionRequest,
        _: AgentContext,
    ) -> Result<CloseSessionResponse> {
        // The connection has cancelled its turns.
        self.opened(&request.session_id, |session| session.is_open = false)?;
        Ok(CloseSessionResponse::new())
    }

    async fn delete_session(
        &self,
        request: DeleteSessionRequest,
        _: AgentContext,
    ) -> Result<DeleteSessionResponse> {
        self.sessions().remove(&request.session_id);
        Ok(DeleteSessionResponse::new())
    }

    async fn set_session_mode(
        &self,
        request: SetSessionModeRequest,
        _: AgentContext,
    ) -> Result<SetSessionModeResponse> {
        self.opened(&request.session_id, |session| {
            let modes = session.modes().available_modes;
            if modes.iter().all(|mode| mode.id != request.mode_id) {
                return Err(RequestError::invalid_params());
            }
            session.mode = request.mode_id;
            Ok(SetSessionModeResponse::new())
        })?
    }

    async fn set_session_config_option(
        &self,
        request: SetSessionConfigOptionRequest,
        _: AgentContext,
    ) -> Result<SetSessionConfigOptionResponse> {
        self.opened(&request.session_id, |session| {
            let value = request.kind.as_value_id().map(|kind| kind.value.as_str());
            match (request.config_id.as_str(), value) {
                ("detail", Some(value @ ("brief" | "full"))) => session.detail = value.into(),
                _ => return Err(RequestError::invalid_params()),
            }
            Ok(SetSessionConfigOptionResponse::new(session.options()))
        })?
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        let turn = Turn { agent: self, context, session: request.session_id };
        turn.begin(&request.prompt)?;
        let text = match request.prompt.as_slice() {
            [ContentBlock::Text(text)] => text.text.as_str(),
            _ => "",
        };
        match text {
            "permission" => turn.permission().await?,
            "tool" => turn.tool().await?,
            "file" => turn.file().await?,
            "terminal" => turn.terminal().await?,
            "slow" => turn.context.cancelled().await,
            _ => {
                for block in request.prompt {
                    turn.say(block).await?;
                }
            }
        }
        turn.context.check_cancelled()?;
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

/// What is done about a prompt.
struct Turn<'a> {
    agent: &'a Full,
    context: AgentContext,
    session: SessionId,
}

impl Turn<'_> {
    fn begin(&self, prompt: &[ContentBlock]) -> Result<()> {
        self.agent.opened(&self.session, |session| {
            let chunks = prompt.iter().cloned().map(SessionUpdate::user_message_chunk);
            session.history.extend(chunks);
            if let (None, Some(ContentBlock::Text(text))) = (&session.title, prompt.first()) {
                session.title = Some(text.text.clone());
            }
        })
    }

    /// Sends an update, and keeps it for whoever loads the session.
    async fn update(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        self.context.check_cancelled()?;
        let update = update.into();
        self.agent.opened(&self.session, |session| session.history.push(update.clone()))?;
        let notification = SessionNotification::new(&self.session, update);
        Ok(self.context.client().session_update(notification).await?)
    }

    async fn say(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::agent_message_chunk(content)).await
    }

    /// Waits for an answer of the client. When the turn is cancelled, so is the call.
    async fn wait<T, E>(&self, call: impl Future<Output = Result<T, E>>) -> Result<Result<T, E>> {
        tokio::select! {
            biased;
            () = self.context.cancelled() => Err(RequestError::request_cancelled()),
            answer = call => Ok(answer),
        }
    }

    async fn permission(&self) -> Result<()> {
        let call = ToolCallUpdate::new(format!("call-{}", self.agent.count()));
        let call = call.title("Delete everything").kind(ToolKind::Delete);
        let options = [
            PermissionOption::new("allow", "Allow", PermissionOptionKind::AllowOnce),
            PermissionOption::new("reject", "Reject", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(&self.session, call, options);
        let answer = self.wait(self.context.client().request_permission(request)).await??;
        match answer.outcome {
            RequestPermissionOutcome::Selected(selected) => {
                self.say(format!("selected {}", selected.option_id)).await
            }
            _ => self.say("cancelled").await,
        }
    }

    async fn tool(&self) -> Result<()> {
        let id = format!("call-{}", self.agent.count());
        let call = ToolCall::new(&*id, "Think").kind(ToolKind::Think);
        self.update(call.status(ToolCallStatus::InProgress)).await?;
        let result = ToolCallUpdate::new(id).status(ToolCallStatus::Completed);
        self.update(result.content([ToolCallContent::content("thought")])).await?;
        let entry = PlanEntry::new("Think", PlanEntryPriority::Medium, PlanEntryStatus::Completed);
        self.update(Plan::new([entry])).await
    }

    async fn file(&self) -> Result<()> {
        let cwd = self.agent.opened(&self.session, |session| session.cwd.clone())?;
        let path = format!("{}/file.txt", cwd.trim_end_matches('/'));
        let request = ReadTextFileRequest::new(&self.session, path);
        match self.wait(self.context.client().read_text_file(request)).await? {
            Ok(file) => self.say(file.content).await,
            Err(connection::CallError::NotSupported { .. }) => {
                self.say("the client reads no files").await
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn terminal(&self) -> Result<()> {
        let request = CreateTerminalRequest::new(&self.session, "echo").args(["hi".into()]);
        let terminal = match TerminalHandle::create(&self.context.client(), request).await {
            Ok(terminal) => terminal,
            Err(connection::CallError::NotSupported { .. }) => {
                return self.say("the client has no terminals").await;
            }
            Err(error) => return Err(error.into()),
        };
        let output = self.wait(async {
            terminal.wait_for_exit().await?;
            terminal.current_output().await
        });
        let output = output.await;
        // Whatever became of it.
        terminal.release().await?;
        self.say(output??.output).await
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    AgentSideConnection::stdio(Full::default()).await
}
