//! Functions beside a call: what is chosen, and files where the client has none.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use acp::connection::{AnyMessage, FileError, MessageReceiver, MessageSender, Options};
use acp::json::Value;
use acp::*;
use serde_json::json;
use tokio::time::timeout;

mod echo {
    #![allow(dead_code, reason = "its main function is not called")]
    include!("echo.rs");

    pub(crate) fn agent() -> impl Agent + 'static {
        Echo
    }
}

/// An agent, and what its client sends and receives.
struct Ends {
    agent: AgentSideConnection,
    sender: MessageSender,
    receiver: MessageReceiver,
}

/// Ends in time, or the test fails.
async fn soon<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_secs(60), future).await.expect("it ends in time")
}

impl Ends {
    /// The client has said that it can do this.
    async fn told(capabilities: Value) -> Self {
        let (agent, sender, receiver) =
            AgentSideConnection::over_messages(echo::agent(), Options::new());
        let mut ends = Self { agent, sender, receiver };
        let params = json!({"protocolVersion": 1, "clientCapabilities": capabilities});
        ends.send(json!({"id": 0, "method": "initialize", "params": params})).await;
        soon(ends.receiver.receive()).await.expect("an answer");
        ends
    }

    async fn send(&mut self, mut message: AnyMessage) {
        message["jsonrpc"] = json!("2.0");
        soon(self.sender.send(&message)).await.unwrap();
    }

    /// What a call results in that is answered so.
    async fn answered<T>(&mut self, call: impl Future<Output = T>, answer: AnyMessage) -> T {
        let answering = async {
            let mut answer = answer;
            answer["id"] = soon(self.receiver.receive()).await.expect("a call")["id"].clone();
            self.send(answer).await;
        };
        tokio::join!(soon(call), answering).0
    }
}

fn options() -> [PermissionOption; 3] {
    [
        PermissionOption::new("y", "Yes", PermissionOptionKind::AllowOnce),
        PermissionOption::new("a", "Always", PermissionOptionKind::AllowAlways),
        PermissionOption::new("n", "No", PermissionOptionKind::RejectOnce),
    ]
}

async fn chosen(
    outcome: Value,
) -> std::result::Result<(Option<PermissionOption>, bool), CallError> {
    let mut ends = Ends::told(json!({})).await;
    let client = ends.agent.client();
    let request = RequestPermissionRequest::new("s", ToolCallUpdate::new("t"), options());
    let answer = json!({"result": {"outcome": outcome}});
    let option = client.choose_permission(request.clone());
    let option = ends.answered(option, answer.clone()).await?;
    Ok((option, ends.answered(client.ask_permission(request), answer).await?))
}

#[tokio::test]
async fn what_is_chosen_is_given() {
    for (option, means) in options().into_iter().zip([true, true, false]) {
        let outcome = json!({"outcome": "selected", "optionId": option.option_id});
        assert_eq!(chosen(outcome).await.unwrap(), (Some(option), means));
    }
    assert_eq!(chosen(json!({"outcome": "cancelled"})).await.unwrap(), (None, false));
    let error = chosen(json!({"outcome": "selected", "optionId": "x"})).await.unwrap_err();
    assert_eq!(error.to_string(), "malformed response: `x` was not offered");
}

/// A file that is there for a test.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("acp-{name}-{}", std::process::id()));
        fs::write(&path, "one\r\ntwo\nthrée").unwrap();
        Self(path)
    }

    fn text(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    fn reading(&self) -> ReadTextFileRequest {
        ReadTextFileRequest::new("s", self.0.to_str().unwrap())
    }

    fn writing(&self, text: &str) -> WriteTextFileRequest {
        WriteTextFileRequest::new("s", self.0.to_str().unwrap(), text)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn the_client_is_asked_for_a_file() {
    let file = File::new("asked");
    let able = json!({"fs": {"readTextFile": true, "writeTextFile": true}});
    let mut ends = Ends::told(able).await;
    let client = ends.agent.client();
    let answer = json!({"result": {"content": "unsaved"}});
    let text = ends.answered(client.read_file(file.reading()), answer).await;
    assert_eq!(text.unwrap(), "unsaved");
    let answer = json!({"result": {}});
    ends.answered(client.write_file(file.writing("new")), answer).await.unwrap();
    assert!(file.text().starts_with(b"one"));
    let answer = json!({"error": {"code": -32603, "message": "No"}});
    let error = ends.answered(client.read_file(file.reading()), answer).await.unwrap_err();
    assert!(matches!(&error, FileError::Call(error) if error.code() == Some(-32603)));
    assert_eq!(RequestError::from(error).code, -32603);
}

#[tokio::test]
async fn the_disk_is_used_where_the_client_has_no_files() {
    let file = File::new("disk");
    let ends = Ends::told(json!({})).await;
    let client = ends.agent.client();
    let lines = async |request| soon(client.read_file(request)).await.unwrap();
    assert_eq!(lines(file.reading()).await, "one\r\ntwo\nthrée");
    assert_eq!(lines(file.reading().line(2)).await, "two\nthrée");
    assert_eq!(lines(file.reading().line(2).limit(1)).await, "two\n");
    assert_eq!(lines(file.reading().limit(1)).await, "one\r\n");
    assert_eq!(lines(file.reading().line(9)).await, "");
    soon(client.write_file(file.writing("a\r\nb\n"))).await.unwrap();
    assert_eq!(file.text(), b"a\r\nb\n");
    let gone = ReadTextFileRequest::new("s", "/no/such/file");
    let error = soon(client.read_file(gone)).await.unwrap_err();
    let FileError::Disk { error: ref inner, .. } = error else { panic!("{error:?}") };
    assert_eq!(inner.kind(), ErrorKind::NotFound);
    assert!(error.to_string().starts_with("/no/such/file: "), "{error}");
    assert_eq!(RequestError::from(error).code, -32603);
}

#[tokio::test]
async fn a_client_without_the_method_has_no_files() {
    let file = File::new("missing");
    let mut ends = Ends::told(json!({"fs": {"readTextFile": true}})).await;
    let client = ends.agent.client();
    let answer = json!({"error": {"code": -32601, "message": "Method not found"}});
    let text = ends.answered(client.read_file(file.reading().limit(1)), answer).await;
    assert_eq!(text.unwrap(), "one\r\n");
}
