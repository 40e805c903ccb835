//! What a connection does that the schema says its methods mean: versions, cancelled turns,
//! capabilities.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use acp::connection::Core;
use acp::json::Value;
use acp::*;
use serde_json::json;

/// An agent that answers what it is made to, and waits in prompts until they are cancelled.
#[derive(Clone, Default)]
struct Waiting {
    capabilities: AgentCapabilities,
    cancelled: Arc<Mutex<Vec<String>>>,
}

impl Agent for Waiting {
    async fn initialize(
        &self,
        request: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        assert_eq!(context.protocol_version(), PROTOCOL_VERSION);
        let response = InitializeResponse::new(request.protocol_version);
        Ok(response.agent_capabilities(self.capabilities.clone()))
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
    async fn prompt(&self, request: PromptRequest, context: AgentContext) -> Result<PromptResponse> {
        context.cancelled().await;
        if request.prompt.is_empty() {
            return Ok(PromptResponse::new(StopReason::EndTurn));
        }
        Err(RequestError::internal_error())
    }
    async fn cancel(&self, params: CancelNotification, _: AgentContext) -> Result<()> {
        self.cancelled.lock().unwrap().push(params.session_id.to_string());
        Ok(())
    }
}

/// A client that waits for people until it is told not to, and for some even then.
struct Asking;

impl Client for Asking {
    async fn request_permission(
        &self,
        request: RequestPermissionRequest,
        context: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        if request.session_id.to_string() == "deaf" {
            std::future::pending::<()>().await;
        }
        context.cancelled().await;
        Err(RequestError::request_cancelled())
    }
    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        Ok(())
    }
}

/// What a core says, as JSON.
fn said(core: &mut Core) -> Vec<Value> {
    let mut context = Context::from_waker(Waker::noop());
    let (mut bytes, mut all) = (Vec::new(), Vec::new());
    let _ = core.poll(&mut context);
    while core.take_output(&mut bytes, &context) {
        all.extend_from_slice(&bytes);
        let _ = core.poll(&mut context);
    }
    let text = String::from_utf8(all).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a core says to a message.
fn ask(core: &mut Core, message: Value) -> Vec<Value> {
    core.receive(format!("{message}\n").as_bytes());
    said(core)
}

/// Polls a call once.
fn poll<F: Future + ?Sized>(call: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    call.poll(&mut Context::from_waker(Waker::noop()))
}

fn initialize(version: Value) -> Value {
    json!({"id": 0, "method": "initialize", "params": {"protocolVersion": version}})
}

fn prompt(id: u32, session: &str, text: &str) -> Value {
    let prompt = json!([{"type": "text", "text": text}]);
    json!({"id": id, "method": "session/prompt", "params": {"sessionId": session, "prompt": prompt}})
}

fn cancel(session: &str) -> Value {
    json!({"method": "session/cancel", "params": {"sessionId": session}})
}

#[test]
fn the_version_is_one_that_this_end_speaks() {
    for (asked, answered) in [(json!(1), 1), (json!(1.0), 1), (json!(7), 1), (json!(0), 1)] {
        let mut agent = AgentSideCore::new(Waiting::default());
        let answers = ask(&mut agent, initialize(asked.clone()));
        assert_eq!(answers[0]["result"]["protocolVersion"], answered, "{asked}");
        assert_eq!(agent.protocol_version(), answered);
    }
}

#[test]
fn a_version_that_this_end_does_not_speak_ends_the_connection() {
    let mut client = ClientSideCore::new(Asking);
    let (peer, other) = (client.agent(), client.agent());
    let mut call = pin!(peer.call::<_, Value>("initialize", json!({"protocolVersion": 1})));
    let mut pending = pin!(other.ext_method("_x", json!({})));
    assert!(poll(call.as_mut()).is_pending() && poll(pending.as_mut()).is_pending());
    assert_eq!(said(&mut client).len(), 2);
    client.receive(b"{\"id\":0,\"result\":{\"protocolVersion\":7}}\n");
    let reason = "the agent speaks version 7; this client speaks 1";
    let expected = CallError::Version(String::from(reason));
    assert_eq!(poll(call), Poll::Ready(Err(expected.clone())));
    assert_eq!(poll(pending), Poll::Ready(Err(expected.clone())));
    assert_eq!(poll(pin!(peer.ext_method("_y", json!({})))), Poll::Ready(Err(expected.clone())));
    let cancel = peer.cancel(CancelNotification::new("s1"));
    assert_eq!(poll(pin!(cancel)), Poll::Ready(Err(expected.clone())));
    assert_eq!(expected.to_string(), reason);
    assert!(ask(&mut client, json!({"id": 9, "method": "plain/ask"})).is_empty());
    assert!(client.poll(&mut Context::from_waker(Waker::noop())).is_ready());
}

#[test]
fn a_cancelled_turn_is_answered_as_the_schema_says() {
    let handler = Waiting::default();
    let mut agent = AgentSideCore::new(handler.clone());
    let mut ask = |message| ask(&mut agent, message);
    for message in [prompt(1, "s1", "hi"), prompt(2, "s2", "hi")] {
        assert!(ask(message).is_empty());
    }
    let answers = ask(cancel("s1"));
    assert_eq!(answers, [json!({"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "cancelled"}})]);
    assert_eq!(*handler.cancelled.lock().unwrap(), ["s1"]);
    let answers = ask(json!({"method": "$/cancel_request", "params": {"requestId": 2}}));
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!(2), &json!(-32800)));
    // A handler may still answer for itself.
    let params = json!({"sessionId": "s1", "prompt": []});
    assert!(ask(json!({"id": 3, "method": "session/prompt", "params": params})).is_empty());
    assert_eq!(ask(cancel("s1"))[0]["result"]["stopReason"], "end_turn");
}

#[test]
fn a_turn_that_was_not_yet_begun_is_cancelled_too() {
    let options = acp::connection::Options::new().max_requests(1);
    let tasks: Arc<Mutex<Vec<acp::connection::Task>>> = Arc::default();
    let spawned = Arc::clone(&tasks);
    let spawn = move |task| spawned.lock().unwrap().push(task);
    let mut agent = AgentSideCore::with_options(Waiting::default(), options, spawn);
    assert!(ask(&mut agent, prompt(1, "s1", "hi")).is_empty());
    assert!(ask(&mut agent, prompt(2, "s2", "hi")).is_empty());
    // No handler gets it: it is answered at once.
    let answers = ask(&mut agent, cancel("s2"));
    assert_eq!((&answers[0]["id"], &answers[0]["result"]["stopReason"]), (&json!(2), &json!("cancelled")));
    assert!(ask(&mut agent, cancel("s1")).is_empty());
    assert_eq!(tasks.lock().unwrap().len(), 1);
    for mut task in std::mem::take(&mut *tasks.lock().unwrap()) {
        assert!(poll(task.as_mut()).is_ready());
    }
    let answers = said(&mut agent);
    let ids: Vec<_> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [1]);
    assert_eq!(answers[0]["result"]["stopReason"], "cancelled");
}

#[test]
fn who_cancels_a_turn_need_not_answer_for_it() {
    let mut client = ClientSideCore::new(Asking);
    let params = json!({"sessionId": "s1", "toolCall": {"toolCallId": "t"}, "options": []});
    let request = json!({"id": 5, "method": "session/request_permission", "params": params});
    assert!(ask(&mut client, request).is_empty());
    let cancel = client.agent().cancel(CancelNotification::new("s1"));
    assert!(poll(pin!(cancel)).is_ready());
    let [cancel, answer] = said(&mut client).try_into().unwrap();
    assert_eq!(cancel["method"], "session/cancel");
    assert_eq!(answer["result"], json!({"outcome": {"outcome": "cancelled"}}));
}

#[test]
fn what_a_turn_asked_is_answered_at_once_when_it_is_cancelled() {
    let options = acp::connection::Options::new().max_requests(2);
    let tasks: Arc<Mutex<Vec<acp::connection::Task>>> = Arc::default();
    let spawned = Arc::clone(&tasks);
    let spawn = move |task| spawned.lock().unwrap().push(task);
    let mut client = ClientSideCore::with_options(Asking, options, spawn);
    for (id, session) in [(1, "other"), (2, "deaf"), (3, "deaf"), (4, "other")] {
        let params = json!({"sessionId": session, "toolCall": {"toolCallId": "t"}, "options": []});
        let request = json!({"id": id, "method": "session/request_permission", "params": params});
        assert!(ask(&mut client, request).is_empty());
    }
    let peer = client.agent();
    let mut cancel = pin!(peer.cancel(CancelNotification::new("deaf")));
    assert!(poll(cancel.as_mut()).is_ready());
    // One is with a handler that does not listen, the other with none yet.
    let [cancel, first, second] = said(&mut client).try_into().unwrap();
    assert_eq!(cancel["method"], "session/cancel");
    assert_eq!((&first["id"], &second["id"]), (&json!(2), &json!(3)));
    for answer in [first, second] {
        assert_eq!(answer["result"], json!({"outcome": {"outcome": "cancelled"}}));
    }
    // It had the place of the one that waits for it.
    assert_eq!(tasks.lock().unwrap().len(), 3);
    tasks.lock().unwrap().clear();
    let ids = said(&mut client).into_iter().map(|answer| answer["id"].clone());
    assert_eq!(ids.collect::<Vec<_>>(), [1, 4]);
}

#[test]
fn what_the_peer_does_not_allow_is_not_sent() {
    let mut client = ClientSideCore::new(Asking);
    let peer = client.agent();
    let image = || {
        let prompt = [ContentBlock::text("see"), ContentBlock::image("QQ==", "image/png")];
        peer.prompt(PromptRequest::new("s1", prompt))
    };
    // Before the handshake everything is.
    let mut early = pin!(image());
    assert!(poll(early.as_mut()).is_pending());
    let mut call = pin!(peer.initialize(InitializeRequest::new(1)));
    assert!(poll(call.as_mut()).is_pending());
    assert_eq!(said(&mut client).len(), 2);
    client.receive(b"{\"id\":1,\"result\":{\"protocolVersion\":1}}\n");
    assert!(poll(call).is_ready());
    let Poll::Ready(Err(error)) = poll(pin!(image())) else { panic!("it is sent") };
    let expected = "the peer does not allow params.prompt[1]: promptCapabilities.image";
    assert_eq!(error.to_string(), expected);
    let allowed = peer.prompt(PromptRequest::new("s1", [ContentBlock::text("see")]));
    assert!(poll(pin!(allowed)).is_pending());
}

#[test]
fn an_error_says_which_call_it_answers() {
    let mut client = ClientSideCore::new(Asking);
    let peer = client.agent();
    let mut call = pin!(peer.prompt(PromptRequest::new("s1", [ContentBlock::text("see")])));
    assert!(poll(call.as_mut()).is_pending());
    let error = json!({
        "code": -32601,
        "message": "Method not found",
        "data": {"method": "session/prompt"},
    });
    let answer = json!({"id": 0, "error": error}).to_string() + "\n";
    client.receive(answer.as_bytes());
    let Poll::Ready(Err(CallError::Answered(error))) = poll(call) else { panic!("it is answered") };
    assert_eq!(error.call(), Some("session/prompt"));
    assert_eq!(error.to_string(), "session/prompt: Method not found (-32601)");
    let refused = RequestError::method_not_found("session/prompt");
    assert_eq!(refused.call(), None);
    assert_eq!(refused.to_string(), "Method not found: session/prompt (-32601)");
    assert_eq!(error, refused);
}

#[test]
fn what_is_not_handled_is_not_advertised() {
    let capabilities = AgentCapabilities::new().load_session(true);
    let mut agent = AgentSideCore::new(Waiting { capabilities, ..Waiting::default() });
    let answers = ask(&mut agent, initialize(json!(1)));
    let error = json!({
        "code": -32603,
        "message": "advertises `loadSession` but does not handle `session/load`",
    });
    assert_eq!(answers[0]["error"], error);

    let client = ClientSideCore::new(Asking);
    let files = FileSystemCapabilities::new().read_text_file(true);
    let capabilities = ClientCapabilities::new().fs(files);
    let request = InitializeRequest::new(1).client_capabilities(capabilities);
    let call = client.agent().initialize(request);
    let Poll::Ready(Err(error)) = poll(pin!(call)) else { panic!("it is sent") };
    let expected = "advertises `fs.readTextFile` but does not handle `fs/read_text_file`";
    assert_eq!(error.to_string(), expected);
}
