//! Several messages in one.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::super::json::Decode;
use super::super::rpc::RequestError;
use super::call::{Answer, Call, Notice};
use super::cancellation::Cancellation;
use super::outbox::{write_answer, write_call};
use super::rules::Part;
use super::{CallError, Peer};

/// Collects the answers to a batch.
#[derive(Debug)]
pub(super) struct Collector(Mutex<Collected>);

/// What became of an answer to a request of a batch.
pub(super) enum Added {
    /// It is too long.
    Not,
    /// Others are missing.
    More,
    /// The array is complete.
    Last(Vec<u8>),
}

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

    /// Adds an answer, unless the array would have more bytes than this.
    pub(super) fn add<T: Serialize + ?Sized>(
        &self,
        id: &str,
        result: Result<&T, &RequestError>,
        limit: usize,
    ) -> Added {
        let mut collected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = collected.array.len();
        let bracket = if start == 0 { b'[' } else { b',' };
        collected.array.push(bracket);
        write_answer(&mut collected.array, id, result);
        // The last bracket counts.
        if collected.array.len() >= limit {
            collected.array.truncate(start);
            return Added::Not;
        }
        collected.missing = collected.missing.saturating_sub(1);
        if collected.missing > 0 {
            return Added::More;
        }
        collected.array.push(b']');
        Added::Last(std::mem::take(&mut collected.array))
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
    /// Why it is not sent.
    failure: CallError,
}

impl Batch {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            array: Vec::new(),
            calls: Vec::new(),
            cancellations: Vec::new(),
            failure: CallError::Closed,
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
        let id = link.lock().calls.prepare(origin, telling);
        if let Err(error) = self.push(Some(id), &method, &params) {
            self.peer.link().lock().calls.forget(id);
            return Err(error);
        }
        self.calls.push(id);
        Ok(Answer::new(Arc::clone(self.peer.link()), id, method))
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
    /// The connection is closed, or the batch is over the limit of a line: its calls fail, too.
    pub async fn send(mut self) -> Result<(), CallError> {
        if self.array.is_empty() {
            return Ok(());
        }
        self.array.push(b']');
        let link = Arc::clone(self.peer.link());
        let sent = poll_fn(|context| link.poll_line(&self.array, &self.calls, context)).await;
        if let Err(error) = sent {
            self.failure = error.clone();
            return Err(error);
        }
        self.calls.clear();
        link.cancel_own(std::mem::take(&mut self.cancellations));
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
        let part = match id {
            Some(_) => Part::Params,
            None => Part::Notification,
        };
        let checked = written.and_then(|()| link.check_call(&link.lock(), method, part, call));
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
            let waker = link.lock().calls.settle(id, Err(self.failure.clone()));
            waker.into_iter().for_each(std::task::Waker::wake);
        }
    }
}
