//! Requests that are being handled.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use serde::Serialize;

use super::super::json::Value;
use super::super::rpc::{RequestError, Result};
use super::batch::Collector;
use super::cancellation::Fired;
use super::failure;
use super::link::Link;
use super::turns::Mark;

/// A request that has no answer yet.
#[derive(Debug)]
pub(super) struct Running {
    link: Arc<Link>,
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) method: String,
    pub(super) batch: Option<Arc<Collector>>,
    /// Whether what its handler gives is not sent as it is.
    pub(super) is_edited: bool,
    /// What messages can cancel it by.
    pub(super) marks: Vec<Mark>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: Option<Fired>,
    wakers: Vec<Waker>,
}

impl Running {
    pub(super) fn new(link: Arc<Link>, number: u64, id: &str, method: &str) -> Self {
        Self {
            link,
            number,
            id: id.to_owned(),
            method: method.to_owned(),
            batch: None,
            is_edited: false,
            marks: Vec::new(),
            state: Mutex::default(),
        }
    }

    /// What it came with, and what the protocol says about it.
    pub(super) fn with_rules(
        mut self,
        batch: Option<Arc<Collector>>,
        is_edited: bool,
        marks: Vec<Mark>,
    ) -> Self {
        (self.batch, self.is_edited, self.marks) = (batch, is_edited, marks);
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
    pub(super) fn ended(&self) -> Result<Value> {
        self.lock().cancelled.unwrap_or_default().outcome()
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
        let result = poll_fn(|context| match failure::poll(handler.as_mut(), context) {
            Poll::Ready(result) => Poll::Ready(result),
            Poll::Pending => {
                let is_cancelled = running.poll_cancelled(context.waker()).is_ready();
                if is_cancelled && running.link.lock().is_closing {
                    return Poll::Ready(Err(RequestError::request_cancelled()));
                }
                Poll::Pending
            }
        })
        .await;
        if result.is_err() && running.is_cancelled() {
            self.finish(&running.ended());
        } else {
            self.finish(&result);
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
