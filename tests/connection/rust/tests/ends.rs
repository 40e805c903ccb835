//! What can be at the other end: a process, an end in this process, messages.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acp::connection::{AnyMessage, Options, Process, Stderr};
use acp::json::Value;
use acp::*;
use serde_json::json;
use tokio::io::{AsyncWriteExt, duplex};
use tokio::time::timeout;

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

/// A client that takes updates.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<Value>>>);

impl Client for Noting {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        self.0.lock().unwrap().push(json!(params.update)["content"]["text"].clone());
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

#[tokio::test]
async fn two_ends_talk_within_a_process() {
    let noting = Noting::default();
    let (client, agent) = ClientSideConnection::pair(noting.clone(), echo::agent());
    soon(client.initialize(InitializeRequest::new(1))).await.unwrap();
    let long = "x".repeat(1 << 20);
    let request = PromptRequest::new("s1", ["hi".into(), long.clone().into()]);
    soon(client.prompt(request)).await.unwrap();
    assert_eq!(*noting.0.lock().unwrap(), ["hi", &long]);
    soon(client.close()).await.unwrap();
    soon(agent.closed()).await.unwrap();
    let error = soon(agent.client().ext_method("_x", json!({}))).await.unwrap_err();
    assert!(error.is_closed());
}

#[tokio::test]
async fn messages_come_in_place_of_bytes() {
    let (agent, mut sender, mut receiver) =
        AgentSideConnection::over_messages(echo::agent(), Options::new());
    let message: AnyMessage =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}});
    soon(sender.send(&message)).await.unwrap();
    let answer = soon(receiver.receive()).await.expect("an answer");
    assert_eq!((&answer["id"], &answer["result"]["protocolVersion"]), (&json!(1), &json!(1)));
    drop(sender);
    soon(agent.closed()).await.unwrap();
    assert_eq!(soon(receiver.receive()).await, None);
}

#[tokio::test]
async fn calls_to_a_peer_that_says_nothing_more_fail_though_it_does_not_read() {
    let (near, far) = duplex(64);
    let (reader, writer) = tokio::io::split(near);
    let options = Options::new().max_buffered(1000);
    let connection = ClientSideConnection::with_options(Noting::default(), reader, writer, options);
    let connection = Arc::new(connection);
    let mut calls = Vec::new();
    // The first is being written, the second is more than what may wait, so that the third waits.
    for size in [5000, 2000, 10] {
        let caller = Arc::clone(&connection);
        let request = PromptRequest::new("s1", ["x".repeat(size).into()]);
        calls.push(tokio::spawn(async move { caller.prompt(request).await }));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (_unread, mut writer) = tokio::io::split(far);
    writer.shutdown().await.unwrap();
    for call in calls {
        assert_eq!(soon(call).await.unwrap().unwrap_err(), CallError::Closed);
    }
    let late = connection.prompt(PromptRequest::new("s1", ["hi".into()]));
    assert_eq!(soon(late).await.unwrap_err(), CallError::Closed);
    let mut batch = connection.batch();
    let answer = batch.call(connection.ext_method("_x", json!({}))).unwrap();
    assert_eq!(soon(batch.send()).await.unwrap_err(), CallError::Closed);
    assert_eq!(soon(answer).await.unwrap_err(), CallError::Closed);
}

#[test]
fn calls_and_handlers_can_go_to_other_threads() {
    fn is_send<T: Send>(_: T) {}
    fn can_move<T: Send + 'static>() {}
    fn of_handler<A: Agent + 'static>(agent: &A, context: AgentContext) {
        is_send(agent.prompt(PromptRequest::new("s1", []), context.clone()));
        is_send(agent.cancel(CancelNotification::new("s1"), context.clone()));
        is_send(agent.ext_method("_x".into(), json!({}), context));
    }
    fn of_connection(connection: &ClientSideConnection) {
        is_send(connection.prompt(PromptRequest::new("s1", [])));
        is_send(connection.prompt(PromptRequest::new("s1", [])).cancel());
        is_send(connection.cancel(CancelNotification::new("s1")));
        is_send(connection.batch().send());
        is_send(connection.closed());
        is_send(connection.close());
    }
    can_move::<ClientSideConnection>();
    can_move::<AgentSideConnection>();
    can_move::<AgentPeer>();
    can_move::<Process>();
    can_move::<connection::Answer<PromptResponse>>();
    is_send(AgentSideConnection::stdio(echo::agent()));
    let _ = |context| of_handler(&echo::agent(), context);
    let _ = of_connection;
}

#[cfg(unix)]
mod processes {
    use super::*;

    fn shell(script: &str) -> Process {
        Process::new("/bin/sh").args(["-c", script])
    }

    fn start(process: impl Into<Process>) -> ClientSideConnection {
        ClientSideConnection::spawn_process(Noting::default(), process).unwrap()
    }

    async fn failed(connection: &ClientSideConnection) -> CallError {
        soon(connection.initialize(InitializeRequest::new(1))).await.unwrap_err()
    }

    #[tokio::test]
    async fn what_is_missing_at_its_start_is_named() {
        let why = |process: Process| {
            let started = ClientSideConnection::spawn_process(Noting::default(), process);
            started.map(drop).unwrap_err().to_string()
        };
        let folder = why(shell("true").current_dir("/no/such/folder"));
        assert_eq!(folder, "cannot start `/bin/sh`: the folder `/no/such/folder` does not exist");
        let program = why(Process::new("/no/such/program").current_dir("/"));
        assert!(program.starts_with("cannot start `/no/such/program`: No such file"), "{program}");
    }

    #[tokio::test]
    async fn its_end_is_told_with_the_last_that_it_said() {
        let script = "read line; for n in $(seq 30); do echo \"line $n\" >&2; done; exit 3";
        let connection = start(shell(script).stderr(Stderr::Capture));
        let child = connection.process().unwrap();
        assert!(child.pid().is_some_and(|pid| pid > 1));
        assert!(child.status().is_none());
        let error = failed(&connection).await;
        let CallError::Exited { program, how, stderr, .. } = &error else { panic!("{error:?}") };
        assert_eq!((program.as_str(), how.as_str()), ("sh", "exit code 3"));
        let lines: Vec<_> = (11..=30).map(|n| format!("line {n}")).collect();
        assert_eq!(stderr.lines().collect::<Vec<_>>(), lines);
        assert!(error.to_string().starts_with("connection closed: sh: exit code 3\nline 11\n"));
        assert!(error.is_closed());
        assert_eq!(child.status().and_then(|status| status.code()), Some(3));
        assert_eq!(failed(&connection).await, error);
        // How it ended is no failure of the connection.
        soon(connection.close()).await.unwrap();
    }

    #[tokio::test]
    async fn its_lines_that_are_no_messages_are_told_and_given() {
        let taken = Arc::<Mutex<Vec<String>>>::default();
        let lines = Arc::clone(&taken);
        let script = "echo first; echo ' {} '; read line; printf '\\033[1mlast'; exit 3";
        let process = shell(script).stderr(Stderr::Ignore);
        let connection = ClientSideConnection::spawn_process(
            Noting::default(),
            process.options(Options::new().stray_lines(move |line| {
                lines.lock().unwrap().push(line.to_owned());
                panic!("a taker that panics ends nothing");
            })),
        );
        let error = failed(&connection.unwrap()).await;
        let text = "connection closed: sh: exit code 3\nfirst\n{}\n [1mlast";
        assert_eq!(error.to_string(), text);
        assert_eq!(*taken.lock().unwrap(), ["first", "{}", "\u{1b}[1mlast"]);
    }

    /// A script that says its process id and that of what it starts, which nobody ends; and what
    /// it does then.
    fn launcher(then: &str) -> (std::path::PathBuf, Process) {
        static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("acp-launched-{}-{number}", std::process::id());
        let place = std::env::temp_dir().join(name);
        let script = format!("sleep 600 <&0 & echo $! > \"$PLACE\"; {then}");
        let process = shell(&script).env("PLACE", &place);
        (place, process.grace(Duration::from_millis(100)))
    }

    /// Waits until a launcher has said what it has started.
    async fn started(place: &std::path::Path) -> String {
        let told = async {
            loop {
                let id = std::fs::read_to_string(place).unwrap_or_default();
                if id.ends_with('\n') {
                    break id.trim().to_owned();
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let id = soon(told).await;
        std::fs::remove_file(place).unwrap();
        id
    }

    /// Waits until what a launcher has started is gone.
    async fn gone(id: String) {
        let ended = async {
            // What nobody has waited for is a zombie.
            while std::fs::read_to_string(format!("/proc/{id}/stat"))
                .is_ok_and(|stat| !stat.contains(") Z "))
            {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        soon(ended).await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_it_has_started_ends_with_it() {
        for then in ["wait", "trap '' TERM; wait; wait", "exit 3"] {
            let (place, process) = launcher(then);
            let connection = start(process);
            // Its output is open still, by what it has started.
            let call = connection.initialize(InitializeRequest::new(1));
            if then == "exit 3" {
                let error = soon(call).await.unwrap_err();
                assert_eq!(error.to_string(), "connection closed: sh: exit code 3");
            }
            let id = started(&place).await;
            let _ = soon(connection.close()).await;
            gone(id).await;
        }
        let (place, process) = launcher("wait");
        let connection = start(process);
        let id = started(&place).await;
        drop(connection);
        gone(id).await;
        // It may be dropped before anything else of the program has run.
        let (place, process) = launcher("wait");
        let connection = start(process);
        while !std::fs::read_to_string(&place).is_ok_and(|id| id.ends_with('\n')) {
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(connection);
        gone(started(&place).await).await;
    }

    #[tokio::test]
    async fn that_it_is_gone_is_no_failure_of_closing() {
        let connection = start(shell("exit 3").stderr(Stderr::Ignore));
        failed(&connection).await;
        soon(connection.closed()).await.unwrap();
        soon(connection.close()).await.unwrap();
    }

    /// What a program does, that ends by the first error.
    async fn talk(connection: &ClientSideConnection) -> std::result::Result<(), CallError> {
        connection.close().await?;
        connection.closed().await?;
        connection.initialize(InitializeRequest::new(1)).await?;
        Ok(())
    }

    #[tokio::test]
    async fn closing_fails_as_calls_do() {
        let connection = start(shell("read line; exit 3"));
        let error = soon(talk(&connection)).await.unwrap_err();
        assert!(error.is_closed(), "{error:?}");
    }

    #[tokio::test]
    async fn a_signal_is_named() {
        let connection = start(shell("read line; kill -KILL $$").stderr(Stderr::Ignore));
        let error = failed(&connection).await;
        assert_eq!(error.to_string(), "connection closed: sh: killed by SIGKILL");
    }

    #[tokio::test]
    async fn its_lines_can_be_taken() {
        let taken = Arc::<Mutex<Vec<String>>>::default();
        let lines = Arc::clone(&taken);
        let process = shell("echo \"$GREETING\" >&2; pwd >&2; printf end >&2; read line; exit 1");
        let process = process.env("GREETING", "hello").current_dir("/");
        let connection = start(process.stderr_lines(move |line| {
            lines.lock().unwrap().push(line.to_owned());
            assert_ne!(line, "hello", "a taker that panics ends nothing");
        }));
        let error = failed(&connection).await;
        assert_eq!(error.to_string(), "connection closed: sh: exit code 1\nhello\n/\nend");
        assert_eq!(*taken.lock().unwrap(), ["hello", "/", "end"]);
    }

    #[tokio::test]
    async fn closing_lets_it_end_by_itself() {
        // It says more than fits into a pipe before it ends.
        let script = "while read line; do :; done; yes | head -c 200000; exit 4";
        let connection = start(shell(script).grace(Duration::from_secs(20)));
        soon(connection.close()).await.unwrap();
        let status = soon(connection.process().unwrap().ended()).await.unwrap();
        assert_eq!(status.code(), Some(4));
    }

    #[tokio::test]
    async fn closing_ends_what_does_not_end() {
        use std::os::unix::process::ExitStatusExt;

        let grace = Duration::from_millis(50);
        let connection = start(shell("exec sleep 60").grace(grace));
        soon(connection.close()).await.unwrap();
        let child = connection.process().unwrap();
        assert_eq!(child.status().and_then(|status| status.signal()), Some(15));
        let connection = start(shell("trap '' TERM; echo; while :; do sleep 1; done").grace(grace));
        // It is told to end only once it does not listen.
        tokio::time::sleep(Duration::from_millis(500)).await;
        soon(connection.close()).await.unwrap();
        let child = connection.process().unwrap();
        assert_eq!(child.status().and_then(|status| status.signal()), Some(9));
    }

    /// Sends more than a pipe holds, and waits for no answer.
    async fn send_much(connection: &ClientSideConnection) {
        let prompt = PromptRequest::new("s1", ["x".repeat(1_000_000).into()]);
        let _ = timeout(Duration::from_millis(100), connection.prompt(prompt)).await;
    }

    #[tokio::test]
    async fn closing_ends_what_does_not_read() {
        // The second goes on saying something; the third no longer says anything, by itself.
        for script in ["exec sleep 60", "exec yes", "exec >&-; exec sleep 60"] {
            let connection = start(shell(script).grace(Duration::from_millis(50)));
            send_much(&connection).await;
            assert!(soon(connection.close()).await.is_err(), "{script}: not all is written");
            assert!(connection.process().unwrap().status().is_some(), "{script}");
        }
    }

    #[tokio::test]
    async fn closing_lets_it_say_what_it_says_before_it_reads() {
        let script = "sleep 0.2; head -c 1000000 /dev/zero; wc -c >&2; exit 4";
        let process = shell(script).stderr(Stderr::Capture).grace(Duration::from_secs(20));
        let connection = start(process);
        send_much(&connection).await;
        soon(connection.close()).await.unwrap();
        let child = connection.process().unwrap();
        assert_eq!(child.status().and_then(|status| status.code()), Some(4));
        let read: usize = child.stderr().trim().parse().unwrap();
        assert!(read > 1_000_000, "{read} bytes");
    }

    #[tokio::test]
    async fn a_process_that_closes_its_output_is_not_waited_for() {
        let process = shell("read line; exec >&-; exec sleep 60").grace(Duration::from_millis(50));
        let connection = start(process);
        let error = failed(&connection).await;
        assert_eq!(error.to_string(), "connection closed: sh: its output ended");
    }

    #[tokio::test]
    async fn a_process_that_closes_its_input_is_not_waited_for() {
        let connection = start(shell("exec <&-; exec sleep 60").grace(Duration::from_millis(50)));
        tokio::time::sleep(Duration::from_millis(500)).await;
        let error = failed(&connection).await;
        assert_eq!(error.to_string(), "connection closed: sh: its input ended");
    }

    #[tokio::test]
    async fn what_cannot_be_started_is_named() {
        let process = Process::new("/no/such/agent");
        let error = ClientSideConnection::spawn_process(Noting::default(), process).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(error.to_string().contains("/no/such/agent"), "{error}");
        let command = std::process::Command::new("/no/such/agent");
        let error = ClientSideConnection::spawn(Noting::default(), command).unwrap_err();
        assert!(error.to_string().contains("/no/such/agent"), "{error}");
    }

    /// A process of this test, as the environment of a process is that of all its connections.
    #[tokio::test]
    async fn the_environment_can_ask_for_a_log() {
        const LOG: &str = "ACP_LOG";
        if std::env::var_os(LOG).is_some() {
            let (client, _agent) = ClientSideConnection::pair(Noting::default(), echo::agent());
            soon(client.initialize(InitializeRequest::new(1))).await.unwrap();
            return;
        }
        let file = std::env::temp_dir().join(format!("acp-log-{}", std::process::id()));
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "processes::the_environment_can_ask_for_a_log"]);
        let status = again.env(LOG, &file).stdout(std::process::Stdio::null()).status().unwrap();
        let text = std::fs::read_to_string(&file);
        let _ = std::fs::remove_file(&file);
        assert!(status.success());
        let records = text.unwrap();
        // Both ends wrote both messages.
        let records: Vec<Value> =
            records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 4);
        let calls = records.iter().filter(|it| it["message"]["method"] == "initialize");
        assert!(calls.clone().all(|it| it["from"] == "client" && it["to"] == "agent"));
        assert_eq!(calls.count(), 2);
    }
}
