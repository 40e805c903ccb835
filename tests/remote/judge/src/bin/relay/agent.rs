//! Whoever plays the agent on standard streams.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};

/// A process that writes lines and reads lines.
pub struct Agent {
    lines: BufReader<ChildStdout>,
    part: Vec<u8>,
    input: Option<ChildStdin>,
    /// Whether it may write more.
    pub is_open: bool,
}

impl Agent {
    /// Starts one.
    pub fn start(program: &str, arguments: &[String]) -> Self {
        let mut agent = Command::new(program);
        let agent = agent.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut agent = agent.spawn().expect("the command can be started");
        let lines = BufReader::new(agent.stdout.take().expect("it is piped"));
        Self { lines, part: Vec::new(), input: agent.stdin.take(), is_open: true }
    }

    /// The next line without the space around it. After the last one it is open no more.
    pub async fn line(&mut self) -> String {
        // What was read stays there if this is given up.
        self.lines.read_until(b'\n', &mut self.part).await.expect("it can be read");
        self.is_open = self.part.ends_with(b"\n");
        let line = std::mem::take(&mut self.part).trim_ascii().to_vec();
        String::from_utf8(line).expect("messages are UTF-8")
    }

    /// Gives it a line, if it is still there.
    pub async fn give(&mut self, text: &str) {
        let Some(input) = &mut self.input else { return };
        let _ = input.write_all(format!("{text}\n").as_bytes()).await;
        let _ = input.flush().await;
    }

    /// Ends its input.
    pub fn close(&mut self) {
        self.input = None;
    }
}
