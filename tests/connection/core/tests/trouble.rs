//! What goes wrong on a connection: who is told, and that nothing hangs.

mod shaky;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use acp::connection::Options;
use acp::json::Value;
use acp::*;
use serde_json::json;

use shaky::{Shaky, ask, client, observed, poll, said};

fn update(session: &str) -> String {
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}});
    let params = json!({"sessionId": session, "update": update});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string()
}

#[test]
fn a_handler_that_fails_tells_its_observer_and_not_the_peer() {
    let (options, seen) = observed(Options::new());
    let mut client = client(options);
    for (method, error) in
        [("_panic", "the handler panicked: no {}"), ("_unexpected", "disk full")]
    {
        let answers = ask(&mut client, &json!({"id": 1, "method": method}).to_string());
        assert_eq!(answers[0]["error"], json!({"code": -32603, "message": "Internal error"}));
        let expected = format!("Failed {{ method: {method:?}, error: {error:?} }}");
        assert_eq!(*seen.lock().unwrap(), [expected]);
        seen.lock().unwrap().clear();
    }
    for session in ["panic", "error"] {
        assert!(ask(&mut client, &update(session)).is_empty());
    }
    let expected = [
        "Failed { method: \"session/update\", error: \"the handler panicked: no update today\" }",
        "Failed { method: \"session/update\", error: \"disk full\" }",
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[test]
fn the_peer_can_be_told_why_a_handler_failed() {
    let mut client = client(Options::new().error_details());
    let answers = ask(&mut client, r#"{"id":1,"method":"_unexpected"}"#);
    assert_eq!(answers[0]["error"]["data"], json!({"details": "disk full"}));
    // What is an error for the peer is sent as it is.
    let answers = ask(&mut client, r#"{"id":2,"method":"plain"}"#);
    assert_eq!(answers[0]["error"]["data"], json!({"method": "plain"}));
}

#[test]
fn what_is_thrown_away_or_forgiven_is_observed() {
    let (options, seen) = observed(Options::new().max_line(1000));
    let mut client = client(options);
    ask(&mut client, "nothing");
    ask(&mut client, "7");
    ask(&mut client, &"x".repeat(1100));
    ask(&mut client, r#"{"method":"session/update","params":{"sessionId":7}}"#);
    ask(&mut client, r#"{"method":"plain/note"}"#);
    ask(&mut client, r#"{"id":7,"result":{}}"#);
    let expected = [
        r#"Dropped { method: None, path: "", reason: "it is not JSON: nothing" }"#,
        r#"Dropped { method: None, path: "", reason: "it is no request, notification or response: 7" }"#,
        r#"Dropped { method: None, path: "", reason: "it is longer than 1000 bytes" }"#,
        r#"Dropped { method: Some("session/update"), path: "params.sessionId", reason: "expected a string, found a number" }"#,
        r#"Ignored("plain/note")"#,
        r#"Unexpected("7")"#,
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    seen.lock().unwrap().clear();
    let tool = json!({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "content": 7});
    let params = json!({"sessionId": "s1", "update": tool});
    ask(&mut client, &json!({"method": "session/update", "params": params}).to_string());
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!(seen[0].starts_with(r#"Forgiven { method: "session/update", path: "params."#), "{seen:?}");
}

#[test]
fn what_is_forgiven_in_a_result_is_observed() {
    let (options, seen) = observed(Options::new());
    let mut client = client(options);
    let mut call = client.agent().new_session(NewSessionRequest::new("/", []));
    assert!(poll(&mut call).is_pending());
    assert_eq!(said(&mut client).len(), 1);
    ask(&mut client, r#"{"id":0,"result":{"sessionId":"s1","modes":7}}"#);
    assert!(matches!(poll(&mut call), Poll::Ready(Ok(_))));
    let seen = seen.lock().unwrap();
    let expected = "Forgiven { method: \"session/new\", path: \"result.modes\"";
    assert!(seen.len() == 1 && seen[0].starts_with(expected), "{seen:?}");
}

#[test]
fn a_notification_that_was_left_out_is_ignored() {
    let (options, seen) = observed(Options::new());
    let mut agent = AgentSideCore::with_options(Silent, options, drop);
    ask(&mut agent, r#"{"method":"_note","params":{}}"#);
    assert_eq!(*seen.lock().unwrap(), [r#"Ignored("_note")"#]);
    // This one cancels, and has done so.
    ask(&mut agent, r#"{"method":"session/cancel","params":{"sessionId":"s1"}}"#);
    assert_eq!(seen.lock().unwrap().len(), 1);
}

struct Silent;

impl Agent for Silent {
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
    async fn prompt(&self, _: PromptRequest, _: AgentContext) -> Result<PromptResponse> {
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

#[test]
fn an_observer_that_panics_ends_nothing() {
    let mut client = client(Options::new().observer(|_| panic!("it saw something")));
    let answers = ask(&mut client, r#"{"id":1,"method":"_echo","params":[1]}"#);
    assert_eq!(answers[0]["result"], json!([1]));
}

#[test]
fn cancelling_can_wait_for_the_answer() {
    let mut client = client(Options::new());
    let mut call = client.agent().ext_method("_x", json!({}));
    assert!(poll(&mut call).is_pending());
    let mut call = call.cancel();
    let sent = said(&mut client);
    assert_eq!(sent[1]["params"], json!({"requestId": 0}));
    assert!(poll(&mut call).is_pending());
    ask(&mut client, r#"{"id":0,"result":"done all the same"}"#);
    assert_eq!(poll(&mut call), Poll::Ready(Ok(json!("done all the same"))));
    // What was not sent is not sent.
    let mut call = client.agent().ext_method("_x", json!({})).cancel();
    let Poll::Ready(Err(error)) = poll(&mut call) else { panic!("it fails") };
    assert_eq!(error.code(), Some(-32800));
    assert!(said(&mut client).is_empty());
}

#[test]
fn what_comes_after_a_concurrent_notification_does_not_wait() {
    let stuck = update("stuck");
    let ask_for = format!("{stuck}\n{}", json!({"id": 1, "method": "_echo", "params": [1]}));
    assert!(ask(&mut client(Options::new()), &ask_for).is_empty());
    let options = Options::new().concurrent(["session/update"]).max_requests(2);
    let tasks: Arc<Mutex<Vec<_>>> = Arc::default();
    let kept = Arc::clone(&tasks);
    let mut client = ClientSideCore::with_options(Shaky, options, move |task| {
        kept.lock().unwrap().push(task);
    });
    assert_eq!(ask(&mut client, &ask_for)[0]["result"], json!([1]));
    assert_eq!(ask(&mut client, &ask_for)[0]["result"], json!([1]));
    // They are bounded, too.
    assert!(ask(&mut client, &ask_for).is_empty());
    assert_eq!(tasks.lock().unwrap().len(), 2);
}

#[test]
fn what_comes_after_an_answer_waits_for_its_caller() {
    let chunk = format!("{}\n{}\n{}", r#"{"id":0,"result":1}"#, update("error"), r#"{"id":5,"method":"_echo","params":[1]}"#);
    for (what, seen_before) in [("waits", 0), ("was dropped", 1), ("was never awaited", 1)] {
        let (options, seen) = observed(Options::new());
        let mut client = client(options);
        let peer = client.agent();
        let mut call = Box::pin(peer.ext_method("_x", json!({})));
        let mut batch = peer.batch();
        let mut answer = None;
        if what == "was never awaited" {
            answer = Some(batch.call(peer.ext_method("_x", json!({}))).unwrap());
            assert!(poll(&mut std::pin::pin!(batch.send())).is_ready());
        } else {
            assert!(poll(&mut call).is_pending());
        }
        said(&mut client);
        if what == "was dropped" {
            client.receive(format!("{chunk}\n").as_bytes());
            drop(call);
            assert_eq!(said(&mut client).len(), 1);
        } else {
            assert_eq!(ask(&mut client, &chunk).len(), seen_before);
            assert_eq!(seen.lock().unwrap().len(), seen_before);
            if what == "waits" {
                assert!(poll(&mut call).is_ready());
                assert_eq!(said(&mut client)[0]["result"], json!([1]));
            }
        }
        assert_eq!(seen.lock().unwrap().len(), 1, "{what}");
        drop(answer);
    }
}

#[test]
fn what_comes_after_an_answer_does_not_wait_for_ever() {
    let (options, seen) = observed(Options::new());
    let mut client = client(options);
    let mut call = client.agent().ext_method("_x", json!({}));
    assert!(poll(&mut call).is_pending());
    said(&mut client);
    client.receive(format!("{}\n{}\n", r#"{"id":0,"result":1}"#, update("error")).as_bytes());
    // Its caller has turned to something else.
    while seen.lock().unwrap().is_empty() {
        said(&mut client);
        std::thread::yield_now();
    }
    assert_eq!(poll(&mut call), Poll::Ready(Ok(json!(1))));
}

#[test]
fn a_connection_with_a_wrong_name_in_concurrent_ends_at_once() {
    let concurrent = |name: &str| Options::new().concurrent([name]);
    for name in ["session/updates", "sessionUpdate", "session/cancel", "fs/read_text_file", "_x"] {
        let mut client = client(concurrent(name));
        let mut call = Box::pin(client.agent().ext_method("_x", json!({})));
        let Poll::Ready(Err(CallError::Options(reason))) = poll(&mut call) else {
            panic!("{name} is taken")
        };
        assert!(reason.starts_with(&format!("{name:?} in concurrent is no notification")), "{reason}");
        assert!(reason.contains("it handles session/update, elicitation/complete,"), "{reason}");
        let mut context = Context::from_waker(Waker::noop());
        assert!(client.poll(&mut context).is_ready());
        assert!(said(&mut client).is_empty());
    }
    let mut known = client(concurrent("elicitation/complete"));
    assert_eq!(ask(&mut known, r#"{"id":1,"method":"_echo","params":[1]}"#)[0]["result"], json!([1]));
}

/// An agent that has no handler for cancellations.
struct Mute;

impl Agent for Mute {
    async fn initialize(&self, _: InitializeRequest, _: AgentContext) -> Result<InitializeResponse> {
        Err(RequestError::internal_error())
    }
    async fn authenticate(
        &self,
        _: AuthenticateRequest,
        _: AgentContext,
    ) -> Result<AuthenticateResponse> {
        Err(RequestError::internal_error())
    }
    async fn new_session(&self, _: NewSessionRequest, _: AgentContext) -> Result<NewSessionResponse> {
        Err(RequestError::internal_error())
    }
    async fn prompt(&self, _: PromptRequest, _: AgentContext) -> Result<PromptResponse> {
        Err(RequestError::internal_error())
    }
}

#[test]
fn a_cancellation_that_nothing_handles_is_read() {
    let (options, seen) = observed(Options::new());
    let mut agent = AgentSideCore::with_options(Mute, options, drop);
    for params in [json!({"sessionId": "s"}), json!({"sessionId": 7}), json!({})] {
        let line = json!({"method": "session/cancel", "params": params}).to_string();
        assert!(ask(&mut agent, &line).is_empty());
    }
    let seen = seen.lock().unwrap();
    let dropped = r#"Dropped { method: Some("session/cancel"), path: "params.sessionId", reason: "expected "#;
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!(seen[0], format!("{dropped}a string, found a number\" }}"));
    assert!(seen[1].starts_with(dropped), "{seen:?}");
}

/// A writer whose text can be read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn every_message_can_be_logged() {
    let log = Shared::default();
    let mut client = client(Options::new().log_to(log.clone()));
    ask(&mut client, r#"{"id":1,"method":"_echo","params":[1]}"#);
    ask(&mut client, "nothing");
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sides: Vec<_> = records.iter().map(|it| (it["from"].as_str(), it["to"].as_str())).collect();
    let (inward, outward) = ((Some("agent"), Some("client")), (Some("client"), Some("agent")));
    assert_eq!(sides, [inward, outward, inward, outward]);
    assert_eq!(records[0]["message"], json!({"id": 1, "method": "_echo", "params": [1]}));
    assert_eq!(records[1]["message"]["result"], json!([1]));
    assert_eq!(records[2]["message"], "nothing");
    let time = records[0]["time"].as_str().unwrap();
    let shape: String =
        time.chars().map(|next| if next.is_ascii_digit() { '0' } else { next }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z");
    assert!(("2025-01-01".."2200-01-01").contains(&time), "{time}");
}
