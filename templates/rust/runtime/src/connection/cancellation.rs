//! Requests whose answers are no longer wanted.

use std::sync::Arc;

use super::super::json::{self, Value};
use super::super::rpc::{RequestError, Result};
use super::link::Link;
use super::message;
use super::rules::Cancel;
use super::running::Running;
use super::turns::{self, Mark};

/// A message that cancels requests.
#[derive(Debug)]
pub(super) struct Cancellation {
    /// What they are found by.
    pub(super) mark: Mark,
    /// What becomes of them.
    pub(super) fired: Fired,
}

/// The cancellation of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fired {
    /// What a handler that ends by it is answered with, as JSON, in place of an error.
    pub(super) result: Option<&'static str>,
}

impl Fired {
    /// What is answered.
    pub(super) fn outcome(self) -> Result<Value> {
        let result = self.result.and_then(|result| json::decode(result).ok());
        result.ok_or_else(RequestError::request_cancelled)
    }
}

impl Link {
    /// What a message cancels that came in.
    pub(super) fn cancellations(&self, method: &str, params: Option<&str>) -> Vec<Cancellation> {
        let by_id = self.rules.cancel.filter(|cancel| cancel.method == method);
        let id = by_id.and_then(|cancel| named(params, cancel.property));
        let id = id.map(|id| Cancellation {
            mark: Mark::id(id),
            fired: Fired::default(),
        });
        let turns = turns::cancelling(self.rules.cancels, method, params);
        id.into_iter().chain(turns).collect()
    }

    /// Tells of a cancellation that names no request.
    pub(super) fn check_cancellation(&self, params: Option<&str>) {
        let Some(Cancel { method, property }) = self.rules.cancel else {
            return;
        };
        if named(params, property).is_none() {
            let path = format!("params.{property}");
            self.drop_message(Some(method), &path, "expected the id of a request");
        }
    }

    /// What a call cancels that goes out, from its text.
    pub(super) fn cancellations_of_call(&self, method: &str, call: &[u8]) -> Vec<Cancellation> {
        if !self.rules.cancels.iter().any(|turn| turn.method == method) {
            return Vec::new();
        }
        let call = std::str::from_utf8(call).unwrap_or_default();
        turns::cancelling(self.rules.cancels, method, message::member(call, "params"))
    }

    /// Tells the handlers of requests that their answers are no longer wanted.
    pub(super) fn cancel(&self, cancellation: &Cancellation) {
        for running in self.marked(&cancellation.mark) {
            running.cancel(cancellation.fired);
        }
    }

    /// Cancels requests by what went out. They are answered at once: whoever sent it does not wait
    /// for handlers of its own.
    pub(super) fn cancel_own(&self, cancellations: Vec<Cancellation>) {
        for cancellation in &cancellations {
            for running in self.marked(&cancellation.mark) {
                running.cancel(cancellation.fired);
                self.respond(&running, running.ended().as_ref());
            }
        }
        if !cancellations.is_empty() {
            self.lock().cancelled.extend(cancellations);
        }
    }

    fn marked(&self, mark: &Mark) -> Vec<Arc<Running>> {
        let state = self.lock();
        let marked = state.running.values().filter(|it| it.marks.contains(mark));
        marked.map(Arc::clone).collect()
    }
}

/// The id that a cancellation names, as it is spelled.
fn named<'a>(params: Option<&'a str>, property: &str) -> Option<&'a str> {
    message::member(params?, property).filter(|id| message::is_id_text(id))
}
