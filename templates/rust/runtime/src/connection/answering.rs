//! Answers to requests.

use serde::Serialize;

use super::super::json::{self, Object, Value};
use super::super::rpc::RequestError;
use super::batch::{Added, Collector};
use super::cancellation::Fired;
use super::link::{Link, State, wake};
use super::options::Observed;
use super::running::Running;

impl Link {
    /// Answers a request.
    pub(super) fn respond<T: Serialize + ?Sized>(
        &self,
        running: &Running,
        result: Result<&T, &RequestError>,
    ) {
        // It may have been answered before, by its cancellation.
        if self.lock().running.remove(&running.number).is_none() {
            return;
        }
        let detailed = result
            .err()
            .and_then(|error| self.blamed(&running.method, error));
        let result = detailed.as_ref().map_or(result, Err);
        let mut state = self.lock();
        match result {
            Ok(result) if running.is_edited => {
                let mut text = Vec::new();
                let written = json::write(&mut text, result);
                let written = written.map_err(|_| RequestError::internal_error());
                let edited = written.and_then(|()| self.edited(&state, &running.method, text));
                self.answer(&mut state, running, edited.as_deref());
            }
            _ => self.answer(&mut state, running, result),
        }
        wake(state.driver.take());
    }

    /// Tells of an error that is none of a handler's own. Gives what is to be answered instead, if
    /// something is.
    fn blamed(&self, method: &str, error: &RequestError) -> Option<RequestError> {
        if let Some(details) = error.details() {
            return Some(self.failed(method, details, error));
        }
        // What a call of the handler was answered with says nothing of this one.
        if error.call().is_some() {
            let error = &error.to_string();
            self.see(Observed::Failed { method, error });
        }
        None
    }

    /// Answers what is no request.
    pub(super) fn refuse(&self, id: &str, error: &RequestError, batch: Option<&Collector>) {
        self.write::<()>(&mut self.lock(), batch, id, Err(error), usize::MAX);
    }

    /// Answers a request that was cancelled before any handler got it.
    pub(super) fn answer_cancelled(&self, id: &str, batch: Option<&Collector>, fired: Fired) {
        let outcome = fired.outcome();
        self.write(&mut self.lock(), batch, id, outcome.as_ref(), usize::MAX);
    }

    /// Tells that something was thrown away.
    pub(super) fn drop_message(&self, method: Option<&str>, path: &str, reason: &str) {
        self.see(Observed::Dropped {
            method,
            path,
            reason,
        });
    }

    /// Tells of a notification that no handler got.
    pub(super) fn passed_over(&self, method: &str, error: &RequestError) {
        let data = |name| error.data.as_ref()?.get(name)?.as_str();
        match (data("path"), data("expected"), data("found")) {
            (Some(path), Some(expected), Some(found)) => {
                let reason = format!("expected {expected}, found {found}");
                self.drop_message(Some(method), path, &reason);
            }
            // It has done what it is for.
            _ if self.rules.cancels.iter().any(|turn| turn.method == method) => {}
            _ => self.see(Observed::Ignored(method)),
        }
    }

    /// Tells that the handler of a notification failed.
    pub(super) fn failed_notification(&self, method: &str, error: &RequestError) {
        let text = error.to_string();
        let error = error.details().unwrap_or(&text);
        self.see(Observed::Failed { method, error });
    }

    /// Tells that a handler failed, and gives what to answer for it.
    pub(super) fn failed(&self, method: &str, error: &str, answer: &RequestError) -> RequestError {
        self.see(Observed::Failed { method, error });
        let answer = answer.clone();
        if !self.options.error_details {
            return answer;
        }
        let mut data = Object::new();
        data.insert(String::from("details"), Value::from(error));
        answer.data(data)
    }

    /// Writes an answer, or that it cannot be written.
    fn answer<T: Serialize + ?Sized>(
        &self,
        state: &mut State,
        running: &Running,
        result: Result<&T, &RequestError>,
    ) {
        let (batch, limit) = (running.batch.as_deref(), self.options.max_line);
        if self.write(state, batch, &running.id, result, limit) {
            return;
        }
        let reason = format!("an answer over the limit of {limit} bytes");
        let error = RequestError::internal_error();
        let error = self.failed(&running.method, &reason, &error);
        // Somebody waits for it, however short the limit is.
        self.write::<()>(state, batch, &running.id, Err(&error), usize::MAX);
    }

    /// Writes an answer, unless it is over a limit. Says whether it did.
    fn write<T: Serialize + ?Sized>(
        &self,
        state: &mut State,
        batch: Option<&Collector>,
        id: &str,
        result: Result<&T, &RequestError>,
        limit: usize,
    ) -> bool {
        if state.is_closed {
            return true;
        }
        let line = match batch {
            None => state.outbox.respond_within(id, result, limit),
            Some(batch) => match batch.add(id, result, limit) {
                Added::Last(array) => Some(state.outbox.answer(&array)),
                Added::More => return true,
                Added::Not => None,
            },
        };
        let Some(line) = line else {
            return false;
        };
        self.see(Observed::Sent(line));
        true
    }
}
