//! What an agent built with the official Rust SDK does.

use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AuthMethod, AuthMethodAgent, AuthenticateRequest, AuthenticateResponse, CancelNotification,
    ContentBlock, ContentChunk, InitializeRequest, InitializeResponse, NewSessionRequest,
    NewSessionResponse, PermissionOption, PermissionOptionKind, PromptRequest, PromptResponse,
    ReadTextFileRequest, RequestPermissionRequest, SessionNotification, SessionUpdate, StopReason,
    TextContent, ToolCallUpdate, ToolCallUpdateFields,
};
use agent_client_protocol::{
    Agent, Client, ConnectTo, Error, Result, on_receive_notification, on_receive_request,
};
use tokio::sync::Notify;

/// An agent for one connection.
pub fn agent() -> impl ConnectTo<Client> {
    let cancelled = Arc::new(Notify::new());
    let waiting = cancelled.clone();
    Agent
        .v1()
        .on_receive_request(
            async move |_: InitializeRequest, responder, _| {
                let none = AuthMethod::Agent(AuthMethodAgent::new("none", "None"));
                let response = InitializeResponse::new(ProtocolVersion::V1);
                responder.respond(response.auth_methods(vec![none]))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |_: AuthenticateRequest, responder, _| {
                responder.respond(AuthenticateResponse::new())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |_: NewSessionRequest, responder, _| {
                responder.respond(NewSessionResponse::new("s1"))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, connection: ConnectionTo<Client>| {
                let (client, cancelled) = (connection.clone(), waiting.clone());
                connection.spawn(async move {
                    responder.respond_with_result(prompt(request, client, cancelled).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |_: CancelNotification, _| {
                cancelled.notify_one();
                Ok(())
            },
            on_receive_notification!(),
        )
}

async fn prompt(
    request: PromptRequest,
    client: ConnectionTo<Client>,
    cancelled: Arc<Notify>,
) -> Result<PromptResponse> {
    let Some(ContentBlock::Text(text)) = request.prompt.first() else {
        return Err(Error::invalid_params());
    };
    let mut words = text.text.split(' ');
    let word = words.next().unwrap_or_default();
    let mut number = |otherwise| words.next().and_then(|it| it.parse().ok()).unwrap_or(otherwise);
    let (count, length) = (number(0), number(1));
    match word {
        "updates" => {
            for _ in 0..count {
                says(&client, "x".repeat(length))?;
            }
        }
        "fs" => {
            for _ in 0..count {
                let request = ReadTextFileRequest::new("s1", "/hello");
                let file = client.send_request(request).block_task().await?;
                assert_eq!(file.content, "hello");
            }
        }
        "perm" => {
            let call = ToolCallUpdate::new("call", ToolCallUpdateFields::new().title("Something"));
            let options = vec![
                PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
                PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
            ];
            let request = RequestPermissionRequest::new("s1", call, options);
            let answer = client.send_request(request).block_task().await?;
            let outcome = serde_json::to_string(&answer.outcome);
            says(&client, outcome.map_err(Error::into_internal_error)?)?;
        }
        "throwcode" => {
            return Err(Error::new(-32042, "custom").data(serde_json::json!({"x": 1})));
        }
        "slow" => {
            cancelled.notified().await;
            return Ok(PromptResponse::new(StopReason::Cancelled));
        }
        _ => {}
    }
    Ok(PromptResponse::new(StopReason::EndTurn))
}

fn says(client: &ConnectionTo<Client>, text: String) -> Result<()> {
    let content = ContentBlock::Text(TextContent::new(text));
    let update = SessionUpdate::AgentMessageChunk(ContentChunk::new(content));
    client.send_notification(SessionNotification::new("s1", update))
}
