//! The agent: it says everything again, word by word.

use std::time::Duration;

use acp::{
    Agent, AgentCapabilities, AgentContext, AuthenticateRequest, AuthenticateResponse,
    ContentBlock, Implementation, InitializeRequest, InitializeResponse, LoadSessionRequest,
    LoadSessionResponse, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse,
    RequestError, Result, SessionId, SessionNotification, SessionUpdate, StopReason,
};

use crate::sessions::Sessions;

/// How long the parrot thinks about a word.
const THOUGHT: Duration = Duration::from_millis(150);

/// The handler of one connection.
pub struct Parrot {
    sessions: Sessions,
}

impl Parrot {
    pub fn new(sessions: Sessions) -> Self {
        Self { sessions }
    }
}

impl Agent for Parrot {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        let capabilities = AgentCapabilities::new().load_session(true);
        let info = Implementation::new("parrot", "1.0.0");
        let response = InitializeResponse::new(context.protocol_version());
        Ok(response.agent_capabilities(capabilities).agent_info(info))
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
        _: NewSessionRequest,
        _: AgentContext,
    ) -> Result<NewSessionResponse> {
        Ok(NewSessionResponse::new(self.sessions.open()))
    }

    /// Says again what was said in the session, on whatever connection that was.
    async fn load_session(
        &self,
        request: LoadSessionRequest,
        context: AgentContext,
    ) -> Result<LoadSessionResponse> {
        let session = &request.session_id;
        let Some(history) = self.sessions.history(session.as_ref()) else {
            return Err(RequestError::new(-32002, "there is no such session"));
        };
        for line in history {
            let update = if line.is_user {
                SessionUpdate::user_message_chunk(line.text)
            } else {
                SessionUpdate::agent_message_chunk(line.text)
            };
            say(&context, session, update).await?;
        }
        Ok(LoadSessionResponse::new())
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        let session = &request.session_id;
        for block in &request.prompt {
            let ContentBlock::Text(prompt) = block else { continue };
            self.sessions.remember(session.as_ref(), true, &prompt.text);
            for word in prompt.text.split_inclusive(' ') {
                tokio::time::sleep(THOUGHT).await;
                context.check_cancelled()?;
                self.sessions.remember(session.as_ref(), false, word);
                say(&context, session, SessionUpdate::agent_message_chunk(word)).await?;
            }
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

async fn say(context: &AgentContext, session: &SessionId, update: SessionUpdate) -> Result<()> {
    let notification = SessionNotification::new(session, update);
    Ok(context.client().session_update(notification).await?)
}
