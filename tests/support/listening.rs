//! An agent that listens for connections over the network.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long to wait for what has to happen: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that listens. It is killed if it is not ended in order.
pub(crate) struct Listening {
    child: Child,
    /// The URL of its endpoint.
    pub(crate) url: String,
    errors: Option<JoinHandle<String>>,
}

impl Listening {
    /// Starts a command that tells its URL in the first line it prints.
    pub(crate) fn start(command: &[OsString]) -> Result<Self, String> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let (sender, receiver) = channel();
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        std::thread::spawn(move || {
            let mut line = String::new();
            output.map(|output| BufReader::new(output).read_line(&mut line));
            sender.send(line)
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            errors.map(|mut errors| errors.read_to_string(&mut text));
            text
        });
        let line = receiver.recv_timeout(PATIENCE).unwrap_or_default();
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let url = said["url"].as_str().unwrap_or_default().to_owned();
        let mut agent = Self { child, url, errors: Some(errors) };
        if agent.url.is_empty() {
            return Err(format!("the agent gives no address\n{line}\n{}", agent.killed()));
        }
        Ok(agent)
    }

    /// Has it end, and gives what it said if it does not end well.
    pub(crate) fn end(mut self) -> Option<String> {
        drop(self.child.stdin.take());
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return None,
                Ok(Some(status)) => {
                    return Some(format!("the agent ended with {status}\n{}", self.killed()));
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => return Some(error.to_string()),
            }
        }
        Some(format!("the agent does not end\n{}", self.killed()))
    }

    /// What it said on standard error, once it is no more.
    pub(crate) fn killed(&mut self) -> String {
        self.child.kill().ok();
        self.child.wait().ok();
        self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.killed();
    }
}
