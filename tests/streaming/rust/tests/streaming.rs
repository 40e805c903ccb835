//! What a client sees of a run whose output comes in pieces.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sdk::connection::{Observed, Options};
use sdk::streams::StreamedCall;
use sdk::{
    AgentsCapability, CallError, Client, ClientCapabilities, ClientContext, ClientSideConnection,
    Implementation, InitializeRequest, InitializeResponse, InitializedNotification,
    ListAgentsRequest, ListAgentsResponse, ProgressToken, RequestError, Result, RunAgentRequest,
    RunAgentResponse, RunProgressNotification, Server, ServerCapabilities, ServerContext,
    ServerSideConnection,
};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

/// Sends the deltas of its input, and gives its output.
struct Sender;

impl Server for Sender {
    async fn initialize(&self, _: InitializeRequest, _: ServerContext) -> Result<InitializeResponse> {
        let mut capabilities = ServerCapabilities::default();
        capabilities.agents = Some(AgentsCapability::default());
        let info = Implementation::new("s", "1");
        Ok(InitializeResponse::new("1", capabilities, info))
    }

    async fn initialized(&self, _: InitializedNotification, _: ServerContext) -> Result<()> {
        Ok(())
    }

    async fn list_agents(&self, _: ListAgentsRequest, _: ServerContext) -> Result<ListAgentsResponse> {
        Ok(ListAgentsResponse::new(Vec::new()))
    }

    async fn run_agent(&self, run: RunAgentRequest, context: ServerContext) -> Result<RunAgentResponse> {
        let token = run.meta.and_then(|meta| meta.progress_token);
        let token = match run.input.get("stray") {
            Some(Value::String(stray)) => Some(ProgressToken::Text(stray.clone())),
            _ => token,
        };
        for delta in run.input["deltas"].as_array().unwrap() {
            let token = token.clone().unwrap();
            let progress = RunProgressNotification::new(token, delta.clone());
            context.client().run_progress(progress).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        match run.name.as_str() {
            "fail" => Err(RequestError::new(-32042, "no")),
            "wait" => std::future::pending().await,
            _ => Ok(RunAgentResponse::new(run.input["output"].clone())),
        }
    }
}

#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<Value>>>);

impl Client for Listener {
    async fn run_progress(&self, told: RunProgressNotification, _: ClientContext) -> Result<()> {
        self.0.lock().unwrap().push(told.delta);
        Ok(())
    }
}

async fn connected(listener: impl Client + 'static) -> (ClientSideConnection, ServerSideConnection) {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(near);
    let client = ClientSideConnection::new(listener, reader, writer);
    let (reader, writer) = tokio::io::split(far);
    let server = ServerSideConnection::new(Sender, reader, writer);
    let info = Implementation::new("c", "1");
    let initialize = InitializeRequest::new("1", ClientCapabilities::default(), info);
    client.initialize(initialize).await.unwrap();
    (client, server)
}

fn run(
    client: &ClientSideConnection,
    name: &str,
    input: Value,
) -> StreamedCall<RunAgentRequest, RunAgentResponse> {
    client.run_agent_streamed(RunAgentRequest::new(name, input))
}

async fn pieces(run: &mut StreamedCall<RunAgentRequest, RunAgentResponse>) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some(piece) = run.next().await {
        found.push(piece);
    }
    found
}

#[tokio::test]
async fn pieces_come_as_they_are_and_make_up_the_output() {
    let (client, _server) = connected(Listener::default()).await;
    let deltas = json!([["he"], ["llo", "th"], [null], ["ere"], [null, "general"]]);
    let output = json!(["hello", "there", "general"]);
    let mut run = run(&client, "a", json!({ "deltas": deltas, "output": output }));
    assert_eq!(run.output(), None);
    assert_eq!(Value::from(pieces(&mut run).await), deltas);
    assert_eq!(run.output(), Some(output.clone()));
    let finished = run.finish().await.unwrap();
    assert_eq!(finished.result.output, output);
    assert_eq!(finished.joined, Some(output));
    assert!(!finished.differs && finished.error.is_none());
}

#[tokio::test]
async fn an_output_that_differs_is_reported_and_counts() {
    let (client, _server) = connected(Listener::default()).await;
    let run = run(&client, "a", json!({ "deltas": ["a", "b"], "output": "abc" }));
    let finished = run.finish().await.unwrap();
    assert_eq!(finished.result.output, json!("abc"));
    assert_eq!(finished.joined, Some(json!("ab")));
    assert!(finished.differs && finished.error.is_none());
}

#[tokio::test]
async fn pieces_that_cannot_be_joined_are_reported_and_still_given() {
    let (client, _server) = connected(Listener::default()).await;
    let mut run = run(&client, "a", json!({ "deltas": ["a", 1, "b"], "output": "ab" }));
    assert_eq!(pieces(&mut run).await, [json!("a"), json!(1), json!("b")]);
    let finished = run.finish().await.unwrap();
    assert_eq!(finished.joined, Some(json!("a")));
    assert!(finished.differs && finished.error.is_some());
}

#[tokio::test]
async fn without_pieces_there_is_nothing_to_compare() {
    let (client, _server) = connected(Listener::default()).await;
    let run = run(&client, "a", json!({ "deltas": [], "output": { "whole": true } }));
    let finished = run.finish().await.unwrap();
    assert!(finished.joined.is_none() && !finished.differs);
}

#[tokio::test]
async fn runs_at_the_same_time_keep_apart() {
    let (client, _server) = connected(Listener::default()).await;
    let one = run(&client, "a", json!({ "deltas": ["x", "x"], "output": "xx" }));
    let other = run(&client, "a", json!({ "deltas": ["y", "y"], "output": "yy" }));
    assert_ne!(one.token(), other.token());
    let (one, other) = tokio::join!(one.finish(), other.finish());
    assert_eq!(one.unwrap().joined, Some(json!("xx")));
    assert_eq!(other.unwrap().joined, Some(json!("yy")));
}

#[tokio::test]
async fn a_failure_ends_the_pieces_and_fails_the_run() {
    let (client, _server) = connected(Listener::default()).await;
    let mut run = run(&client, "fail", json!({ "deltas": ["a"], "output": "" }));
    assert_eq!(pieces(&mut run).await, [json!("a")]);
    let error = run.finish().await.unwrap_err();
    assert!(matches!(&error, CallError::Answered(error) if error.code == -32042), "{error:?}");
}

#[tokio::test]
async fn a_run_can_be_given_up() {
    let (client, _server) = connected(Listener::default()).await;
    let mut run = run(&client, "wait", json!({ "deltas": ["a"], "output": "" }));
    assert_eq!(run.next().await, Some(json!("a")));
    drop(run);
    let list = client.list_agents(ListAgentsRequest::default()).await;
    assert!(list.unwrap().agents.is_empty());
}

/// The protocol has nothing by which the peer is told: a run that was sent goes on.
#[tokio::test]
async fn a_run_that_is_cancelled_first_is_not_sent() {
    let (client, _server) = connected(Listener::default()).await;
    let unsent = run(&client, "wait", json!({ "deltas": ["a"], "output": "" })).cancel();
    let error = unsent.finish().await.unwrap_err();
    assert!(matches!(&error, CallError::Answered(error) if error.code == -32800), "{error:?}");
    let mut sent = run(&client, "a", json!({ "deltas": ["a"], "output": "a" }));
    assert_eq!(sent.next().await, Some(json!("a")));
    assert_eq!(sent.cancel().finish().await.unwrap().result.output, json!("a"));
}

#[tokio::test]
async fn what_belongs_to_no_run_goes_to_the_handler() {
    let listener = Listener::default();
    let (client, _server) = connected(listener.clone()).await;
    let input = json!({ "deltas": [1, 2], "output": 3, "stray": "mine" });
    let finished = run(&client, "a", input).finish().await.unwrap();
    assert!(finished.joined.is_none());
    assert_eq!(*listener.0.lock().unwrap(), [json!(1), json!(2)]);
}

/// Begins a run for each thing that it is told, and waits for the first piece.
#[derive(Clone, Default)]
struct Asking(Arc<Mutex<Vec<Value>>>);

impl Client for Asking {
    async fn run_progress(&self, _: RunProgressNotification, context: ClientContext) -> Result<()> {
        let input = json!({ "deltas": ["a"], "output": "" });
        let mut run = context.server().run_agent_streamed(RunAgentRequest::new("wait", input));
        let piece = run.next().await.unwrap_or_default();
        self.0.lock().unwrap().push(piece);
        Ok(())
    }
}

#[tokio::test]
async fn pieces_wait_for_no_handler() {
    let asking = Asking::default();
    let (client, _server) = connected(asking.clone()).await;
    let input = json!({ "deltas": [1], "output": 2, "stray": "mine" });
    run(&client, "a", input).finish().await.unwrap();
    assert_eq!(*asking.0.lock().unwrap(), [json!("a")]);
}

/// Has no interest in pieces.
struct Deaf;

impl Client for Deaf {}

#[tokio::test]
async fn what_nothing_handles_is_ignored_whatever_it_says() {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let noted = Arc::clone(&seen);
    let options = Options::new().observer(move |observed| {
        if !matches!(observed, Observed::Received(_) | Observed::Sent(_)) {
            noted.lock().unwrap().push(format!("{observed:?}"));
        }
    });
    let (near, mut far) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(near);
    let client = ClientSideConnection::with_options(Deaf, reader, writer, options);
    let method = "notifications/agents/run/progress";
    for params in ["5", r#"{"delta":"x"}"#, r#"{"progressToken":"t","delta":1e400}"#] {
        let line = format!("{{\"method\":\"{method}\",\"params\":{params}}}\n");
        far.write_all(line.as_bytes()).await.unwrap();
    }
    drop(far);
    client.closed().await.unwrap();
    let ignored = format!("Ignored({method:?})");
    assert_eq!(*seen.lock().unwrap(), [ignored.as_str(); 3]);
}
