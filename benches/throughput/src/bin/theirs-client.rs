//! A client with the official SDK.

use std::time::{Duration, Instant};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, InitializeRequest, NewSessionRequest, PromptRequest, SessionNotification,
    SessionUpdate, TextContent,
};
use agent_client_protocol::{AcpAgent, Agent, Client, Result, on_receive_notification};
use throughput::measure::{Heard, Plan, ask, runtime};

async fn talk(plan: &Plan, heard: &Heard) -> Result<Duration> {
    let hearing = heard.clone();
    Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _| {
                if let SessionUpdate::AgentMessageChunk(chunk) = notification.update
                    && let ContentBlock::Text(text) = chunk.content
                {
                    hearing.update(&text.text).await;
                }
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_with(
            AcpAgent::from_args([plan.agent.clone()])?,
            async move |agent: ConnectionTo<Agent>| {
                let initialize = InitializeRequest::new(ProtocolVersion::V1);
                agent.send_request(initialize).block_task().await?;
                let session = agent.send_request(NewSessionRequest::new("/")).block_task().await?;
                let prompt = async |text: String| {
                    let prompt = vec![ContentBlock::Text(TextContent::new(text))];
                    let prompt = PromptRequest::new(session.session_id.clone(), prompt);
                    agent.send_request(prompt).block_task().await
                };
                for _ in 0..100 {
                    prompt(ask(1, plan.length)).await?;
                }
                heard.all(100).await;
                heard.slow_down(plan.pause);
                let start = Instant::now();
                for _ in 0..plan.prompts {
                    prompt(plan.prompt()).await?;
                }
                heard.all(100 + plan.prompts * plan.updates).await;
                Ok(start.elapsed())
            },
        )
        .await
}

fn main() {
    let (plan, heard) = (Plan::from_arguments(), Heard::default());
    let time = runtime().expect("there is a runtime").block_on(talk(&plan, &heard));
    plan.report(&heard, time.expect("the agent answers"));
}
