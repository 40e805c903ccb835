//! Requests that are being handled.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use serde::Serialize;

use super::super::rpc::{RequestError, Result};
use super::batch::Collector;
use super::link::Link;

/// A request that has no answer yet.
#[derive(Debug)]
pub(super) struct Running {
    link: Arc<Link>,
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) batch: Option<Arc<Collector>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_cancelled: bool,
    wakers: Vec<Waker>,
}

impl Running {
    pub(super) fn new(
        link: Arc<Link>,
        number: u64,
        id: &str,
        batch: Option<Arc<Collector>>,
    ) -> Self {
        Self {
            link,
            number,
            id: id.to_owned(),
            batch,
            state: Mutex::default(),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    /// Tells the handler that its answer is no longer wanted.
    pub(super) fn cancel(&self) {
        let mut state = self.lock();
        state.is_cancelled = true;
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Waits for the cancellation.
    pub(super) fn poll_cancelled(&self, waker: &Waker) -> Poll<()> {
        let mut state = self.lock();
        if state.is_cancelled {
            return Poll::Ready(());
        }
        if !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers a request, exactly once: even if it is dropped.
#[derive(Debug)]
pub(super) struct Responder(Option<Arc<Running>>);

impl Responder {
    pub(super) fn new(running: Arc<Running>) -> Self {
        Self(Some(running))
    }

    pub(super) fn finish<T: Serialize>(mut self, result: &Result<T>) {
        if let Some(running) = self.0.take() {
            running.link.respond(&running, result.as_ref());
        }
    }

    /// Waits for a handler and answers with what it gives. A panic is an internal error; when the
    /// connection closes, a handler that goes on waiting is given up.
    pub(super) async fn wait<T: Serialize>(self, handler: impl Future<Output = Result<T>>) {
        let Some(running) = self.0.clone() else {
            return;
        };
        let mut handler = pin!(handler);
        let result = poll_fn(|context| {
            match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
                Ok(Poll::Ready(result)) => Poll::Ready(result),
                Err(_) => Poll::Ready(Err(RequestError::internal_error())),
                Ok(Poll::Pending) => {
                    let is_cancelled = running.poll_cancelled(context.waker()).is_ready();
                    if is_cancelled && running.link.lock().is_closing {
                        return Poll::Ready(Err(RequestError::request_cancelled()));
                    }
                    Poll::Pending
                }
            }
        })
        .await;
        let result = match result {
            Err(_) if running.is_cancelled() => Err(RequestError::request_cancelled()),
            result => result,
        };
        self.finish(&result);
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        if let Some(running) = self.0.take() {
            let error = RequestError::internal_error();
            running.link.respond::<()>(&running, Err(&error));
        }
    }
}
