//! A process at the other end.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{Child as Running, ChildStdout};
use tokio::task::{AbortHandle, JoinHandle};

use super::CallError;
use super::deadline::Deadline;
use super::group::Group;
use super::link::Link;
use super::process::Lines;
use super::stderr;
use super::tail::Tail;

/// How long the last that a process said is waited for once it has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How often is looked whether what a process has started is gone.
const LOOK: Duration = Duration::from_millis(100);

/// The process at the other end of a connection.
pub struct Child {
    shared: Arc<Shared>,
    supervisor: AbortHandle,
}

/// What is known of a process.
pub(super) struct Shared {
    program: String,
    pid: Option<u32>,
    tail: Tail,
    pub(super) grace: Duration,
    link: OnceLock<Arc<Link>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    has_ended: bool,
    status: Option<ExitStatus>,
    /// Nothing is left of what it started, either.
    is_over: bool,
    is_to_end: bool,
    /// Whether it is told so at once.
    is_told: bool,
    /// Whether the connection is about to end.
    is_closing: bool,
    wakers: Vec<Waker>,
    /// What it goes on to say once the connection is gone.
    stdout: Option<ChildStdout>,
}

impl Child {
    /// Waits for the end of a process, and sees to it.
    pub(super) fn new(
        program: String,
        mut process: Running,
        lines: Option<Lines>,
        grace: Duration,
    ) -> Self {
        let tail = Tail::default();
        let stderr = process.stderr.take();
        let stderr = stderr.map(|it| tokio::spawn(stderr::read(it, tail.clone(), lines)));
        let shared = Arc::new(Shared {
            program,
            pid: process.id(),
            tail,
            grace,
            link: OnceLock::new(),
            state: Mutex::default(),
        });
        // It is there before the supervisor begins, which may never come to that.
        let group = Group::of_leader(shared.pid);
        let supervisor = tokio::spawn(supervise(group, process, stderr, Arc::clone(&shared)));
        let supervisor = supervisor.abort_handle();
        Self { shared, supervisor }
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The number that the system knows it by.
    pub fn pid(&self) -> Option<u32> {
        self.shared.pid
    }

    /// How it ended, if it has.
    pub fn status(&self) -> Option<ExitStatus> {
        self.shared.status()
    }

    /// Waits for its end. There is no status if the system has none.
    pub async fn ended(&self) -> Option<ExitStatus> {
        poll_fn(|context| self.shared.poll_ended(context)).await;
        self.status()
    }

    /// The last lines of its standard error, if they are kept: at most 20 lines and 4 KiB.
    pub fn stderr(&self) -> String {
        self.shared.tail.text()
    }

    /// Tells it and what it started to end, and waits for that; what takes too long is killed.
    pub(super) async fn stop(&self) {
        self.shared.set(|state| {
            state.is_to_end = true;
            state.is_told = true;
        });
        poll_fn(|context| self.shared.poll_until(context, |state| state.is_over)).await;
    }

    /// Waits for its end and that of what it started, and ends them if that takes too long.
    pub(super) async fn end(&self) {
        self.shared.ask();
        poll_fn(|context| self.shared.poll_until(context, |state| state.is_over)).await;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.supervisor.abort();
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Child");
        debug.field("pid", &self.pid());
        debug.field("status", &self.status());
        debug.finish_non_exhaustive()
    }
}

/// Tells those who wait of a change.
fn wake(mut state: MutexGuard<'_, State>) {
    let wakers = std::mem::take(&mut state.wakers);
    drop(state);
    wakers.into_iter().for_each(Waker::wake);
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of something, and tells those who wait of it.
    fn set(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        wake(state);
    }

    /// Has the process end.
    fn ask(&self) {
        self.set(|state| state.is_to_end = true);
    }

    /// How the process ended, if it has.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.lock().status
    }

    /// Waits for the end of the process.
    pub(super) fn poll_ended(&self, context: &Context<'_>) -> Poll<()> {
        self.poll_until(context, |state| state.has_ended)
    }

    fn poll_until(&self, context: &Context<'_>, is_so: impl Fn(&State) -> bool) -> Poll<()> {
        let mut state = self.lock();
        if is_so(&state) {
            return Poll::Ready(());
        }
        let waker = context.waker();
        if !state.wakers.iter().any(|it| it.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        Poll::Pending
    }

    /// Takes note that the connection is about to end: what the process does not read is not
    /// waited for any longer than it is given time.
    pub(super) fn begin_closing(&self) {
        self.lock().is_closing = true;
    }

    pub(super) fn is_closing(&self) -> bool {
        self.lock().is_closing
    }

    /// Has the calls of a connection fail with how the process ended.
    pub(super) fn attach(&self, link: &Arc<Link>) {
        let _ = self.link.set(Arc::clone(link));
    }

    /// Tells the connection how the process ended, if that is known, or else this.
    pub(super) fn part(&self, otherwise: &str) {
        let status = self.lock().status;
        if let Some(link) = self.link.get() {
            link.part(CallError::Exited {
                program: self.program.clone(),
                how: status.map_or_else(|| otherwise.to_owned(), described),
                stderr: self.tail.text(),
                stdout: String::new(),
            });
        }
    }

    /// Takes the process's output, of which nobody wants to know any more.
    pub(super) fn leave(&self, stdout: ChildStdout) {
        self.set(|state| state.stdout = Some(stdout));
    }

    /// Reads on, so that the process is not in the way of its own end.
    fn drain(&self, context: &mut Context<'_>) {
        let mut state = self.lock();
        let mut chunk = [0; 4 << 10];
        while let Some(stdout) = &mut state.stdout {
            let mut read = ReadBuf::new(&mut chunk);
            match Pin::new(stdout).poll_read(context, &mut read) {
                Poll::Pending => return,
                Poll::Ready(Ok(())) if !read.filled().is_empty() => {}
                Poll::Ready(_) => state.stdout = None,
            }
        }
    }
}

/// Waits for the end of a process. Once it is to end, it is given time for that; then it is told
/// to, given time again, and killed, and with it what it has started.
async fn supervise(
    mut group: Group,
    mut process: Running,
    stderr: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
) {
    let asked = || poll_fn(|context| shared.poll_until(context, |state| state.is_to_end));
    let mut end = ends(&mut process, &shared, asked()).await;
    if end.is_none() && !shared.lock().is_told {
        end = ends(&mut process, &shared, after(shared.grace)).await;
    }
    if end.is_none() && group.terminate().await {
        end = ends(&mut process, &shared, after(shared.grace)).await;
    }
    let end = if let Some(end) = end {
        end
    } else {
        group.kill().await;
        let _ = process.start_kill();
        process.wait().await
    };
    if let Some(mut stderr) = stderr {
        let mut last = pin!(after(LAST_WORDS));
        poll_fn(|context| {
            let is_over = Pin::new(&mut stderr).poll(context).is_ready();
            let is_over = is_over || last.as_mut().poll(context).is_ready();
            if is_over {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        stderr.abort();
    }
    shared.set(|state| {
        state.has_ended = true;
        state.status = end.ok();
    });
    if group.is_left().await {
        asked().await;
        end_rest(&mut group, shared.grace).await;
    }
    shared.set(|state| state.is_over = true);
}

/// Ends what a process has left behind: it is told to end, given time for that, and killed.
async fn end_rest(group: &mut Group, grace: Duration) {
    let mut is_left = group.terminate().await;
    let mut left = grace;
    while is_left && !left.is_zero() {
        let time = LOOK.min(left);
        after(time).await;
        left -= time;
        is_left = group.is_left().await;
    }
    group.kill().await;
}

/// Waits for the end of a process, but not longer than for something else.
async fn ends(
    process: &mut Running,
    shared: &Shared,
    other: impl Future<Output = ()>,
) -> Option<io::Result<ExitStatus>> {
    let mut end = pin!(process.wait());
    let mut other = pin!(other);
    poll_fn(|context| {
        shared.drain(context);
        if let Poll::Ready(end) = end.as_mut().poll(context) {
            return Poll::Ready(Some(end));
        }
        other.as_mut().poll(context).map(|()| None)
    })
    .await
}

pub(super) async fn after(time: Duration) {
    let deadline = Deadline::after(time);
    poll_fn(|context| deadline.poll(context)).await;
}

fn described(status: ExitStatus) -> String {
    match (signal(status), status.code()) {
        (Some(signal), _) => format!("killed by {signal}"),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => status.to_string(),
    }
}

/// The name of the signal that killed a process.
#[cfg(unix)]
pub(super) fn signal(status: ExitStatus) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;

    let signal = status.signal()?;
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return Some(format!("signal {signal}")),
    };
    Some(name.to_owned())
}

/// There are no signals here.
#[cfg(not(unix))]
pub(super) fn signal(_: ExitStatus) -> Option<String> {
    None
}
