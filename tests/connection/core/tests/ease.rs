//! What is there to make common things short: shorthands, handles, states.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use acp::connection::{Core, Peer};
use acp::json::Value;
use acp::*;
use serde_json::json;

/// An agent that does nothing.
struct Idle;

impl Agent for Idle {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        Ok(InitializeResponse::new(context.protocol_version()))
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

/// What a core says next, as JSON.
fn said(core: &mut Core) -> Value {
    let mut context = Context::from_waker(Waker::noop());
    let mut bytes = Vec::new();
    let _ = core.poll(&mut context);
    assert!(core.take_output(&mut bytes, &context), "it says something");
    serde_json::from_slice(&bytes).unwrap()
}

/// Answers the call that a core made.
fn answered<F: Future>(
    core: &mut Core,
    mut call: Pin<&mut F>,
    result: &Value,
) -> (Value, F::Output) {
    let mut context = Context::from_waker(Waker::noop());
    assert!(call.as_mut().poll(&mut context).is_pending());
    let said = said(core);
    let answer = json!({"jsonrpc": "2.0", "id": said["id"], "result": result});
    core.receive(format!("{answer}\n").as_bytes());
    let Poll::Ready(output) = call.poll(&mut context) else { panic!("it is answered") };
    (said, output)
}

#[test]
fn text_is_content() {
    let long = SessionUpdate::agent_message_chunk(ContentBlock::text("hi"));
    assert_eq!(SessionUpdate::agent_message_chunk("hi"), long);
    assert_eq!(SessionUpdate::agent_message_chunk(String::from("hi")), long);
    let request = PromptRequest::new("s1", ["hi".into()]);
    assert_eq!(request.prompt, [ContentBlock::text("hi")]);
    let call = ToolCall::new("t", "Run").kind(ToolKind::Execute);
    assert!(SessionNotification::new("s1", call).update.as_tool_call().is_some());
}

#[test]
fn setters_take_what_may_be_there() {
    let text = String::from("x");
    let set = ToolCallUpdate::new("t").title(&text).kind(Some(ToolKind::Edit)).meta(Patch::Null);
    assert_eq!(set.title, Patch::Value(text.clone()));
    assert_eq!((set.kind.as_ref(), set.meta.is_null()), (Some(&ToolKind::Edit), true));
    let unset = set.title(None).kind(None).meta(None).content(None).content(Some(Vec::new()));
    assert!(unset.title.is_absent() && unset.kind.is_absent() && unset.meta.is_absent());
    assert_eq!(unset.content, Patch::Value(Vec::new()));

    let any = ToolCall::new("t", "Run").raw_input(json!({"a": 1})).raw_output("done");
    assert_eq!(
        (any.raw_input.as_ref(), any.raw_output.as_ref()),
        (Some(&json!({"a": 1})), Some(&json!("done")))
    );
    let any = any.raw_input(None).raw_output(Some(json!(null)));
    assert_eq!((any.raw_input, any.raw_output), (None, Some(Value::Null)));
    assert_eq!(ToolCall::new("t", "Run").raw_input([1, 2]).raw_input, Some(json!([1, 2])));

    let read = ReadTextFileRequest::new("/f", "s").line(1).limit(Some(2));
    assert_eq!((read.line, read.limit), (Patch::Value(1), Patch::Value(2)));
    let read = read.line(None).limit(Patch::Null);
    assert_eq!((read.line, read.limit), (Patch::Absent, Patch::Null));
}

#[test]
fn values_without_fractions_can_be_compared_in_full() {
    fn has_eq<T: Eq>() {}
    has_eq::<InitializeRequest>();
    has_eq::<SetSessionConfigOptionRequest>();
    has_eq::<RequestPermissionOutcome>();
    has_eq::<RequestError>();
}

#[test]
fn a_test_calls_a_handler_itself() {
    let core = AgentSideCore::new(Idle);
    let context = AgentContext::from(Peer::clone(&core.client()));
    assert!(context.request_id().is_none() && !context.is_cancelled());
    let mut call = pin!(Idle.prompt(PromptRequest::new("s1", ["hi".into()]), context));
    let Poll::Ready(response) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it does not wait")
    };
    assert_eq!(response.unwrap().stop_reason, StopReason::EndTurn);
}

#[test]
fn a_terminal_is_a_value_that_is_released_once() {
    let mut agent = AgentSideCore::new(Idle);
    let client = agent.client();
    let create = TerminalHandle::create(&client, CreateTerminalRequest::new("s1", "cargo"));
    let (said, terminal) = answered(&mut agent, pin!(create), &json!({"terminalId": "t1"}));
    assert_eq!(said["params"], json!({"sessionId": "s1", "command": "cargo"}));
    let terminal = terminal.unwrap();
    assert_eq!(terminal.terminal_id, TerminalId::from("t1"));
    let exit = terminal.wait_for_exit();
    let (said, exit) = answered(&mut agent, pin!(exit), &json!({"exitCode": 0}));
    assert_eq!(said["method"], "terminal/wait_for_exit");
    assert_eq!(said["params"], json!({"sessionId": "s1", "terminalId": "t1"}));
    assert!(exit.is_ok());
    let (said, released) = answered(&mut agent, pin!(terminal.release()), &json!({}));
    assert_eq!(said["method"], "terminal/release");
    assert!(released.is_ok());
}

fn update(update: Value) -> SessionUpdate {
    json::decode(&update.to_string()).unwrap()
}

#[test]
fn updates_make_up_a_state() {
    let mut state = SessionUpdateState::new();
    let call = json!({"sessionUpdate": "tool_call", "toolCallId": "b", "title": "B",
        "kind": "read", "content": [], "rawInput": {"x": 1}});
    assert!(state.apply(&update(call.clone())));
    assert!(!state.apply(&update(call)));
    let patch = json!({"sessionUpdate": "tool_call_update", "toolCallId": "b", "title": "C",
        "rawInput": null});
    assert!(state.apply(&update(patch)));
    let call = state.tool_calls.get("b").unwrap();
    assert_eq!((call.title.as_str(), &call.kind), ("C", &Some(ToolKind::Read)));
    assert_eq!(json!(call).get("rawInput"), None);
    // What is no whole item is none.
    let patch = json!({"sessionUpdate": "tool_call_update", "toolCallId": "z"});
    assert!(!state.apply(&update(patch)));
    let patch = json!({"sessionUpdate": "tool_call_update", "toolCallId": "a", "title": "A"});
    assert!(state.apply(&update(patch)));
    let keys: Vec<_> = state.tool_calls.iter().map(|(key, _)| key.to_owned()).collect();
    assert_eq!(keys, ["b", "a"]);
    assert!(state.plan.is_none());
    assert!(state.apply(&update(json!({"sessionUpdate": "plan", "entries": []}))));
    assert!(state.plan.is_some());
    assert!(!state.apply(&SessionUpdate::agent_message_chunk("hi")));
    // What an item has just one of can be asked for by itself.
    assert!(state.plan_entries().is_some_and(Vec::is_empty));
    assert_eq!(state.current_mode_id(), None);
    assert!(state.apply(&SessionUpdate::current_mode_update("ask")));
    assert_eq!(state.current_mode_id(), Some(&SessionModeId::new("ask")));
    // A cancelled turn leaves no call at work. The plan stays.
    assert!(state.turn_cancelled());
    let failed = |call: &ToolCall| call.status == Some(ToolCallStatus::Failed);
    assert!(state.tool_calls.values().all(failed));
    assert!(state.plan_entries().is_some_and(Vec::is_empty));
    assert!(!state.turn_cancelled());
}

#[test]
fn what_stands_before_a_late_tag_is_json_all_the_same() {
    let update = |before: &str| {
        let text = format!(r#"{{"other":{before},"content":{{"text":"a\"b","type":"text"}},"#);
        json::decode::<SessionUpdate>(&(text + r#""sessionUpdate":"agent_message_chunk"}"#))
    };
    let long = "x".repeat(100);
    for before in ["7", r#"[{"a":"]"},{}]"#, &format!(r#""{long}\u00e9\\""#)] {
        assert_eq!(update(before), Ok(SessionUpdate::agent_message_chunk(r#"a"b"#)), "{before}");
    }
    for before in
        ["[}", "[1 2]", "{1:2}", r#"["\q"]"#, &format!(r#""{long}\q""#), "[", "\"", "[tru]"]
    {
        assert!(update(before).is_err(), "{before}");
    }
}

#[test]
fn an_array_stands_for_the_list_of_a_union() {
    let option = || SessionConfigSelectOption::new("a", "A");
    let kind = SessionConfigOptionKind::select("a", [option()]);
    assert_eq!(kind, SessionConfigOptionKind::select("a", vec![option()]));
    let group = SessionConfigSelectGroup::new("g", "G", [option()]);
    assert!(SessionConfigSelectOptions::from([group]).as_grouped().is_some());
}

#[test]
fn errors_tell_what_is_wrong() {
    let place = json!({"path": "params.cwd", "expected": "a string", "found": "a number"});
    let wrong = "Invalid params: params.cwd: expected a string, found a number (-32602)";
    let whole = json!({"path": "", "expected": "an object", "found": "nothing"});
    let all_wrong = "Invalid params: expected an object, found nothing (-32602)";
    let with = |code: i32, message: &str, data: Value| RequestError::new(code, message).data(data);
    let errors = [
        (RequestError::method_not_found("x/y"), "Method not found: x/y (-32601)"),
        (with(-32601, "No x/y", json!({"method": "x/y"})), "No x/y (-32601)"),
        (with(-32601, "No", json!(["x/y"])), "No (-32601)"),
        (RequestError::invalid_params().data(place), wrong),
        (RequestError::invalid_params().data(whole), all_wrong),
        (RequestError::invalid_params().data(json!({"path": 1})), "Invalid params (-32602)"),
        (with(1, "no", json!({"method": "x/y"})), "no (1)"),
        (RequestError::resource_not_found("file:///a"), "Resource not found: file:///a (-32002)"),
        (with(-32002, "No a", json!({"uri": "a"})), "No a (-32002)"),
        (with(-32002, "No", json!({"uri": 1, "path": "a"})), "No (-32002)"),
        (RequestError::resource_not_found(None), "Resource not found (-32002)"),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
    }
}
