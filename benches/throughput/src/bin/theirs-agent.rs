//! An agent with the official SDK.

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, InitializeRequest, InitializeResponse, NewSessionRequest,
    NewSessionResponse, PromptRequest, PromptResponse, SessionNotification, SessionUpdate,
    StopReason, TextContent,
};
use agent_client_protocol::{Agent, Client, Error, Result, Stdio, on_receive_request};
use throughput::measure::{asked, peak_text, runtime};

async fn serve() -> Result<()> {
    Agent
        .v1()
        .on_receive_request(
            async move |_: InitializeRequest, responder, _| {
                responder.respond(InitializeResponse::new(ProtocolVersion::V1))
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
            async move |request: PromptRequest, responder, client: ConnectionTo<Client>| {
                responder.respond_with_result(prompt(&request, &client))
            },
            on_receive_request!(),
        )
        .connect_to(Stdio::new())
        .await
}

fn prompt(request: &PromptRequest, client: &ConnectionTo<Client>) -> Result<PromptResponse> {
    let Some(ContentBlock::Text(prompt)) = request.prompt.first() else {
        return Err(Error::invalid_params());
    };
    let say = |text| {
        let content = ContentBlock::Text(TextContent::new(text));
        let update = SessionUpdate::AgentMessageChunk(ContentChunk::new(content));
        client.send_notification(SessionNotification::new(request.session_id.clone(), update))
    };
    let (updates, text) = asked(&prompt.text);
    for _ in 0..updates {
        say(text.clone())?;
    }
    if updates > 0 {
        say(peak_text())?;
    }
    Ok(PromptResponse::new(StopReason::EndTurn))
}

fn main() -> Result<()> {
    runtime().map_err(Error::into_internal_error)?.block_on(serve())
}
