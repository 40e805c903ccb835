//! Programs that run for the other end.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::process::Command;

use super::super::json;
use super::super::rpc::{RequestError, Result};
use super::process::{Process, launch};
use super::program::{Program, ProgramExit, ProgramOutput};

/// Limits of programs that run for the other end.
#[derive(Clone, Debug)]
pub struct ProgramOptions {
    max_open: usize,
    output_limit: u64,
    max_output_limit: u64,
    grace: Duration,
}

/// What is to be started.
#[derive(Debug)]
pub struct Start {
    command: Command,
    limit: Option<u64>,
}

/// Starts programs, and knows them by ids that nobody can guess. What belongs to a scope (a
/// session, say) is unknown to others.
pub struct Programs {
    /// What errors call an id and a command.
    names: [&'static str; 2],
    options: ProgramOptions,
    open: Mutex<HashMap<String, Arc<Program>>>,
}

impl ProgramOptions {
    /// At most 64 programs at a time, of each of which 1 MiB of output is kept, or at most 8 MiB.
    pub fn new() -> Self {
        Self {
            max_open: 64,
            output_limit: 1 << 20,
            max_output_limit: 8 << 20,
            grace: Duration::from_secs(2),
        }
    }

    /// How many may be open at a time: started and not given back.
    #[must_use]
    pub fn max_open(mut self, count: usize) -> Self {
        self.max_open = count;
        self
    }

    /// How much is kept of what one writes, in bytes, if the other end does not say.
    #[must_use]
    pub fn output_limit(mut self, bytes: u64) -> Self {
        self.output_limit = bytes;
        self
    }

    /// How much is kept at most, whatever the other end says.
    #[must_use]
    pub fn max_output_limit(mut self, bytes: u64) -> Self {
        self.max_output_limit = bytes;
        self
    }

    /// How long one may take to end once it is told to before it is killed.
    #[must_use]
    pub fn grace(mut self, time: Duration) -> Self {
        self.grace = time;
        self
    }
}

impl Default for ProgramOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl Start {
    /// A program, by its path or its name.
    #[doc(hidden)]
    pub fn new(command: &str) -> Self {
        let mut command = Command::new(command);
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self {
            command,
            limit: None,
        }
    }

    /// Adds arguments.
    #[must_use]
    #[doc(hidden)]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        for arg in args {
            self.command.arg(arg.as_ref());
        }
        self
    }

    /// Sets a variable of its environment. The others are those of this process.
    #[must_use]
    #[doc(hidden)]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the folder that it runs in, if there is one.
    #[must_use]
    #[doc(hidden)]
    pub fn cwd(mut self, folder: Option<impl AsRef<str>>) -> Self {
        if let Some(folder) = folder {
            self.command.current_dir(folder.as_ref());
        }
        self
    }

    /// How much is kept of what it writes, in bytes. Less than nothing is nothing.
    #[must_use]
    #[doc(hidden)]
    pub fn limit(mut self, limit: Option<impl TryInto<u64>>) -> Self {
        self.limit = limit.map(|limit| limit.try_into().unwrap_or(0));
        self
    }
}

impl Programs {
    #[doc(hidden)]
    pub fn new(names: [&'static str; 2], options: ProgramOptions) -> Self {
        Self {
            names,
            options,
            open: Mutex::default(),
        }
    }

    /// Starts a program. Gives its id.
    #[doc(hidden)]
    pub fn start(&self, scope: &[&str], start: Start) -> Result<String> {
        let Start { mut command, limit } = start;
        let mut open = self.lock();
        if open.len() >= self.options.max_open {
            let count = self.options.max_open;
            let why = format!("{count} programs were started and not given back");
            return Err(RequestError::new(-32603, format!("Internal error: {why}")));
        }
        let process = launch(&mut command).map_err(|error| {
            let program = command.as_std().get_program().to_string_lossy();
            self.refusal(1, &program, &error.to_string())
        })?;
        let limit = limit.unwrap_or(self.options.output_limit);
        let limit = limit.min(self.options.max_output_limit);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let scope = scope.iter().map(|part| String::from(*part)).collect();
        let name = Process::from(command).program();
        let program = Program::new(scope, name, process, limit, self.options.grace);
        let id = unguessable();
        open.insert(id.clone(), Arc::new(program));
        Ok(id)
    }

    /// What a program has written so far.
    #[doc(hidden)]
    pub fn output(&self, scope: &[&str], id: &str) -> Result<ProgramOutput> {
        Ok(self.find(scope, id)?.output().so_far())
    }

    /// Waits until a program has ended.
    #[doc(hidden)]
    pub async fn wait(&self, scope: &[&str], id: &str) -> Result<ProgramExit> {
        // Who waits keeps nothing alive.
        let output = Arc::clone(self.find(scope, id)?.output());
        Ok(output.over().await)
    }

    /// Ends a program and what it has started. Its output and its id stay.
    #[doc(hidden)]
    pub async fn kill(&self, scope: &[&str], id: &str) -> Result<()> {
        let program = self.find(scope, id)?;
        program.end().await;
        Ok(())
    }

    /// Ends a program and what it has started, and forgets it.
    #[doc(hidden)]
    pub async fn release(&self, scope: &[&str], id: &str) -> Result<()> {
        let program = self.find(scope, id)?;
        self.lock().remove(id);
        program.end().await;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Program>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, scope: &[&str], id: &str) -> Result<Arc<Program>> {
        let found = self.lock().get(id).filter(|it| it.scope == scope).cloned();
        found.ok_or_else(|| {
            let why = format!("nothing was started that has the id {id}, or it was given back");
            self.refusal(0, id, &why)
        })
    }

    /// The error of a property that is wrong.
    fn refusal(&self, name: usize, value: &str, why: &str) -> RequestError {
        let mut data = json::Object::new();
        data.insert(String::from(self.names[name]), json::Value::from(value));
        RequestError::new(-32602, format!("Invalid params: {why}")).data(data)
    }
}

impl fmt::Debug for Programs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Programs");
        debug.field("open", &self.lock().len());
        debug.finish_non_exhaustive()
    }
}

/// An id of 128 bits: hashes by keys that the operating system chose.
fn unguessable() -> String {
    let [high, low] = [0, 1].map(|half| RandomState::new().hash_one(half));
    format!("{high:016x}{low:016x}")
}
