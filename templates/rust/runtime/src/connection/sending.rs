//! Requests and notifications on their way out, once there is space for them.

use std::sync::MutexGuard;
use std::task::{Context, Poll};

use serde::Serialize;

use super::link::{State, wake};
use super::options::Observed;
use super::rules::Part;
use super::{CallError, Link};

impl Link {
    /// Sends a request, once there is space for it.
    pub(super) fn poll_request<P: Serialize>(
        &self,
        method: &str,
        params: &P,
        origin: Option<u64>,
        context: &mut Context<'_>,
    ) -> Poll<Result<u64, CallError>> {
        let mut guard = self.lock();
        if !self.has_space(&mut guard, true, context)? {
            return Poll::Pending;
        }
        let state = &mut *guard;
        let id = state.calls.open(origin, self.rules.telling(method));
        let start = state.outbox.len();
        let written = state.outbox.request(id, method, params);
        let written = written.map(drop).map_err(|error| params_error(&error));
        if let Err(error) = written.and_then(|()| self.sent(state, method, Part::Params, start)) {
            state.calls.forget(id);
            return Poll::Ready(Err(error));
        }
        let cancelled = self.cancellations_of_call(method, state.outbox.since(start));
        drop(guard);
        self.cancel_own(cancelled);
        Poll::Ready(Ok(id))
    }

    /// Lets a call go that was written after so many bytes, or takes it back.
    fn sent(
        &self,
        state: &mut State,
        method: &str,
        part: Part,
        start: usize,
    ) -> Result<(), CallError> {
        let line = state.outbox.since(start);
        let checked = self.check_length(line.len());
        if let Err(error) = checked.and_then(|()| self.check_call(state, method, part, line)) {
            state.outbox.retract(start);
            return Err(error);
        }
        self.see(Observed::Sent(state.outbox.since(start)));
        wake(state.driver.take());
        Ok(())
    }

    /// Sends a notification, once there is space for it.
    pub(super) fn poll_notification<P: Serialize>(
        &self,
        method: &str,
        params: &P,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), CallError>> {
        let mut guard = self.lock();
        if !self.has_space(&mut guard, false, context)? {
            return Poll::Pending;
        }
        Poll::Ready(self.notify(guard, method, params))
    }

    /// Sends a notification, whether there is space for it or not.
    pub(super) fn notify_now<P: Serialize>(
        &self,
        method: &str,
        params: &P,
    ) -> Result<(), CallError> {
        let guard = self.lock();
        guard.check_open(false)?;
        self.notify(guard, method, params)
    }

    fn notify<P: Serialize>(
        &self,
        mut guard: MutexGuard<'_, State>,
        method: &str,
        params: &P,
    ) -> Result<(), CallError> {
        let state = &mut *guard;
        let start = state.outbox.len();
        state
            .outbox
            .notification(method, params)
            .map_err(|error| params_error(&error))?;
        self.sent(state, method, Part::Notification, start)?;
        let cancelled = self.cancellations_of_call(method, state.outbox.since(start));
        drop(guard);
        self.cancel_own(cancelled);
        Ok(())
    }

    /// Sends a line with these calls, once there is space for it.
    pub(super) fn poll_line(
        &self,
        line: &[u8],
        calls: &[u64],
        context: &mut Context<'_>,
    ) -> Poll<Result<(), CallError>> {
        self.check_length(line.len())?;
        let mut state = self.lock();
        if !self.has_space(&mut state, !calls.is_empty(), context)? {
            return Poll::Pending;
        }
        state.calls.sent(calls);
        self.see(Observed::Sent(state.outbox.raw(line)));
        wake(state.driver.take());
        Poll::Ready(Ok(()))
    }

    /// Whether there is space for a message.
    fn has_space(
        &self,
        state: &mut State,
        is_call: bool,
        context: &Context<'_>,
    ) -> Result<bool, CallError> {
        state.check_open(is_call)?;
        let has_space = state.outbox.len() <= self.options.max_buffered;
        if !has_space {
            state.senders.push(context.waker().clone());
        }
        Ok(has_space)
    }

    /// Fails if a line of so many bytes must not be sent.
    pub(super) fn check_length(&self, size: usize) -> Result<(), CallError> {
        let limit = self.options.max_line;
        if size > limit {
            return Err(CallError::TooLong { size, limit });
        }
        Ok(())
    }
}

fn params_error(error: &serde_json::Error) -> CallError {
    CallError::Params(error.to_string())
}
