//! A process and what it starts: on Unix they have a group of their own, which is ended as one.

use std::process::{Command, Stdio};

/// The group of a process. It is killed when this is dropped, if anything of it is left.
#[derive(Debug)]
pub(super) struct Group(Option<u32>);

impl Group {
    /// The group that a process with this number leads.
    pub(super) fn of_leader(pid: Option<u32>) -> Self {
        Self(pid.filter(|_| cfg!(unix)))
    }

    /// Whether anything of it is left.
    pub(super) async fn is_left(&mut self) -> bool {
        self.send("0").await
    }

    /// Tells all of it to end. Says whether there was anyone to tell.
    pub(super) async fn terminate(&mut self) -> bool {
        self.send("TERM").await
    }

    /// Kills all of it.
    pub(super) async fn kill(&mut self) {
        self.send("KILL").await;
        self.0 = None;
    }

    /// Sends a signal. Its number may be another's once nothing of it is left.
    async fn send(&mut self, signal: &str) -> bool {
        let Some(command) = self.command(signal) else {
            return false;
        };
        let status = tokio::process::Command::from(command).status().await;
        let is_sent = status.is_ok_and(|status| status.success());
        if !is_sent {
            self.0 = None;
        }
        is_sent
    }

    /// What sends a signal. No code here is unsafe, so it is a shell that does.
    fn command(&self, signal: &str) -> Option<Command> {
        let id = self.0?.to_string();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "kill -s \"$0\" -- \"-$1\"", signal, &id]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null());
        Some(command)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(mut command) = self.command("KILL") {
            let _ = command.status();
        }
    }
}
