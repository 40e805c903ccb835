//! Connections without input, output and executor.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use acp::connection::{Core, Observed, Options, Task};
use acp::json::Value;
use acp::*;
use serde_json::json;

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
            let update = SessionNotification::new(&request.session_id, update);
            context.client().session_update(update).await?;
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
    async fn ext_method(&self, _: String, params: Value, context: AgentContext) -> Result<Value> {
        if params["wait"] == true {
            context.cancelled().await;
        }
        Ok(json!({ "echoed": params }))
    }
}

/// Notes the texts it is sent.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<String>>>);

impl Client for Noting {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        let text = json!(params.update)["content"]["text"].to_string();
        self.0.lock().unwrap().push(text);
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

#[test]
fn bytes_come_in_any_pieces() {
    let mut agent = AgentSideCore::new(Echo);
    let lines = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#,
        "\r\n\n",
        r#"{"jsonrpc":"2.0","id":"é","method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#,
    );
    let mut answers = Vec::new();
    for byte in lines.as_bytes() {
        agent.receive(&[*byte]);
        answers.extend(said(&mut agent));
    }
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["result"]["protocolVersion"], 1);
    // The last line has no newline.
    agent.end();
    let answers = said(&mut agent);
    let expected = json!({"jsonrpc": "2.0", "id": "é", "result": {"sessionId": "s1"}});
    assert_eq!(answers, [expected]);
    let mut context = Context::from_waker(Waker::noop());
    assert!(agent.poll(&mut context).is_ready());
}

#[test]
fn a_batch_is_answered_as_one() {
    let mut agent = AgentSideCore::new(Echo);
    agent.receive(
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"method":"_wait","params":{"wait":true}},"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"_go","params":{}},7]"#,
            "\n"
        )
        .as_bytes(),
    );
    assert_eq!(said(&mut agent), [] as [Value; 0]);
    agent.receive(
        concat!(r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#, "\n")
            .as_bytes(),
    );
    let answers = said(&mut agent);
    assert_eq!(answers.len(), 1);
    let mut codes: Vec<_> = answers[0].as_array().unwrap().iter().map(summary).collect();
    codes.sort();
    let expected = [r#"1 {"echoed":{"wait":true}} null"#, r#"2 {"echoed":{}} null"#, "null null -32600"];
    assert_eq!(codes, expected);
}

fn summary(answer: &Value) -> String {
    format!("{} {} {}", answer["id"], answer["result"], answer["error"]["code"])
}

#[test]
fn two_cores_talk() {
    let noting = Noting::default();
    let mut client = ClientSideCore::new(noting.clone());
    let mut agent = AgentSideCore::new(Echo);
    let peer = client.agent();
    let mut conversation = pin!(async move {
        peer.initialize(InitializeRequest::new(1)).await?;
        let session = peer.new_session(NewSessionRequest::new("/", [])).await?.session_id;
        let prompt = [ContentBlock::text("one"), ContentBlock::text("two")];
        let response = peer.prompt(PromptRequest::new(session, prompt)).await?;
        Ok::<_, CallError>(response.stop_reason)
    });
    let mut context = Context::from_waker(Waker::noop());
    let mut bytes = Vec::new();
    for _ in 0..100 {
        if let Poll::Ready(result) = conversation.as_mut().poll(&mut context) {
            assert_eq!(result.unwrap(), StopReason::EndTurn);
            assert_eq!(*noting.0.lock().unwrap(), [r#""one""#, r#""two""#]);
            return;
        }
        let _ = client.poll(&mut context);
        if client.take_output(&mut bytes, &context) {
            agent.receive(&bytes);
        }
        let _ = agent.poll(&mut context);
        if agent.take_output(&mut bytes, &context) {
            client.receive(&bytes);
        }
    }
    panic!("the conversation hangs");
}

#[test]
fn an_executor_may_take_over() {
    let tasks: Arc<Mutex<Vec<Task>>> = Arc::default();
    let spawned = Arc::clone(&tasks);
    let spawn = move |task| spawned.lock().unwrap().push(task);
    let mut agent = AgentSideCore::with_options(Echo, Options::new(), spawn);
    agent.receive(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_wait\",\"params\":{\"wait\":true}}\n");
    assert_eq!(said(&mut agent), [] as [Value; 0]);
    let mut task = tasks.lock().unwrap().pop().expect("it waits");
    agent.end();
    let mut context = Context::from_waker(Waker::noop());
    assert!(agent.poll(&mut context).is_pending());
    assert!(task.as_mut().poll(&mut context).is_ready());
    assert_eq!(said(&mut agent).len(), 1);
    assert!(agent.poll(&mut context).is_ready());
}

/// Answers whatever is asked, and notes what it is told.
#[derive(Clone, Default)]
struct Catching(Noting);

impl Client for Catching {
    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        Ok(())
    }
    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }
    async fn ext_method(&self, method: String, _: Value, _: ClientContext) -> Result<Value> {
        Ok(json!({ "extension": method }))
    }
    async fn unknown_method(
        &self,
        method: String,
        params: Value,
        _: ClientContext,
    ) -> Result<Value> {
        Ok(json!({ "unknown": method, "params": params }))
    }
    async fn unknown_notification(
        &self,
        method: String,
        _: Value,
        _: ClientContext,
    ) -> Result<()> {
        self.0.0.lock().unwrap().push(method);
        Ok(())
    }
}

#[test]
fn what_no_other_function_handles_can_be_handled() {
    let catching = Catching::default();
    let mut client = ClientSideCore::new(catching.clone());
    let mut ask = |message: Value| {
        client.receive(format!("{message}\n").as_bytes());
        said(&mut client)
    };
    let answers = ask(json!({"id": 1, "method": "plain/echo", "params": [1]}));
    assert_eq!(answers[0]["result"], json!({"unknown": "plain/echo", "params": [1]}));
    let answers = ask(json!({"id": 2, "method": "_echo"}));
    assert_eq!(answers[0]["result"], json!({"extension": "_echo"}));
    // It is named, and left out.
    let params = json!({"sessionId": "s1", "path": "/x"});
    let answers = ask(json!({"id": 3, "method": "fs/read_text_file", "params": params}));
    assert_eq!(answers[0]["error"]["code"], -32601);
    assert!(ask(json!({"method": "plain/note"})).is_empty());
    // Nothing was written for extension notifications alone.
    assert!(ask(json!({"method": "_note"})).is_empty());
    assert_eq!(*catching.0.0.lock().unwrap(), ["plain/note", "_note"]);
}

#[test]
fn an_unknown_notification_is_observed() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let options = Options::new().observer(move |observed| {
        if let Observed::Ignored(method) = observed {
            noted.lock().unwrap().push((*method).to_owned());
        }
    });
    let mut agent = AgentSideCore::with_options(Echo, options, drop);
    agent.receive(b"{\"method\":\"plain/note\"}\n{\"id\":1,\"method\":\"plain/ask\"}\n");
    let answers = said(&mut agent);
    assert_eq!(answers[0]["error"]["code"], -32601);
    assert_eq!(*seen.lock().unwrap(), ["plain/note"]);
}

#[test]
fn a_batch_that_is_never_sent_fails_its_calls() {
    let client = ClientSideCore::new(Noting::default());
    let mut batch = client.agent().batch();
    let call = client.agent().ext_method("_x", json!({}));
    let mut answer = pin!(batch.call(call).unwrap());
    drop(batch);
    let mut context = Context::from_waker(Waker::noop());
    assert!(matches!(answer.as_mut().poll(&mut context), Poll::Ready(Err(CallError::Closed))));
}
