use acp::*;

struct Echo;

impl Agent for Echo {
    async fn initialize(
        &self,
        request: InitializeRequest,
        _: AgentContext,
    ) -> Result<InitializeResponse> {
        Ok(InitializeResponse::new(request.protocol_version))
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
        Ok(NewSessionResponse::new("s1"))
    }
    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        for block in request.prompt {
            let update = SessionUpdate::agent_message_chunk(block);
            context
                .client()
                .session_update(SessionNotification::new(&request.session_id, update))
                .await?;
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    AgentSideConnection::stdio(Echo).await
}
