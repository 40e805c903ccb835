//! Programs that a client runs for its agent.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use acp::*;
use serde_json::json;
use tokio::time::{sleep, timeout};

/// Ends in time, or the test fails.
async fn soon<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_secs(60), future).await.expect("it ends in time")
}

/// The terminals of a session.
#[derive(Clone)]
struct Terminals {
    host: Arc<TerminalHost>,
    session: &'static str,
}

/// A script that a shell runs.
fn script(script: &str) -> CreateTerminalRequest {
    CreateTerminalRequest::new("s", "sh").args(["-c".into(), script.into()])
}

impl Terminals {
    fn new(options: ProgramOptions) -> Self {
        Self { host: Arc::new(TerminalHost::new(options)), session: "s" }
    }

    fn create(&self, request: &CreateTerminalRequest) -> TerminalId {
        self.host.create_terminal(request).unwrap().terminal_id
    }

    fn try_output(&self, id: &TerminalId) -> Result<TerminalOutputResponse> {
        self.host.terminal_output(&TerminalOutputRequest::new(self.session, id))
    }

    fn output(&self, id: &TerminalId) -> TerminalOutputResponse {
        self.try_output(id).unwrap()
    }

    async fn wait(&self, id: &TerminalId) -> Result<WaitForTerminalExitResponse> {
        let request = WaitForTerminalExitRequest::new(self.session, id);
        soon(self.host.wait_for_terminal_exit(&request)).await
    }

    async fn kill(&self, id: &TerminalId) -> Result<KillTerminalResponse> {
        let request = KillTerminalRequest::new(self.session, id);
        soon(self.host.kill_terminal(&request)).await
    }

    async fn release(&self, id: &TerminalId) -> Result<ReleaseTerminalResponse> {
        let request = ReleaseTerminalRequest::new(self.session, id);
        soon(self.host.release_terminal(&request)).await
    }

    /// Waits until the program has said something.
    async fn said(&self, id: &TerminalId, text: &str) -> String {
        soon(async {
            loop {
                let output = self.output(id).output;
                if output.contains(text) {
                    return output;
                }
                sleep(Duration::from_millis(10)).await;
            }
        })
        .await
    }
}

fn default() -> Terminals {
    Terminals::new(ProgramOptions::new())
}

/// Waits until a process has ended. What nobody has waited for is a zombie.
async fn gone(process: &str) {
    let stat = Path::new("/proc").join(process.trim()).join("stat");
    let is_left = || fs::read_to_string(&stat).is_ok_and(|text| !text.contains(") Z "));
    soon(async {
        while is_left() {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_is_given_what_was_asked_for() {
    let terminals = default();
    let text = "cat; echo \"$WORD\" \"${PATH:+has a path}\"; pwd; exit 3";
    let folder = fs::canonicalize(std::env::temp_dir()).unwrap();
    let folder = folder.to_str().unwrap();
    let request = script(text).env([EnvVariable::new("WORD", "hello")]).cwd(folder);
    let id = terminals.create(&request);
    let ended = terminals.wait(&id).await.unwrap();
    assert_eq!(json!(ended), json!({ "exitCode": 3 }));
    let expected = json!({
        "output": format!("hello has a path\n{folder}\n"),
        "truncated": false,
        "exitStatus": { "exitCode": 3 },
    });
    assert_eq!(json!(terminals.output(&id)), expected);
    let late = terminals.create(&script("echo late >&2"));
    terminals.wait(&late).await.unwrap();
    assert_eq!(terminals.output(&late).output, "late\n");
}

#[tokio::test]
async fn what_is_no_text_is_replaced() {
    let terminals = default();
    let id = terminals.create(&script(r"printf 'a\377b\303'; sleep 0.1; printf '\251\303'"));
    terminals.wait(&id).await.unwrap();
    assert_eq!(terminals.output(&id).output, "a\u{fffd}b\u{e9}\u{fffd}");
}

#[tokio::test]
async fn the_beginning_is_lost_at_a_character() {
    let options = ProgramOptions::new().output_limit(3).max_output_limit(8);
    let terminals = Terminals::new(options);
    let cases = [
        (Patch::Value(0), "abäöx", "", true),
        (Patch::Value(2), "abäöx", "x", true),
        (Patch::Value(4), "abäöx", "öx", true),
        (Patch::Value(5), "abäöx", "äöx", true),
        (Patch::Value(7), "abäöx", "abäöx", false),
        (Patch::Absent, "abcdef", "def", true),
        (Patch::Null, "abc", "abc", false),
        (Patch::Value(100), "0123456789", "23456789", true),
    ];
    for (limit, text, expected, is_lost) in cases {
        let request = script(&format!("printf '{text}'")).output_byte_limit(limit);
        let id = terminals.create(&request);
        terminals.wait(&id).await.unwrap();
        let TerminalOutputResponse { output, truncated, .. } = terminals.output(&id);
        assert_eq!((text, &*output, truncated), (text, expected, is_lost));
    }
}

#[tokio::test]
async fn a_program_is_killed_with_what_it_has_started() {
    let grace = Duration::from_millis(200);
    let terminals = Terminals::new(ProgramOptions::new().grace(grace));
    // What it has started ignores what it ignores.
    for (first, signal) in [("", "SIGTERM"), ("trap '' TERM; ", "SIGKILL")] {
        let id = terminals.create(&script(&format!("{first}sleep 600 & echo $!; wait")));
        let started = terminals.said(&id, "\n").await;
        assert_eq!(terminals.output(&id).exit_status, Patch::Absent);
        terminals.kill(&id).await.unwrap();
        let output = terminals.output(&id);
        assert_eq!(json!(output.exit_status.as_ref()), json!({ "signal": signal }));
        assert_eq!(json!(terminals.wait(&id).await.unwrap()), json!({ "signal": signal }));
        gone(&started).await;
        // What has ended is killed in vain.
        terminals.kill(&id).await.unwrap();
    }
}

#[tokio::test]
async fn a_wait_is_not_kept_by_what_has_the_output() {
    let terminals = default();
    let id = terminals.create(&script("(sleep 2; echo more; sleep 600) & echo first"));
    assert_eq!(terminals.wait(&id).await.unwrap().exit_code, Patch::Value(0));
    assert_eq!(terminals.output(&id).output, "first\n");
    // It goes on, and is still heard.
    terminals.said(&id, "first\nmore\n").await;
}

#[tokio::test]
async fn what_is_released_ends_and_is_forgotten() {
    let terminals = default();
    let id = terminals.create(&script("sleep 600"));
    let wait = || {
        let (terminals, id) = (terminals.clone(), id.clone());
        tokio::spawn(async move { terminals.wait(&id).await.unwrap() })
    };
    let waits = [wait(), wait()];
    let cancelled = wait();
    sleep(Duration::from_millis(50)).await;
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    terminals.release(&id).await.unwrap();
    for ended in waits {
        assert_eq!(json!(soon(ended).await.unwrap()), json!({ "signal": "SIGTERM" }));
    }
    let errors = [
        terminals.try_output(&id).unwrap_err(),
        terminals.wait(&id).await.unwrap_err(),
        terminals.kill(&id).await.unwrap_err(),
        terminals.release(&id).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code, -32602);
        assert_eq!(error.data, Some(json!({ "terminalId": id })));
        assert!(error.message.contains(id.as_str()), "{}", error.message);
    }
}

#[tokio::test]
async fn terminals_belong_to_sessions() {
    let terminals = default();
    let id = terminals.create(&script("echo mine"));
    let other = Terminals { session: "other", ..terminals.clone() };
    assert_eq!(other.release(&id).await.unwrap_err().code, -32602);
    terminals.wait(&id).await.unwrap();
}

#[tokio::test]
async fn there_are_not_too_many() {
    let terminals = Terminals::new(ProgramOptions::new().max_open(2));
    let first = terminals.create(&script("exit 0"));
    assert_ne!(first, terminals.create(&script("exit 0")));
    let error = terminals.host.create_terminal(&script("exit 0")).unwrap_err();
    assert!(error.message.contains("2 programs were started and not given back"));
    terminals.release(&first).await.unwrap();
    terminals.create(&script("exit 0"));
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let terminals = Terminals::new(ProgramOptions::new().max_open(1));
    let cases = [
        (CreateTerminalRequest::new("s", "no-such-program"), "cannot start `no-such-program`: No"),
        (script("").cwd("/no/such/folder"), "the folder `/no/such/folder` does not exist"),
        (CreateTerminalRequest::new("s", "a\0b"), "nul byte"),
    ];
    for (request, expected) in cases {
        let error = terminals.host.create_terminal(&request).unwrap_err();
        assert!(error.message.contains(expected), "{}", error.message);
        assert_eq!(error.code, -32602);
        let data = error.data.unwrap();
        assert!(data["command"].is_string(), "{data}");
    }
    // What was not started is not counted.
    terminals.create(&script("exit 0"));
}

#[tokio::test]
async fn nothing_outlives_the_host() {
    let terminals = default();
    let id = terminals.create(&script("sleep 600 & echo $!; wait"));
    let started = terminals.said(&id, "\n").await;
    let began = Instant::now();
    drop(terminals);
    gone(&started).await;
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// A client that forwards to a host.
#[derive(Default)]
struct Editor {
    terminals: TerminalHost,
}

impl Client for Editor {
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

    async fn create_terminal(
        &self,
        params: CreateTerminalRequest,
        _: ClientContext,
    ) -> Result<CreateTerminalResponse> {
        self.terminals.create_terminal(&params)
    }

    async fn terminal_output(
        &self,
        params: TerminalOutputRequest,
        _: ClientContext,
    ) -> Result<TerminalOutputResponse> {
        self.terminals.terminal_output(&params)
    }

    async fn wait_for_terminal_exit(
        &self,
        params: WaitForTerminalExitRequest,
        _: ClientContext,
    ) -> Result<WaitForTerminalExitResponse> {
        self.terminals.wait_for_terminal_exit(&params).await
    }

    async fn kill_terminal(
        &self,
        params: KillTerminalRequest,
        _: ClientContext,
    ) -> Result<KillTerminalResponse> {
        self.terminals.kill_terminal(&params).await
    }

    async fn release_terminal(
        &self,
        params: ReleaseTerminalRequest,
        _: ClientContext,
    ) -> Result<ReleaseTerminalResponse> {
        self.terminals.release_terminal(&params).await
    }
}

/// An agent that runs a program at its client.
struct Runner;

impl Agent for Runner {
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
        Ok(NewSessionResponse::new("s"))
    }

    async fn prompt(&self, _: PromptRequest, context: AgentContext) -> Result<PromptResponse> {
        let command = CreateTerminalRequest::new("s", "echo").args(["hi".into()]);
        let terminal = TerminalHandle::create(&context.client(), command).await?;
        let ended = terminal.wait_for_exit().await?;
        assert_eq!(ended.exit_code, Patch::Value(0));
        assert_eq!(terminal.current_output().await?.output, "hi\n");
        terminal.kill().await?;
        terminal.release().await?;
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

#[tokio::test]
async fn a_client_forwards_to_it() {
    let (client, _agent) = ClientSideConnection::pair(Editor::default(), Runner);
    let able = ClientCapabilities::new().terminal(true);
    let request = InitializeRequest::new(PROTOCOL_VERSION).client_capabilities(able);
    soon(client.initialize(request)).await.unwrap();
    soon(client.prompt(PromptRequest::new("s", []))).await.unwrap();
}
