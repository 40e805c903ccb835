//! Typed calls of catalogue entries, at a server in the same program.

use sdk::catalogue::Catalogue;
use sdk::{
    AgentsCapability, CallError, Client, ClientCapabilities, ClientSideConnection, Implementation,
    InitializeRequest, InitializeResponse, InitializedNotification, ListAgentsRequest,
    ListAgentsResponse, RateInput, RateOutput, RequestError, Result, RunAgentRequest,
    RunAgentResponse, Server, ServerCapabilities, ServerContext, ServerSideConnection, ShoutInput,
    TranslateInput, TranslateInputLanguage, TranslateInputTerm,
};
use serde_json::{Value, json};

struct Agents;

impl Server for Agents {
    async fn initialize(&self, _: InitializeRequest, _: ServerContext) -> Result<InitializeResponse> {
        let mut capabilities = ServerCapabilities::default();
        capabilities.agents = Some(AgentsCapability::default());
        Ok(InitializeResponse::new("1", capabilities, Implementation::new("s", "1")))
    }

    async fn initialized(&self, _: InitializedNotification, _: ServerContext) -> Result<()> {
        Ok(())
    }

    async fn list_agents(&self, _: ListAgentsRequest, _: ServerContext) -> Result<ListAgentsResponse> {
        Ok(ListAgentsResponse::new(Vec::new()))
    }

    async fn run_agent(&self, run: RunAgentRequest, _: ServerContext) -> Result<RunAgentResponse> {
        let output = match (run.name.as_str(), &run.input) {
            ("shout", Value::String(text)) => json!(text.to_uppercase()),
            ("translate", input) => {
                let terms = json!({"text": "x", "to": "la", "glossary": [{"from": "a", "to": "b"}]});
                assert_eq!(*input, terms);
                json!({"text": "salve", "used": [{"position": 3}]})
            }
            ("rate", Value::Bool(true)) => json!("good"),
            ("rate", _) => json!({"no": "rating"}),
            _ => return Err(RequestError::new(-32042, "no")),
        };
        Ok(RunAgentResponse::new(output))
    }
}

#[derive(Clone)]
struct Quiet;

impl Client for Quiet {}

#[tokio::test]
async fn each_is_called_with_types_of_its_own() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(near);
    let client = ClientSideConnection::new(Quiet, reader, writer);
    let (reader, writer) = tokio::io::split(far);
    let _server = ServerSideConnection::new(Agents, reader, writer);
    let info = Implementation::new("c", "1");
    let initialize = InitializeRequest::new("1", ClientCapabilities::default(), info);
    client.initialize(initialize).await.unwrap();

    let agents = Catalogue::new(client.server());
    let louder = agents.shout(&ShoutInput::from("hey")).await.unwrap();
    assert_eq!(louder.as_str(), "HEY");
    let input = TranslateInput::new("x", TranslateInputLanguage::La)
        .glossary(vec![TranslateInputTerm::new("a", "b")]);
    let output = agents.translate(&input).await.unwrap();
    assert_eq!((output.text.as_str(), output.used[0].position), ("salve", 3));
    assert_eq!(agents.rate(&RateInput::from(true)).await.unwrap(), RateOutput::Good);
    let refused = agents.rate(&RateInput::from(false)).await;
    assert!(matches!(refused, Err(CallError::Malformed(_))), "{refused:?}");
    let failed = agents.sort_all(&vec![1].into()).await;
    assert_eq!(failed.unwrap_err().code(), Some(-32042));
}
