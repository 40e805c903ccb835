//! What the other end is told of from its start to its end.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use acp::connection::Options;
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

/// What is told, in its order.
fn told(core: &mut AgentSideCore) -> Vec<Value> {
    let mut context = Context::from_waker(Waker::noop());
    let (mut all, mut bytes) = (Vec::new(), Vec::new());
    let _ = core.poll(&mut context);
    while core.take_output(&mut bytes, &context) {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        all.extend(lines.map(|line| serde_json::from_slice::<Value>(line).unwrap()));
    }
    let updates = all.into_iter().map(|message| {
        assert_eq!(message["params"]["sessionId"], "s");
        message["params"]["update"].clone()
    });
    updates.collect()
}

/// What a future that need not wait gives.
fn now<T>(future: impl Future<Output = T>) -> T {
    let Poll::Ready(output) = pin!(future).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("there is nothing to wait for")
    };
    output
}

fn begun(core: &AgentSideCore) -> ToolCallProgress {
    now(core.client().tool_call_progress("s", ToolCall::new("t", "Run"))).unwrap()
}

fn opened() -> Value {
    json!({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Run", "status": "in_progress"})
}

fn changed(status: &str) -> Value {
    json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": status})
}

#[test]
fn it_ends_with_what_was_to_be_done() {
    let mut core = AgentSideCore::new(Idle);
    let call = begun(&core);
    let work = async {
        call.update(|it| it.title("Walk")).await?;
        Ok(5)
    };
    assert_eq!(now(call.run(work)).unwrap(), 5);
    drop(call);
    let walked =
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "Walk"});
    assert_eq!(told(&mut core), [opened(), walked, changed("completed")]);
}

#[test]
fn the_first_end_counts() {
    let mut core = AgentSideCore::new(Idle);
    let pending = ToolCall::new("t", "Run").status(ToolCallStatus::Pending);
    let call = now(core.client().tool_call_progress("s", pending)).unwrap();
    now(call.fail_with(|it| it.title("Fell"))).unwrap();
    now(call.complete()).unwrap();
    now(call.update(|it| it.title("Late"))).unwrap();
    now(call.cancel()).unwrap();
    drop(call);
    let (mut opened, mut fell) = (opened(), changed("failed"));
    opened["status"] = json!("pending");
    fell["title"] = json!("Fell");
    assert_eq!(told(&mut core), [opened, fell]);
}

#[test]
fn an_error_has_it_fail() {
    let mut core = AgentSideCore::new(Idle);
    let call = begun(&core);
    let failed = async { Err::<(), _>(RequestError::auth_required()) };
    assert_eq!(now(call.run(failed)).unwrap_err(), RequestError::auth_required());
    assert_eq!(told(&mut core), [opened(), changed("failed")]);
}

#[test]
fn what_is_dropped_has_ended() {
    let options = Options::new().max_buffered(0);
    let mut core = AgentSideCore::with_options(Idle, options, |_| {});
    let call = begun(&core);
    {
        let mut context = Context::from_waker(Waker::noop());
        // There is no space for it, and then nobody who waits.
        assert!(pin!(call.complete()).poll(&mut context).is_pending());
    }
    drop(call);
    assert_eq!(told(&mut core), [opened(), changed("failed")]);
}
