//! A server with two agents: one gives its input back, the other does what its input says. It is on
//! standard input and output, or if it is given options, on a port.

use std::sync::Arc;
use std::time::Duration;

use acp::json::Value;
use acp::*;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::sync::Notify;

#[derive(Default)]
struct Harness {
    /// Rings for the runs that wait. It is the only notification that a server takes.
    bell: Arc<Notify>,
}

impl Server for Harness {
    async fn initialize(
        &self,
        _: InitializeRequest,
        _: ServerContext,
    ) -> Result<InitializeResponse> {
        let capabilities = ServerCapabilities::new().agents(AgentsCapability::new());
        let server = Implementation::new("harness", "1");
        Ok(InitializeResponse::new("2025-06-18", capabilities, server))
    }

    async fn initialized(&self, _: InitializedNotification, _: ServerContext) -> Result<()> {
        self.bell.notify_waiters();
        Ok(())
    }

    async fn list_agents(
        &self,
        _: ListAgentsRequest,
        _: ServerContext,
    ) -> Result<ListAgentsResponse> {
        let text = json!({ "type": "string" });
        Ok(ListAgentsResponse::new(vec![
            Agent::new("echo", "Gives its input back.", true, true),
            Agent::new("obey", "Does what its input says.", text, true),
        ]))
    }

    async fn run_agent(
        &self,
        request: RunAgentRequest,
        context: ServerContext,
    ) -> Result<RunAgentResponse> {
        if request.name == "echo" {
            return Ok(RunAgentResponse::new(request.input));
        }
        let words: Vec<&str> = request.input.as_str().unwrap_or_default().split(' ').collect();
        let number = |at: usize, default: usize| {
            words.get(at).and_then(|word| word.parse().ok()).unwrap_or(default)
        };
        let token = request.meta.and_then(|meta| meta.progress_token);
        let mut run = Run { client: context.client(), token, text: String::new() };
        match words.first().copied().unwrap_or_default() {
            "updates" => {
                for _ in 0..number(1, 1) {
                    run.say("x".repeat(number(2, 20))).await?;
                }
            }
            "fs" => {
                for _ in 0..number(1, 1) {
                    if run.ask("_fetch").await? != "hello" {
                        return Err(RequestError::internal_error());
                    }
                }
            }
            "perm" => {
                let answer = run.ask("_ask").await?;
                run.say(answer).await?;
            }
            "throw" => return Err(RequestError::unexpected("thrown")),
            "throwcode" => {
                return Err(RequestError::new(-32042, "custom").data(json!({ "x": 1 })));
            }
            "panic" => panic!("this handler panics"),
            "drop" => {
                // The nearest thing in Rust: whoever was to give the answer is gone without it.
                let (sender, receiver) = tokio::sync::oneshot::channel();
                drop(sender);
                return receiver.await.map_err(|_| RequestError::internal_error());
            }
            "slow" => {
                self.bell.notified().await;
                return Ok(RunAgentResponse::new(Value::Null));
            }
            "sleep" => {
                context.cancelled().await;
                return Err(RequestError::request_cancelled());
            }
            "bad" => run.bad().await?,
            _ => {}
        }
        Ok(RunAgentResponse::new(json!({ "text": run.text })))
    }

    async fn unknown_method(
        &self,
        method: String,
        params: Value,
        _: ServerContext,
    ) -> Result<Value> {
        if method == "plain/echo" {
            Ok(json!({ "echoed": params }))
        } else {
            Err(RequestError::method_not_found(&method))
        }
    }
}

/// A run, and what it gave so far.
struct Run {
    client: ClientPeer,
    token: Option<ProgressToken>,
    text: String,
}

impl Run {
    /// A piece of the output.
    async fn say(&mut self, text: String) -> Result<()> {
        self.text += &text;
        if let Some(token) = &self.token {
            let piece = RunProgressNotification::new(token.clone(), json!({ "text": text }));
            self.client.run_progress(piece).await?;
        }
        Ok(())
    }

    /// Asks the client what the protocol does not know.
    async fn ask(&self, method: &'static str) -> Result<String> {
        let answer = self.client.call::<_, Value>(method, json!({})).await?;
        let answer = answer["answer"].as_str().ok_or_else(RequestError::internal_error)?;
        Ok(answer.to_owned())
    }

    /// Tells the codes of the errors that calls which are wrong get.
    async fn bad(&mut self) -> Result<()> {
        let mut codes = Vec::new();
        for method in ["no/such_method", "_fetch", "_no_such_extension"] {
            let answer = self.client.call::<_, Value>(method, json!({})).await;
            codes.push(answer.err().and_then(|error| error.code()));
        }
        self.say(json!(codes).to_string()).await
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    if std::env::args().len() > 1 {
        listen().await.map_err(|_| RequestError::internal_error())
    } else {
        ServerSideConnection::stdio(Harness::default()).await
    }
}

/// Serves over `WebSocket`s until standard input ends.
async fn listen() -> std::io::Result<()> {
    let server = ServerSideConnection::serve(|_| Harness::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({ "url": format!("http://{}/", listener.local_addr()?) }));
    let app = server.router();
    tokio::spawn(async { axum::serve(listener, app).await });
    let mut input = Vec::new();
    tokio::io::stdin().read_to_end(&mut input).await?;
    server.drain(Duration::from_secs(2)).await;
    std::process::exit(0);
}
