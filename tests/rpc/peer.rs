//! A harness program under test, and the threads that write to it and read from it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::support;

/// How long nothing may happen. A net for what hangs, never a measure: it is far longer than any
/// step takes.
const PATIENCE: Duration = Duration::from_secs(300);

/// Which harness program is under test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Program {
    /// It is spoken to on its standard streams.
    Agent,
    /// It starts an agent, which the script plays.
    Client,
}

impl Program {
    /// Its name in `tests/harness`, and the folder of its scripts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Client => "client",
        }
    }
}

/// A running program. Killed, by its own id, when dropped.
pub(crate) struct Peer {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Vec<u8>>,
    reports: Option<Receiver<Vec<u8>>>,
    errors: Option<JoinHandle<String>>,
    pipes: Option<PathBuf>,
}

impl Peer {
    /// Starts a program. A client is given prompts, and for an agent a command that passes all it
    /// says to this process and back.
    pub(crate) fn start(mut command: Command, program: Program, prompts: &[String]) -> Self {
        command.stderr(Stdio::piped()).stdout(Stdio::piped());
        let pipes = (program == Program::Client).then(pipes);
        if let Some(folder) = &pipes {
            // The last `cat` takes the shell's place, so that nobody else holds its output.
            let relay = r#"cat "$1" & exec cat > "$2""#;
            command.args(["--", "sh", "-c", relay, "sh"]);
            command.args([folder.join("to-client"), folder.join("from-client")]);
            let prompts = serde_json::to_string(prompts).expect("strings are JSON");
            command.env("PROMPTS", prompts).env("VERBOSE", "1").stdin(Stdio::null());
        } else {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let output = child.stdout.take().expect("it is piped");
        let mut stderr = child.stderr.take().expect("it is piped");
        let errors = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).ok();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let (input, lines, reports) = match (&pipes, child.stdin.take()) {
            (Some(folder), _) => {
                let (to, from) = (folder.join("to-client"), folder.join("from-client"));
                let to = move || OpenOptions::new().write(true).open(to);
                let lines = reader(move || File::open(from));
                (writer(to), lines, Some(reader(move || Ok(output))))
            }
            (None, stdin) => {
                let stdin = stdin.expect("it is piped");
                (writer(move || Ok(stdin)), reader(move || Ok(output)), None)
            }
        };
        Self { child, input: Some(input), lines, reports, errors: Some(errors), pipes }
    }

    /// Has these bytes written. Does not wait until they are, or fail if nobody reads them.
    pub(crate) fn write(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            input.send(bytes).ok();
        }
    }

    /// Ends its input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// The next line it sends, or `None` at the end.
    pub(crate) fn line(&self) -> Result<Option<Vec<u8>>, String> {
        next(&self.lines)
    }

    /// The next line a client prints about the conversation, or `None` at the end.
    pub(crate) fn report(&self) -> Result<Option<Vec<u8>>, String> {
        self.reports.as_ref().map_or(Ok(None), next)
    }

    /// The most memory that it has held so far, in MiB, where the system tells.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
    }

    /// Waits until it ends, and gives its status.
    pub(crate) fn wait(&mut self) -> Result<Option<i32>, String> {
        let mut waited = Duration::ZERO;
        let pause = Duration::from_millis(2);
        while waited < PATIENCE {
            match self.child.try_wait() {
                Ok(Some(status)) => return Ok(status.code()),
                Ok(None) => std::thread::sleep(pause),
                Err(error) => return Err(error.to_string()),
            }
            waited += pause;
        }
        Err("it does not end".to_owned())
    }

    /// Kills it, and gives what it wrote to standard error.
    pub(crate) fn kill(mut self) -> String {
        self.stop();
        self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default()
    }

    fn stop(&mut self) {
        self.input = None;
        self.child.kill().ok();
        self.child.wait().ok();
        if let Some(folder) = self.pipes.take() {
            // Whoever still waits for the other end gets it, and then its end.
            for name in ["to-client", "from-client"] {
                OpenOptions::new().read(true).write(true).open(folder.join(name)).ok();
            }
            std::fs::remove_dir_all(folder).ok();
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A folder with two named pipes.
fn pipes() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("rpc-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = support::scratch(&name);
    for name in ["to-client", "from-client"] {
        support::run(Command::new("mkfifo").arg(folder.join(name)));
    }
    folder
}

/// A thread that writes what it is sent, and closes when the sender is dropped.
fn writer<W: Write>(open: impl FnOnce() -> std::io::Result<W> + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        let Ok(mut output) = open() else { return };
        for bytes in receiver {
            if output.write_all(&bytes).and_then(|()| output.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// A thread that reads lines, without their ends.
fn reader<R: Read>(
    open: impl FnOnce() -> std::io::Result<R> + Send + 'static,
) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let Ok(input) = open() else { return };
        for line in BufReader::new(input).split(b'\n') {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn next(lines: &Receiver<Vec<u8>>) -> Result<Option<Vec<u8>>, String> {
    match lines.recv_timeout(PATIENCE) {
        Ok(line) => Ok(Some(line)),
        Err(RecvTimeoutError::Disconnected) => Ok(None),
        Err(RecvTimeoutError::Timeout) => Err("nothing comes".to_owned()),
    }
}
