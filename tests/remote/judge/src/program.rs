//! The programs under test: `HARNESS LANGUAGE agent|client …`, both from the environment.

use std::ops::Deref;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Notify;

use crate::soon;

/// An agent that listens. Killed, by its own id, when dropped.
pub struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    errors: Errors,
    server: Server,
}

/// Where an agent listens.
pub struct Server {
    /// Its host and port.
    pub address: String,
    /// The URL of its endpoint.
    pub url: String,
}

/// A client that speaks to a URL. Killed, by its own id, when dropped.
pub struct Client {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    errors: Errors,
}

/// What a program wrote to standard error.
#[derive(Clone, Default)]
struct Errors {
    text: Arc<Mutex<String>>,
    changed: Arc<Notify>,
    /// Holds a permit once there is no more.
    end: Arc<Notify>,
}

impl Server {
    /// That of a URL.
    pub fn at(url: &str) -> Self {
        let rest = url.strip_prefix("http://").expect("it is served without encryption");
        let address = rest.split('/').next().unwrap_or_default().to_owned();
        Self { address, url: url.to_owned() }
    }
}

impl Deref for Agent {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Agent {
    /// Starts one with these options.
    pub async fn start(options: Value) -> Self {
        Self::run(&mut command(&["agent", &options.to_string()])).await
    }

    /// Starts a program that tells its URL in the first line it prints.
    pub async fn run(command: &mut Command) -> Self {
        let child = piped(command).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let errors = Errors::of(child.stderr.take());
        let output = child.stdout.take().expect("it is piped");
        let line = soon("the agent starts", BufReader::new(output).lines().next_line()).await;
        let line = line.expect("it can be read").unwrap_or_default();
        let told: Value = serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("`{line}` is no URL; {}", errors.text()));
        let server = Server::at(told["url"].as_str().expect("it tells its URL"));
        let input = child.stdin.take();
        Self { child, input, errors, server }
    }

    /// Waits until it has written this to standard error.
    pub async fn says(&self, text: &str) {
        self.errors.wait(text, 1).await;
    }

    /// Waits until it has written this so many times.
    pub async fn says_times(&self, text: &str, times: usize) {
        self.errors.wait(text, times).await;
    }

    /// What it has written to standard error so far.
    pub fn said(&self) -> String {
        self.errors.text()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.start_kill().expect("it can be killed");
    }

    /// Ends its standard input: it drains.
    pub fn drain(&mut self) {
        self.input = None;
    }

    /// Waits until it has ended, and gives its status.
    pub async fn ended(&mut self) -> Option<i32> {
        let ended = soon("the agent ends", self.child.wait()).await;
        ended.expect("it can be waited for").code()
    }

    /// The most memory that it has held so far, in MiB, where the system tells.
    pub fn peak_memory(&self) -> Option<u64> {
        self.memory("VmHWM:")
    }

    /// The memory that it holds now, in MiB, where the system tells.
    pub fn memory_now(&self) -> Option<u64> {
        self.memory("VmRSS:")
    }

    fn memory(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
    }
}

impl Client {
    /// Starts one that sends these prompts. `transport` is `http`, `websocket` or `auto`.
    pub fn start(url: &str, transport: &str, prompts: &[&str]) -> Self {
        Self::run(url, transport, prompts, &[], &json!({}))
    }

    /// Starts one that opens this session again first.
    pub fn load(url: &str, transport: &str, session: &str, prompts: &[&str]) -> Self {
        Self::run(url, transport, prompts, &[("LOAD", session)], &json!({}))
    }

    /// Starts one that opens a session again first, which has this folder.
    pub fn load_in(url: &str, transport: &str, folder: &str) -> Self {
        Self::run(url, transport, &[], &[("LOAD", "old"), ("FOLDER", folder)], &json!({}))
    }

    /// Starts one that opens this session again, and prompts it before that is answered.
    pub fn load_early(url: &str, session: &str) -> Self {
        Self::run(url, "http", &[], &[("LOAD", session), ("EARLY", "1")], &json!({}))
    }

    /// Starts one with options.
    pub fn start_with(url: &str, transport: &str, prompts: &[&str], options: &Value) -> Self {
        Self::run(url, transport, prompts, &[], options)
    }

    /// Starts one that trusts the authority in a file, and speaks HTTP/1.1.
    pub fn trusting(url: &str, transport: &str, authority: &str) -> Self {
        let options = json!({"ca": authority, "http1": true});
        Self::run(url, transport, &[], &[("NODE_EXTRA_CA_CERTS", authority)], &options)
    }

    fn run(
        url: &str,
        transport: &str,
        prompts: &[&str],
        variables: &[(&str, &str)],
        options: &Value,
    ) -> Self {
        let prompts = serde_json::to_string(prompts).expect("strings are JSON");
        let options = options.to_string();
        let arguments = ["client", url, transport, &options];
        let mut command = command(&arguments);
        command.env("PROMPTS", prompts).env("VERBOSE", "1");
        command.envs(variables.iter().copied());
        let child = piped(&mut command).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let errors = Errors::of(child.stderr.take());
        let output = child.stdout.take().expect("it is piped");
        Self { child, lines: BufReader::new(output).lines(), errors }
    }

    /// Waits until it has written this to standard error.
    pub async fn says(&self, text: &str) {
        self.errors.wait(text, 1).await;
    }

    /// The next line that it prints about a step, or `None` at the end.
    pub async fn step(&mut self) -> Option<Value> {
        self.report("step").await
    }

    /// The next line that it prints about an update, or `None` at the end.
    pub async fn update(&mut self) -> Option<Value> {
        self.report("update").await
    }

    async fn report(&mut self, about: &str) -> Option<Value> {
        loop {
            let line = soon("what the client does next", self.lines.next_line()).await;
            let line = line.expect("it can be read")?;
            let report: Value = serde_json::from_str(&line)
                .unwrap_or_else(|_| panic!("`{line}` is no report; {}", self.errors.text()));
            if report.get(about).is_some() {
                return Some(report);
            }
        }
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.start_kill().expect("it can be killed");
    }

    /// Waits until it has ended, and gives its status.
    pub async fn ended(&mut self) -> Option<i32> {
        while self.step().await.is_some() {}
        let ended = soon("the client ends", self.child.wait()).await;
        soon("the end of what it says", self.errors.end.notified()).await;
        self.errors.end.notify_one();
        ended.expect("it can be waited for").code()
    }

    /// What it has written to standard error so far.
    pub fn said(&self) -> String {
        self.errors.text()
    }
}

/// A program of the harness.
fn command(arguments: &[&str]) -> Command {
    let variable = |name: &str| {
        std::env::var(name).unwrap_or_else(|_| panic!("the environment has no {name}"))
    };
    let mut command = Command::new(variable("HARNESS"));
    command.arg(variable("LANGUAGE")).args(arguments);
    command
}

fn piped(command: &mut Command) -> &mut Command {
    command.kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

impl Errors {
    fn of(output: Option<impl AsyncRead + Unpin + Send + 'static>) -> Self {
        let errors = Self::default();
        let ours = errors.clone();
        let mut lines = BufReader::new(output.expect("it is piped")).lines();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let mut text = ours.text.lock().expect("nobody panics with it");
                text.push_str(&line);
                text.push('\n');
                drop(text);
                ours.changed.notify_waiters();
            }
            ours.end.notify_one();
        });
        errors
    }

    fn text(&self) -> String {
        self.text.lock().expect("nobody panics with it").clone()
    }

    async fn wait(&self, wanted: &str, times: usize) {
        let wait = async {
            loop {
                let changed = self.changed.notified();
                if self.text().matches(wanted).count() >= times {
                    return;
                }
                changed.await;
            }
        };
        if tokio::time::timeout(crate::PATIENCE, wait).await.is_err() {
            panic!("`{wanted}` is not said, but:\n{}", self.text());
        }
    }
}
