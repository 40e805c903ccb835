//! A client with our SDK.

use std::process::Command;
use std::time::{Duration, Instant};

use throughput::measure::{Heard, Plan, ask, runtime};
use throughput::ours::*;

struct Bench(Heard);

impl Client for Bench {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        if let SessionUpdate::AgentMessageChunk(chunk) = params.update
            && let ContentBlock::Text(text) = chunk.content
        {
            self.0.update(&text.text).await;
        }
        Ok(())
    }

    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }
}

async fn talk(plan: &Plan, heard: &Heard) -> std::result::Result<Duration, CallError> {
    let command = Command::new(&plan.agent);
    let agent = ClientSideConnection::spawn(Bench(heard.clone()), command);
    let agent = agent.expect("the agent starts");
    agent.initialize(InitializeRequest::new(1)).await?;
    let session = agent.new_session(NewSessionRequest::new("/", Vec::new())).await?;
    let prompt = async |text: String| {
        let prompt = vec![ContentBlock::text(text)];
        agent.prompt(PromptRequest::new(&session.session_id, prompt)).await
    };
    for _ in 0..100 {
        prompt(ask(1, plan.length)).await?;
    }
    let before = heard.count();
    heard.slow_down(plan.pause);
    let start = Instant::now();
    for _ in 0..plan.prompts {
        prompt(plan.prompt()).await?;
    }
    heard.all(before + plan.prompts * plan.updates).await;
    Ok(start.elapsed())
}

fn main() {
    let (plan, heard) = (Plan::from_arguments(), Heard::default());
    let time = runtime().expect("there is a runtime").block_on(talk(&plan, &heard));
    plan.report(&heard, time.expect("the agent answers"));
}
