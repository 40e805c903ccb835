//! Requests that are being handled.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use serde::Serialize;

use super::super::json::{self, Value};
use super::super::rpc::{RequestError, Result};
use super::batch::Collector;
use super::cancellation::Fired;
use super::link::Link;
use super::turns::Keys;

/// A request that has no answer yet.
#[derive(Debug)]
pub(super) struct Running {
    link: Arc<Link>,
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) batch: Option<Arc<Collector>>,
    /// The method, if what its handler gives is not sent as it is.
    pub(super) edited: Option<String>,
    /// What messages can cancel it by.
    pub(super) keys: Keys,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: Option<Fired>,
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
            edited: None,
            keys: Keys::new(),
            state: Mutex::default(),
        }
    }

    /// What the protocol says about it.
    pub(super) fn with_rules(mut self, edited: Option<String>, keys: Keys) -> Self {
        (self.edited, self.keys) = (edited, keys);
        self
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.lock().cancelled.is_some()
    }

    /// Tells the handler that its answer is no longer wanted. The first cancellation decides what
    /// is answered if it ends by that.
    pub(super) fn cancel(&self, fired: Fired) {
        let mut state = self.lock();
        state.cancelled.get_or_insert(fired);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// What is answered when the handler ended by the cancellation.
    fn ended(&self) -> Result<Value> {
        let result = self.lock().cancelled.and_then(|fired| fired.result);
        let result = result.and_then(|result| json::decode(result).ok());
        result.ok_or_else(RequestError::request_cancelled)
    }

    /// Waits for the cancellation.
    pub(super) fn poll_cancelled(&self, waker: &Waker) -> Poll<()> {
        let mut state = self.lock();
        if state.cancelled.is_some() {
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
        match result {
            Err(_) if running.is_cancelled() => self.finish(&running.ended()),
            result => self.finish(&result),
        }
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
