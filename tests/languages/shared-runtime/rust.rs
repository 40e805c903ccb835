//! Two protocols in one program, with one runtime.

use acp::*;
use lamp::{BrokenNotification, Lamp, LampContext, LampSideConnection, Room, RoomContext};
use lamp::{RoomSideConnection, SwitchRequest, SwitchResponse};

struct Desk;

impl Lamp for Desk {
    async fn switch(&self, request: SwitchRequest, _: LampContext) -> lamp::Result<SwitchResponse> {
        // The error of one protocol is that of the other.
        let error: lamp::RequestError = RequestError::auth_required();
        if request.on {
            Err(error)
        } else {
            Ok(SwitchResponse::new(0))
        }
    }
}

impl Room for Desk {
    async fn broken(&self, _: BrokenNotification, _: RoomContext) -> lamp::Result<()> {
        Ok(())
    }
}

impl Agent for Desk {
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
        Err(RequestError::auth_required())
    }

    async fn new_session(
        &self,
        _: NewSessionRequest,
        _: AgentContext,
    ) -> Result<NewSessionResponse> {
        Err(RequestError::resource_not_found("a"))
    }

    async fn prompt(&self, _: PromptRequest, _: AgentContext) -> Result<PromptResponse> {
        Err(RequestError::auth_required())
    }
}

impl Client for Desk {
    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        Ok(())
    }

    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::auth_required())
    }
}

/// The code of the error that a call of the lamp's protocol ends with.
async fn code(call: impl Future<Output = Result<SwitchResponse, CallError>>) -> Option<i32> {
    call.await.err().and_then(|error| error.code())
}

#[tokio::test]
async fn two_protocols_share_a_runtime() {
    let (here, there) = tokio::io::duplex(1024);
    let (reader, writer) = tokio::io::split(here);
    let _lamp = LampSideConnection::new(Desk, reader, writer);
    let (reader, writer) = tokio::io::split(there);
    let room = RoomSideConnection::new(Desk, reader, writer);
    let call = |on| room.switch(SwitchRequest::new("desk").on(on));
    assert_eq!(code(call(true)).await, Some(-32000));
    assert_eq!(code(call(false)).await, None);
    let (here, there) = tokio::io::duplex(1024);
    let (reader, writer) = tokio::io::split(here);
    let _agent = AgentSideConnection::new(Desk, reader, writer);
    let (reader, writer) = tokio::io::split(there);
    let client = ClientSideConnection::new(Desk, reader, writer);
    let request = InitializeRequest::new(PROTOCOL_VERSION);
    let answer = client.initialize(request).await.unwrap();
    assert_eq!(answer.protocol_version, PROTOCOL_VERSION);
    let error = client.new_session(NewSessionRequest::new("/", [])).await;
    let shown = "session/new: Resource not found: a (-32002)";
    assert_eq!(error.unwrap_err().to_string(), shown);
}
