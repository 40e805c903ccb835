//! A process to start.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};

use super::options::Options;

/// What takes the lines of a process's standard error.
pub(super) type Lines = Box<dyn FnMut(&str) + Send>;

/// A process whose standard input and output are a connection.
pub struct Process {
    pub(super) command: Command,
    pub(super) stderr: Option<Stderr>,
    pub(super) lines: Option<Lines>,
    pub(super) grace: Duration,
    pub(super) options: Options,
}

/// Where the standard error of a process goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stderr {
    /// To that of this process.
    Inherit,
    /// To the error that calls fail with if the process ends: its last lines.
    Capture,
    /// Nowhere.
    Ignore,
}

impl Process {
    /// A program, by its path or its name.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Command::new(program).into()
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable of its environment. The others are those of this process.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the folder that it runs in.
    #[must_use]
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Says where its standard error goes. By default it is where the command sends it, which is
    /// that of this process if nothing else was said there.
    #[must_use]
    pub fn stderr(mut self, stderr: Stderr) -> Self {
        self.stderr = Some(stderr);
        self.lines = None;
        self
    }

    /// Takes the lines of its standard error, as they come. The last of them are kept for the
    /// error that calls fail with if the process ends.
    #[must_use]
    pub fn stderr_lines(mut self, take: impl FnMut(&str) + Send + 'static) -> Self {
        self.stderr = Some(Stderr::Capture);
        self.lines = Some(Box::new(take));
        self
    }

    /// How long closing waits for it to end by itself, and then again before it is killed: two
    /// seconds, if nothing else is said.
    #[must_use]
    pub fn grace(mut self, time: Duration) -> Self {
        self.grace = time;
        self
    }

    /// Choices about the connection.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The name of its program.
    pub(super) fn program(&self) -> String {
        let program = Path::new(self.command.as_std().get_program());
        let name = program.file_name().unwrap_or(program.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Starts it.
    pub(super) fn start(&mut self) -> io::Result<Child> {
        let command = &mut self.command;
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        match self.stderr {
            None => {}
            Some(Stderr::Inherit) => {
                command.stderr(Stdio::inherit());
            }
            Some(Stderr::Capture) => {
                command.stderr(Stdio::piped());
            }
            Some(Stderr::Ignore) => {
                command.stderr(Stdio::null());
            }
        }
        launch(command)
    }
}

/// Starts a command that leads a group of its own.
pub(super) fn launch(command: &mut Command) -> io::Result<Child> {
    // Signals for it then reach what it starts as well.
    #[cfg(unix)]
    command.process_group(0);
    command.kill_on_drop(true).spawn().map_err(|error| {
        let command = command.as_std();
        let program = Path::new(command.get_program()).display();
        let folder = command.get_current_dir();
        // The system does not say what it has not found.
        let is_missing = |it: &&Path| error.kind() == ErrorKind::NotFound && !it.exists();
        let message = match folder.filter(is_missing) {
            Some(folder) => {
                let folder = folder.display();
                format!("cannot start `{program}`: the folder `{folder}` does not exist")
            }
            None => format!("cannot start `{program}`: {error}"),
        };
        io::Error::new(error.kind(), message)
    })
}

impl From<Command> for Process {
    fn from(command: Command) -> Self {
        Self {
            command,
            stderr: None,
            lines: None,
            grace: Duration::from_secs(2),
            options: Options::new(),
        }
    }
}

impl From<std::process::Command> for Process {
    fn from(command: std::process::Command) -> Self {
        Command::from(command).into()
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Process");
        debug.field("command", &self.command);
        debug.field("stderr", &self.stderr);
        debug.field("grace", &self.grace);
        debug.finish_non_exhaustive()
    }
}
