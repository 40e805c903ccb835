//! Several messages in one.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::super::json::Decode;
use super::super::rpc::RequestError;
use super::call::{Answer, Call, Notice};
use super::cancellation::Cancellation;
use super::outbox::{write_answer, write_call};
use super::{CallError, Peer};

/// Collects the answers to a batch.
#[derive(Debug)]
pub(super) struct Collector(Mutex<Collected>);

#[derive(Debug)]
struct Collected {
    missing: usize,
    array: Vec<u8>,
}

impl Collector {
    /// Waits for so many answers.
    pub(super) fn new(missing: usize) -> Self {
        let array = Vec::new();
        Self(Mutex::new(Collected { missing, array }))
    }

    /// Adds an answer, and gives the array once it is complete.
    pub(super) fn add<T: Serialize + ?Sized>(
        &self,
        id: &str,
        result: Result<&T, &RequestError>,
    ) -> Option<Vec<u8>> {
        let mut collected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bracket = if collected.array.is_empty() {
            b'['
        } else {
            b','
        };
        collected.array.push(bracket);
        write_answer(&mut collected.array, id, result);
        collected.missing = collected.missing.saturating_sub(1);
        if collected.missing > 0 {
            return None;
        }
        collected.array.push(b']');
        Some(std::mem::take(&mut collected.array))
    }
}

/// Calls and notifications that are sent together. What is added is not sent before
/// [`send`](Self::send).
#[derive(Debug)]
#[must_use = "a batch does nothing until it is sent"]
pub struct Batch {
    peer: Peer,
    array: Vec<u8>,
    /// The calls in it, as long as it is not sent.
    calls: Vec<u64>,
    /// What it cancels.
    cancellations: Vec<Cancellation>,
}

impl Batch {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            array: Vec::new(),
            calls: Vec::new(),
            cancellations: Vec::new(),
        }
    }

    /// Adds a call, and gives what waits for its answer.
    ///
    /// # Errors
    ///
    /// The method must not be part of a batch, the peer does not allow it, or the params cannot
    /// be written.
    pub fn call<P: Serialize, T: Decode>(
        &mut self,
        call: Call<P, T>,
    ) -> Result<Answer<T>, CallError> {
        let (method, params) = call.into_parts()?;
        let link = self.peer.link();
        let origin = self.peer.origin();
        let telling = link.rules.telling(&method);
        let id = link.lock().calls.open(origin, telling);
        if let Err(error) = self.push(Some(id), &method, &params) {
            self.peer.link().lock().calls.forget(id);
            return Err(error);
        }
        self.calls.push(id);
        Ok(Answer::new(Arc::clone(self.peer.link()), id))
    }

    /// Adds a notification.
    ///
    /// # Errors
    ///
    /// The method must not be part of a batch, the peer does not allow it, or the params cannot
    /// be written.
    pub fn notify<P: Serialize>(&mut self, notice: Notice<P>) -> Result<(), CallError> {
        let (method, params) = notice.into_parts()?;
        self.push(None, &method, &params)
    }

    /// Sends what was added. Without anything added, nothing is sent.
    ///
    /// # Errors
    ///
    /// The connection is closed.
    pub async fn send(mut self) -> Result<(), CallError> {
        if self.array.is_empty() {
            return Ok(());
        }
        self.array.push(b']');
        let link = Arc::clone(self.peer.link());
        poll_fn(|context| link.poll_line(&self.array, context)).await?;
        self.calls.clear();
        link.cancel(&self.cancellations);
        Ok(())
    }

    fn push<P: Serialize>(
        &mut self,
        id: Option<u64>,
        method: &str,
        params: &P,
    ) -> Result<(), CallError> {
        let start = self.array.len();
        self.array.push(if start == 0 { b'[' } else { b',' });
        let written = write_call(&mut self.array, id, method, params);
        let written = written.map_err(|error| CallError::Params(error.to_string()));
        let link = self.peer.link();
        let call = self.array.get(start + 1..).unwrap_or_default();
        let checked = written.and_then(|()| link.check_call(&link.lock(), method, call));
        if checked.is_ok() {
            let cancellations = link.cancellations_of_call(method, call);
            self.cancellations.extend(cancellations);
        } else {
            self.array.truncate(start);
        }
        checked
    }
}

/// Nobody will answer what was never sent.
impl Drop for Batch {
    fn drop(&mut self) {
        let link = Arc::clone(self.peer.link());
        for id in self.calls.drain(..) {
            let waker = link.lock().calls.settle(id, Err(CallError::Closed));
            waker.into_iter().for_each(std::task::Waker::wake);
        }
    }
}
