//! What a client built with the official Rust SDK does.

use std::sync::{Arc, Mutex};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    AuthenticateRequest, CancelNotification, ClientCapabilities, ContentBlock,
    FileSystemCapabilities, InitializeRequest, NewSessionRequest, PromptRequest,
    ReadTextFileRequest, ReadTextFileResponse, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SelectedPermissionOutcome, SessionNotification, SessionUpdate,
    TextContent,
};
use agent_client_protocol::v1::{ConnectionTo, SentRequest};
use agent_client_protocol::{
    Agent, Client, ConnectTo, JsonRpcResponse, Result, on_receive_notification, on_receive_request,
};
use serde::Serialize;
use serde_json::{Value, json};

/// How many updates came in this step, and what the last one said.
type Heard = Arc<Mutex<(usize, String)>>;

/// Talks with an agent: `PROMPTS` is a JSON list of texts. Prints a JSON line a step, but for
/// `ROUND_TRIPS`: the number of prompts before the others.
pub async fn converse(
    agent: impl ConnectTo<Client>,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let prompts: Vec<String> = serde_json::from_str(&std::env::var("PROMPTS")?)?;
    let heard = Heard::default();
    let hearing = heard.clone();
    Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _| {
                let mut heard = hearing.lock().expect("nobody panics");
                heard.0 += 1;
                if let SessionUpdate::AgentMessageChunk(chunk) = notification.update
                    && let ContentBlock::Text(text) = chunk.content
                {
                    heard.1 = text.text;
                }
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _| {
                let first = request.options[0].option_id.clone();
                let outcome = SelectedPermissionOutcome::new(first);
                let outcome = RequestPermissionOutcome::Selected(outcome);
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |_: ReadTextFileRequest, responder, _| {
                responder.respond(ReadTextFileResponse::new("hello"))
            },
            on_receive_request!(),
        )
        .connect_with(agent, async move |agent: ConnectionTo<Agent>| {
            let files = FileSystemCapabilities::new().read_text_file(true);
            let initialize = InitializeRequest::new(ProtocolVersion::V1)
                .client_capabilities(ClientCapabilities::new().fs(files));
            step("initialize", agent.send_request(initialize), &heard).await;
            let authenticate = AuthenticateRequest::new("none");
            step("authenticate", agent.send_request(authenticate), &heard).await;
            let session = agent.send_request(NewSessionRequest::new("/"));
            step("session/new", session, &heard).await;
            let trips = std::env::var("ROUND_TRIPS").ok().and_then(|it| it.parse().ok());
            for _ in 0..trips.unwrap_or(0) {
                let text = ContentBlock::Text(TextContent::new("updates 0"));
                let prompt = PromptRequest::new("s1", vec![text]);
                agent.send_request(prompt).block_task().await?;
            }
            for text in prompts {
                let slow = text == "slow";
                let blocks = vec![ContentBlock::Text(TextContent::new(text))];
                let prompt = agent.send_request(PromptRequest::new("s1", blocks));
                if slow {
                    agent.send_notification(CancelNotification::new("s1"))?;
                }
                step("session/prompt", prompt, &heard).await;
            }
            Ok(())
        })
        .await?;
    Ok(())
}

async fn step<T: JsonRpcResponse + Serialize>(name: &str, call: SentRequest<T>, heard: &Heard) {
    let answer: Result<T> = call.block_task().await;
    let (updates, said) = std::mem::take(&mut *heard.lock().expect("nobody panics"));
    let mut line = json!({"step": name, "updates": updates, "said": said});
    match answer {
        Ok(result) => line["result"] = serde_json::to_value(result).unwrap_or(Value::Null),
        Err(error) => line["error"] = serde_json::to_value(error).unwrap_or(Value::Null),
    }
    println!("{line}");
}
