//! What a connection does, seen from its own API.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acp::connection::{Observed, Options};
use acp::json::Value;
use acp::*;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::time::{sleep, timeout};

mod echo {
    #![allow(dead_code, reason = "its main function is not called")]
    include!("echo.rs");

    pub(crate) fn agent() -> impl Agent + 'static {
        Echo
    }
}

/// Ends in time, or the test fails.
async fn soon<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_secs(60), future).await.expect("it ends in time")
}

/// A client that notes what it sees, and takes its time.
#[derive(Clone, Default)]
struct Slow {
    seen: Arc<Mutex<Vec<String>>>,
    calls_back: bool,
}

impl Client for Slow {
    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }

    async fn session_update(
        &self,
        params: SessionNotification,
        context: ClientContext,
    ) -> Result<()> {
        sleep(Duration::from_millis(20)).await;
        if self.calls_back {
            let answer = context.agent().ext_method("_echo", json!({})).await?;
            self.seen.lock().unwrap().push(answer.to_string());
        }
        let update = json!(params.update);
        self.seen.lock().unwrap().push(update["content"]["text"].to_string());
        Ok(())
    }
}

/// The far end of a connection, as text.
struct Raw {
    lines: tokio::io::Lines<BufReader<tokio::io::ReadHalf<DuplexStream>>>,
    writer: tokio::io::WriteHalf<DuplexStream>,
}

impl Raw {
    fn new(stream: DuplexStream) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    async fn receive(&mut self) -> Value {
        let line = soon(self.lines.next_line()).await.unwrap().expect("a line");
        serde_json::from_str(&line).unwrap()
    }

    async fn send(&mut self, text: &str) {
        self.writer.write_all(format!("{text}\n").as_bytes()).await.unwrap();
    }

    async fn update(&mut self, text: &str) {
        let update = json!({
            "jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": {
                "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}
            }}
        });
        self.send(&update.to_string()).await;
    }
}

fn client(handler: impl Client + 'static) -> (ClientSideConnection, Raw) {
    let (near, far) = duplex(1 << 20);
    let (reader, writer) = tokio::io::split(near);
    (ClientSideConnection::new(handler, reader, writer), Raw::new(far))
}

fn agent(handler: impl Agent + 'static) -> (AgentSideConnection, Raw) {
    let (near, far) = duplex(1 << 20);
    let (reader, writer) = tokio::io::split(near);
    (AgentSideConnection::new(handler, reader, writer), Raw::new(far))
}

fn prompt() -> PromptRequest {
    PromptRequest::new("s1", vec![ContentBlock::text("hi")])
}

#[tokio::test]
async fn the_echo_agent_echoes() {
    let (near, far) = duplex(1 << 16);
    let (reader, writer) = tokio::io::split(near);
    let agent = AgentSideConnection::new(echo::agent(), reader, writer);
    let (reader, writer) = tokio::io::split(far);
    let slow = Slow::default();
    let client = ClientSideConnection::new(slow.clone(), reader, writer);
    soon(client.initialize(InitializeRequest::new(1))).await.unwrap();
    let session = soon(client.new_session(NewSessionRequest::new("/", vec![]))).await.unwrap();
    let request = PromptRequest::new(&session.session_id, vec![ContentBlock::text("hi")]);
    soon(client.prompt(request)).await.unwrap();
    assert_eq!(*slow.seen.lock().unwrap(), ["\"hi\""]);
    soon(client.close()).await.unwrap();
    drop(client);
    soon(agent.closed()).await.unwrap();
}

#[tokio::test]
async fn a_response_waits_for_the_updates_before_it() {
    let slow = Slow::default();
    let (connection, mut raw) = client(slow.clone());
    let call = tokio::spawn(async move { connection.prompt(prompt()).await });
    let id = raw.receive().await["id"].clone();
    for text in ["a", "b", "c"] {
        raw.update(text).await;
    }
    raw.send(&json!({"id": id, "result": {"stopReason": "end_turn"}}).to_string()).await;
    soon(call).await.unwrap().unwrap();
    assert_eq!(*slow.seen.lock().unwrap(), ["\"a\"", "\"b\"", "\"c\""]);
}

#[tokio::test]
async fn a_notification_may_wait_for_the_peer() {
    let slow = Slow { calls_back: true, ..Slow::default() };
    let (connection, mut raw) = client(slow.clone());
    let call = tokio::spawn(async move { connection.prompt(prompt()).await });
    let id = raw.receive().await["id"].clone();
    raw.update("a").await;
    raw.send(&json!({"id": id, "result": {"stopReason": "end_turn"}}).to_string()).await;
    let own = raw.receive().await;
    assert_eq!(own["method"], "_echo");
    // Before the peer answers, it asks something itself.
    let request = json!({"id": "q", "method": "no/such"});
    raw.send(&request.to_string()).await;
    assert_eq!(raw.receive().await["id"], "q");
    raw.send(&json!({"id": own["id"], "result": "own"}).to_string()).await;
    soon(call).await.unwrap().unwrap();
    assert_eq!(*slow.seen.lock().unwrap(), ["\"own\"", "\"a\""]);
}

#[tokio::test]
async fn malformed_responses_settle_their_calls() {
    let (connection, mut raw) = client(Slow::default());
    let connection = Arc::new(connection);
    for body in [
        r#""result":{"stopReason":"end_turn"},"error":{"code":1,"message":"x"}"#,
        r#""error":null"#,
        r#""error":{"code":1}"#,
        r#""error":{"code":"1","message":"x"}"#,
        r#""error":{"code":4294967296,"message":"x"}"#,
        r#""other":1"#,
        r#""result":{"stopReason":7}"#,
    ] {
        let caller = Arc::clone(&connection);
        let call = tokio::spawn(async move { caller.prompt(prompt()).await });
        let id = raw.receive().await["id"].clone();
        raw.send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{body}}}")).await;
        let error = soon(call).await.unwrap().unwrap_err();
        assert!(matches!(error, CallError::Malformed(_)), "{body}: {error:?}");
    }
}

#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    let (connection, mut raw) = client(Slow::default());
    let call = timeout(Duration::from_millis(20), connection.prompt(prompt()));
    assert!(call.await.is_err());
    let id = raw.receive().await["id"].clone();
    let cancel = raw.receive().await;
    assert_eq!(cancel["method"], methods::CANCEL_REQUEST);
    assert_eq!(cancel["params"]["requestId"], id);
}

#[tokio::test]
async fn what_the_peer_cannot_do_is_not_sent() {
    let (connection, mut raw) = client(Slow::default());
    let connection = Arc::new(connection);
    let caller = Arc::clone(&connection);
    let call = tokio::spawn(async move { caller.initialize(InitializeRequest::new(1)).await });
    let id = raw.receive().await["id"].clone();
    let capabilities = json!({"sessionCapabilities": {"list": {}}});
    let result = json!({"protocolVersion": 1, "agentCapabilities": capabilities});
    raw.send(&json!({"id": id, "result": result}).to_string()).await;
    soon(call).await.unwrap().unwrap();
    let request = LoadSessionRequest::new(vec![], "/", "s1");
    let error = soon(connection.load_session(request)).await.unwrap_err();
    assert!(matches!(error, CallError::NotSupported { .. }), "{error:?}");
    let caller = Arc::clone(&connection);
    let call = tokio::spawn(async move { caller.list_sessions(ListSessionsRequest::new()).await });
    let request = raw.receive().await;
    assert_eq!(request["method"], methods::LIST_SESSIONS);
    raw.send(&json!({"id": request["id"], "result": {"sessions": []}}).to_string()).await;
    soon(call).await.unwrap().unwrap();
}

#[tokio::test]
async fn batches_are_answered_call_by_call() {
    let (connection, mut raw) = client(Slow::default());
    let mut batch = connection.batch();
    let refused = batch.call(connection.prompt(prompt())).unwrap_err();
    assert!(matches!(refused, CallError::NotInBatch { .. }));
    let first = batch.call(connection.ext_method("_one", json!(1))).unwrap();
    let second = batch.call(connection.list_sessions(ListSessionsRequest::new())).unwrap();
    batch.notify(connection.cancel(CancelNotification::new("s1"))).unwrap();
    soon(batch.send()).await.unwrap();
    let sent = raw.receive().await;
    let methods: Vec<_> = sent.as_array().unwrap().iter().map(|entry| &entry["method"]).collect();
    assert_eq!(methods, ["_one", "session/list", "session/cancel"]);
    let answers = json!([
        {"id": sent[1]["id"], "result": {"sessions": []}},
        {"id": sent[0]["id"], "error": {"code": 5, "message": "no"}},
    ]);
    raw.send(&answers.to_string()).await;
    assert_eq!(soon(first).await.unwrap_err().code(), Some(5));
    assert!(soon(second).await.unwrap().sessions.is_empty());
}

#[tokio::test]
async fn the_end_fails_calls_and_cancels_handlers() {
    let (connection, raw) = client(Slow::default());
    let connection = Arc::new(connection);
    let caller = Arc::clone(&connection);
    let call = tokio::spawn(async move { caller.prompt(prompt()).await });
    sleep(Duration::from_millis(20)).await;
    drop(raw);
    assert_eq!(soon(call).await.unwrap().unwrap_err(), CallError::Closed);
    let _ = soon(connection.closed()).await;
    assert_eq!(soon(connection.prompt(prompt())).await.unwrap_err(), CallError::Closed);
}

/// An agent whose prompts wait until they are cancelled, or send updates without end.
struct Busy {
    running: Arc<AtomicUsize>,
    sent: Arc<AtomicUsize>,
}

impl Agent for Busy {
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
        context: AgentContext,
    ) -> Result<NewSessionResponse> {
        self.running.fetch_add(1, Ordering::SeqCst);
        context.cancelled().await;
        self.running.fetch_sub(1, Ordering::SeqCst);
        Err(RequestError::internal_error())
    }
    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        loop {
            let update = SessionUpdate::agent_message_chunk(ContentBlock::text("x".repeat(1000)));
            let update = SessionNotification::new(&request.session_id, update);
            context.client().session_update(update).await?;
            self.sent.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn busy() -> (Busy, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (running, sent) = (Arc::default(), Arc::default());
    (Busy { running: Arc::clone(&running), sent: Arc::clone(&sent) }, running, sent)
}

#[tokio::test]
async fn a_cancelled_handler_answers_so() {
    let (handler, running, _) = busy();
    let (_connection, mut raw) = agent(handler);
    let params = json!({"cwd": "/", "mcpServers": []});
    raw.send(&json!({"id": 1.5, "method": "session/new", "params": params}).to_string()).await;
    raw.send(&json!({"method": "$/cancel_request", "params": {"requestId": 1.5}}).to_string())
        .await;
    let answer = raw.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1.5), &json!(-32800)));
    assert_eq!(running.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_slow_reader_slows_the_sender() {
    let (handler, _, sent) = busy();
    let (_connection, mut raw) = agent(handler);
    let params = json!({"sessionId": "s1", "prompt": []});
    raw.send(&json!({"id": 1, "method": "session/prompt", "params": params}).to_string()).await;
    sleep(Duration::from_millis(100)).await;
    let before = sent.load(Ordering::SeqCst);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(sent.load(Ordering::SeqCst), before);
    assert!(before < 3000, "{before} updates were held");
    for _ in 0..5000 {
        raw.receive().await;
    }
}

/// A client that is never done with an update.
struct Stuck;

impl Client for Stuck {
    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }

    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_slow_handler_slows_the_sender() {
    let (connection, mut raw) = client(Stuck);
    // Nor does it read on for the answer to a call that has to wait its turn.
    let _call = tokio::spawn(async move { connection.prompt(prompt()).await });
    raw.receive().await;
    let text = "x".repeat(10_000);
    let mut taken = 0;
    while taken < 1000 && timeout(Duration::from_millis(200), raw.update(&text)).await.is_ok() {
        taken += 1;
    }
    assert!(taken < 1000, "{taken} updates were taken");
}

#[tokio::test]
async fn requests_at_a_time_are_bounded() {
    let (handler, running, _) = busy();
    let (near, far) = duplex(1 << 20);
    let (reader, writer) = tokio::io::split(near);
    let options = Options::new().max_requests(3);
    let _connection = AgentSideConnection::with_options(handler, reader, writer, options);
    let mut raw = Raw::new(far);
    let params = json!({"cwd": "/", "mcpServers": []});
    for id in 0..6 {
        raw.send(&json!({"id": id, "method": "session/new", "params": params}).to_string()).await;
    }
    sleep(Duration::from_millis(50)).await;
    assert_eq!(running.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_fails_its_call() {
    let (near, far) = duplex(1 << 10);
    let (reader, writer) = tokio::io::split(near);
    let dropped = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&dropped);
    let options = Options::new().max_depth(6).observer(move |observed| match observed {
        Observed::Dropped { .. } => drop(counter.fetch_add(1, Ordering::SeqCst)),
        Observed::Sent(line) | Observed::Received(line) => assert!(!line.ends_with(b"\n")),
        _ => {}
    });
    let connection = ClientSideConnection::with_options(Slow::default(), reader, writer, options);
    let mut raw = Raw::new(far);
    let call = tokio::spawn(async move { connection.prompt(prompt()).await });
    raw.receive().await;
    raw.send(r#"{"id":7,"result":[[[[[[1]]]]]]}"#).await;
    assert_eq!(raw.receive().await["error"]["code"], -32700);
    raw.send(r#"{"result":[[[[[[1]]]]]],"id":0}"#).await;
    let error = soon(call).await.unwrap().unwrap_err();
    assert!(matches!(&error, CallError::Malformed(why) if why.contains("6 levels")), "{error:?}");
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_connection_may_have_no_batches() {
    let (near, far) = duplex(1 << 10);
    let (reader, writer) = tokio::io::split(near);
    let options = Options::new().batches(false);
    let connection = ClientSideConnection::with_options(Slow::default(), reader, writer, options);
    let mut raw = Raw::new(far);
    raw.send(r#"[{"id":1,"method":"_a"},{"method":"_b"}]"#).await;
    let answer = raw.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
    let refused = connection.batch().call(connection.ext_method("_a", json!(1))).unwrap_err();
    assert!(matches!(refused, CallError::NotInBatch { .. }));
    soon(connection.cancel(CancelNotification::new("s1"))).await.unwrap();
    assert_eq!(raw.receive().await["method"], "session/cancel");
}

#[tokio::test]
async fn long_lines_are_skipped_and_everything_is_observed() {
    let (handler, ..) = busy();
    let (near, far) = duplex(1 << 10);
    let (reader, writer) = tokio::io::split(near);
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let options = Options::new().max_line(1000).observer(move |observed| {
        if matches!(observed, Observed::Sent(_) | Observed::Received(_)) {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    });
    let _connection = AgentSideConnection::with_options(handler, reader, writer, options);
    let mut raw = Raw::new(far);
    raw.send(&"x".repeat(100_000)).await;
    let answer = raw.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
    raw.send(r#"{"id":1,"method":"no/such"}"#).await;
    assert_eq!(raw.receive().await["error"]["code"], -32601);
    assert_eq!(count.load(Ordering::SeqCst), 3);
    let mut rest = Vec::new();
    drop(raw.writer);
    let _ = timeout(Duration::from_millis(10), raw.lines.into_inner().read_to_end(&mut rest)).await;
    assert!(rest.is_empty());
}
