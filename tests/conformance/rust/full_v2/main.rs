//! An agent that has every method of version 2, and says so: what it does is what its prompt says.

mod session;
mod signal;
mod turn;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use acp::{SessionConfigOptionKind as Kind, SetSessionConfigOptionRequestKind as Asked, *};

use session::{Session, has, invalid, new_id, options};
use signal::{Signal, locked};
use turn::{Turn, first_text};

const METHOD: &str = "token";
/// So many sessions are listed at once.
const PAGE: usize = 50;

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
        self.get(id).ok_or_else(|| RequestError::resource_not_found(id.as_str()))
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    AgentSideConnection::stdio(Full::default()).await
}
