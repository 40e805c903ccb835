//! A time to wait for, on any runtime.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// Ready once its time has passed. A thread waits for it, so that the runtime needs no clock.
#[derive(Debug)]
pub(super) struct Deadline(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    has_passed: bool,
    is_dropped: bool,
    waker: Option<Waker>,
}

impl Deadline {
    /// A deadline from now on.
    pub(super) fn after(time: Duration) -> Self {
        let inner = Arc::<Inner>::default();
        let waiting = Arc::clone(&inner);
        let thread = thread::Builder::new().name(String::from("deadline"));
        // Where there can be no thread, nothing is waited for.
        if thread.spawn(move || waiting.wait(time)).is_err() {
            inner.lock().has_passed = true;
        }
        Self(inner)
    }

    pub(super) fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.0.lock();
        if state.has_passed {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.0.lock().is_dropped = true;
        self.0.changed.notify_all();
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, time: Duration) {
        let end = Instant::now().checked_add(time);
        let mut state = self.lock();
        while !state.is_dropped {
            let Some(end) = end else {
                let waited = self.changed.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                state.has_passed = true;
                let waker = state.waker.take();
                drop(state);
                waker.into_iter().for_each(Waker::wake);
                return;
            }
            let waited = self.changed.wait_timeout(state, rest);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}
