//! An agent with our SDK.

use throughput::measure::{asked, peak_text, runtime};
use throughput::ours::*;

struct Bench;

impl Agent for Bench {
    async fn initialize(
        &self,
        _: InitializeRequest,
        _: AgentContext,
    ) -> Result<InitializeResponse> {
        Ok(InitializeResponse::new(1))
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
        let Some(ContentBlock::Text(prompt)) = request.prompt.first() else {
            return Err(RequestError::invalid_params());
        };
        let (updates, text) = asked(&prompt.text);
        for _ in 0..updates {
            let update = SessionUpdate::agent_message_chunk(ContentBlock::text(text.clone()));
            let update = SessionNotification::new(&request.session_id, update);
            context.client().session_update(update).await?;
        }
        if updates > 0 {
            let update = SessionUpdate::agent_message_chunk(ContentBlock::text(peak_text()));
            let update = SessionNotification::new(&request.session_id, update);
            context.client().session_update(update).await?;
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }

    async fn cancel(&self, _: CancelNotification, _: AgentContext) -> Result<()> {
        Ok(())
    }
}

fn main() -> Result<()> {
    let runtime = runtime().map_err(|_| RequestError::internal_error())?;
    runtime.block_on(AgentSideConnection::stdio(Bench))
}
