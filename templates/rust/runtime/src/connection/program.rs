//! A program that runs for the other end, and its output.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::Child as Running;
use tokio::task::JoinHandle;

use super::child::{self, Child, Shared};
use super::kept::{Decoder, KeptText};

/// How long the output of a program that has ended is waited for: what it has started may have it,
/// too.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// How a program ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramExit {
    code: Option<i64>,
    /// The name of the signal that killed it: `SIGTERM`.
    pub signal: Option<String>,
}

/// What a program has written so far.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProgramOutput {
    /// The end of it.
    pub text: String,
    /// Whether the beginning is lost.
    pub is_truncated: bool,
    /// How it ended, if it has.
    pub exit: Option<ProgramExit>,
}

/// A program that was started. Dropped, it is killed.
pub(super) struct Program {
    pub(super) scope: Vec<String>,
    child: Child,
    output: Arc<Output>,
    tasks: Vec<JoinHandle<()>>,
}

/// What is known of a program that runs.
pub(super) struct Output(Mutex<State>);

struct State {
    text: KeptText,
    /// How many of its streams are still open.
    open: usize,
    /// How it ended, once its output was read.
    exit: Option<ProgramExit>,
    wakers: Vec<Waker>,
}

impl ProgramExit {
    fn new(status: ExitStatus) -> Self {
        // Where there are no signals, codes are numbers without a sign.
        let unsigned = |code: i32| u32::from_ne_bytes(code.to_ne_bytes());
        Self {
            code: status.code().map(unsigned).map(i64::from),
            signal: child::signal(status),
        }
    }

    /// Its exit code, unless a signal killed it.
    pub fn code<T: TryFrom<i64>>(&self) -> Option<T> {
        self.code.and_then(|code| code.try_into().ok())
    }

    /// The same as a type that is made of a number.
    #[doc(hidden)]
    pub fn wrapped_code<N: TryFrom<i64>, T: TryFrom<N>>(&self) -> Option<T> {
        self.code::<N>().and_then(|code| code.try_into().ok())
    }
}

impl Program {
    /// Reads what a process writes, and sees to its end.
    pub(super) fn new(
        scope: Vec<String>,
        name: String,
        mut process: Running,
        limit: usize,
        grace: Duration,
    ) -> Self {
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let child = Child::new(name, process, None, grace);
        let output = Arc::new(Output(Mutex::new(State {
            text: KeptText::new(limit),
            open: usize::from(stdout.is_some()) + usize::from(stderr.is_some()),
            exit: None,
            wakers: Vec::new(),
        })));
        let out = stdout.map(|it| tokio::spawn(read(it, Arc::clone(&output))));
        let errors = stderr.map(|it| tokio::spawn(read(it, Arc::clone(&output))));
        let watching = watch(Arc::clone(child.shared()), Arc::clone(&output));
        let tasks = [out, errors, Some(tokio::spawn(watching))];
        Self {
            scope,
            child,
            output,
            tasks: tasks.into_iter().flatten().collect(),
        }
    }

    pub(super) fn output(&self) -> &Arc<Output> {
        &self.output
    }

    /// Ends it, and what it has started.
    pub(super) async fn end(&self) {
        self.child.stop().await;
        self.output.over().await;
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        // Nobody waits for what does not come.
        self.output.settle(self.child.status());
    }
}

impl Output {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was written so far.
    pub(super) fn so_far(&self) -> ProgramOutput {
        let mut state = self.lock();
        ProgramOutput {
            text: state.text.text(),
            is_truncated: state.text.is_truncated(),
            exit: state.exit.clone(),
        }
    }

    /// Waits until the program has ended, and what it wrote was read.
    pub(super) async fn over(&self) -> ProgramExit {
        poll_fn(|context| self.poll(context, |state| state.exit.clone())).await
    }

    /// Waits until what the program wrote was read.
    async fn read(&self) {
        poll_fn(|context| self.poll(context, |state| (state.open == 0).then_some(()))).await;
    }

    fn poll<T>(&self, context: &Context<'_>, find: impl Fn(&State) -> Option<T>) -> Poll<T> {
        let mut state = self.lock();
        if let Some(found) = find(&state) {
            return Poll::Ready(found);
        }
        let waker = context.waker();
        if !state.wakers.iter().any(|it| it.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        Poll::Pending
    }

    /// Takes note of something, and tells those who wait.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Takes note of the end, once.
    fn settle(&self, status: Option<ExitStatus>) {
        self.change(|state| {
            let exit = || status.map(ProgramExit::new).unwrap_or_default();
            state.exit.get_or_insert_with(exit);
        });
    }
}

/// Reads all that comes of a stream.
async fn read(mut stream: impl AsyncRead + Unpin, output: Arc<Output>) {
    let mut chunk = vec![0; 64 << 10];
    let mut decoder = Decoder::default();
    loop {
        let read = poll_fn(|context| {
            let mut chunk = ReadBuf::new(&mut chunk);
            let polled = Pin::new(&mut stream).poll_read(context, &mut chunk);
            polled.map_ok(|()| chunk.filled().len())
        });
        match read.await {
            Ok(0) | Err(_) => break,
            Ok(read) => output.lock().text.add(&decoder.decode(&chunk[..read])),
        }
    }
    output.change(|state| {
        state.text.add(decoder.end());
        state.open -= 1;
    });
}

/// Waits for the end of a program, and for its output, but not for long.
async fn watch(child: Arc<Shared>, output: Arc<Output>) {
    poll_fn(|context| child.poll_ended(context)).await;
    let mut read = pin!(output.read());
    let mut late = pin!(child::after(LAST_OUTPUT));
    poll_fn(|context| {
        let is_over = read.as_mut().poll(context).is_ready();
        if is_over || late.as_mut().poll(context).is_ready() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    output.settle(child.status());
}
