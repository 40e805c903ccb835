//! What the parts of a connection share.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use super::super::json::Value;
use super::super::rpc::Members;
use super::batch::Collector;
use super::calls::Calls;
use super::cancellation::{Cancellation, Fired};
use super::log::Log;
use super::options::{Observed, Options};
use super::outbox::Outbox;
use super::rules::{Cancel, Lacking, Rules};
use super::running::Running;
use super::service::Service;
use super::tail::{Tail, shown};
use super::{CallError, message, turns};

/// The middle of a connection: handlers, callers and the driver meet here.
#[derive(Debug)]
pub(super) struct Link {
    state: Mutex<State>,
    pub(super) rules: &'static Rules,
    /// The members of the data of the protocol's own errors.
    pub(super) errors: Members,
    /// The capabilities that this end must not claim.
    pub(super) lacking: Vec<Lacking>,
    pub(super) options: Options,
    pub(super) log: Option<Log>,
    /// What the package keeps with the connection.
    pub(super) kept: OnceLock<Box<dyn Any + Send + Sync>>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) outbox: Outbox,
    pub(super) calls: Calls,
    pub(super) running: BTreeMap<u64, Arc<Running>>,
    next_running: u64,
    pub(super) driver: Option<Waker>,
    /// Who waits until callers have had their answers.
    held: Option<Waker>,
    /// What was cancelled from this end, for requests that are not begun with yet.
    pub(super) cancelled: Vec<Cancellation>,
    /// Who waits for space in the outbox.
    pub(super) senders: Vec<Waker>,
    /// Who waits for the end.
    watchers: Vec<Waker>,
    /// What the peer says it can do.
    pub(super) capabilities: Option<Value>,
    /// The version that was agreed on, by its place among those of this end.
    pub(super) version: Option<usize>,
    /// Why calls fail, if the connection was given up.
    failure: Option<CallError>,
    /// How the peer ended, if it is known.
    farewell: Option<CallError>,
    /// The last lines from it that were no messages.
    strays: Tail,
    /// Nothing more comes in.
    pub(super) is_closing: bool,
    /// Nothing more goes out.
    pub(super) is_closed: bool,
    /// Whoever owns the connection wants it to end.
    pub(super) is_stopped: bool,
    end: Option<Result<(), CallError>>,
}

impl State {
    /// Fails once nothing more is sent. Calls need an answer, and fail once none can come.
    pub(super) fn check_open(&self, is_call: bool) -> Result<(), CallError> {
        if self.is_closed || (self.is_closing && (is_call || self.is_stopped)) {
            return Err(self.closed());
        }
        Ok(())
    }

    /// What calls fail with that are not answered any more.
    fn closed(&self) -> CallError {
        let failure = self.failure.clone();
        let error = failure.or_else(|| self.farewell());
        error.unwrap_or(CallError::Closed)
    }

    /// How the peer ended, and the last that it said.
    fn farewell(&self) -> Option<CallError> {
        let mut error = self.farewell.clone()?;
        if let CallError::Exited { stdout, .. } = &mut error {
            *stdout = self.strays.text();
        }
        Some(error)
    }

    /// Lets what came after an answer go on, once nobody has one to take.
    fn taken(&mut self) {
        if !self.calls.has_untaken() {
            wake(self.held.take());
        }
    }
}

impl Link {
    pub(super) fn new(service: &dyn Service, options: Options) -> Arc<Self> {
        let state = Mutex::default();
        let rules = service.rules();
        let log = Log::new(&options, service.log_variable(), rules);
        Arc::new(Self {
            state,
            rules,
            errors: service.errors(),
            lacking: rules.lacking(|method| service.handles(method)),
            options,
            log,
            kept: OnceLock::new(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives up a call. The peer is told, if it might still be working on it.
    pub(super) fn abandon(&self, id: u64) {
        let mut state = self.lock();
        if state.calls.forget(id) {
            self.cancel_call(&mut state, id);
        }
        state.taken();
    }

    /// Takes the answer to a call, or waits for it.
    pub(super) fn poll_answer(
        &self,
        id: u64,
        context: &mut Context<'_>,
    ) -> Poll<Result<String, CallError>> {
        let mut state = self.lock();
        let polled = state.calls.poll(id, context);
        state.taken();
        polled
    }

    /// Whether who was woken to take an answer has not done so yet. If so, the context is woken
    /// once it has.
    pub(super) fn has_untaken(&self, context: &Context<'_>) -> bool {
        let mut state = self.lock();
        if state.calls.has_untaken() {
            state.held = Some(context.waker().clone());
        }
        state.calls.has_untaken()
    }

    /// Tells the peer that the answer to a call is no longer wanted, and goes on waiting for it.
    pub(super) fn cancel_open(&self, id: u64) {
        let mut state = self.lock();
        if state.calls.is_open(id) {
            self.cancel_call(&mut state, id);
        }
    }

    fn cancel_call(&self, state: &mut State, id: u64) {
        let Some(Cancel { method, property }) = self.rules.cancel.filter(|_| !state.is_closing)
        else {
            return;
        };
        let params = BTreeMap::from([(property, id)]);
        if let Ok(line) = state.outbox.notification(method, &params) {
            self.see(Observed::Sent(line));
        }
        wake(state.driver.take());
    }

    /// Settles the call that a response belongs to.
    pub(super) fn settle(&self, id: &str, result: Option<&str>, error: Option<&str>) {
        let mut state = self.lock();
        let Some(call) = state.calls.find(id) else {
            return self.see(Observed::Unexpected(id));
        };
        let failure = state.calls.failure(call).cloned();
        let outcome = failure.map_or_else(|| message::outcome(result, error), Err);
        let telling = state.calls.telling(call);
        if let (Some(method), Ok(result)) = (telling, &outcome) {
            if let Err(error) = self.told(&mut state, method, result) {
                drop(state);
                return self.give_up(error);
            }
        }
        let waker = state.calls.settle(call, outcome.map(str::to_owned));
        drop(state);
        wake(waker);
    }

    /// Takes a line that is no message, where the peer may print such. Says whether it did.
    pub(super) fn takes_stray(&self, line: &[u8]) -> bool {
        if !self.options.takes_strays() {
            return false;
        }
        self.lock()
            .strays
            .push(format!("{}\n", shown(line)).as_bytes());
        self.options.give_stray(line);
        true
    }

    /// Takes note of why the input is about to end.
    pub(super) fn lose(&self, error: CallError) {
        self.lock().failure.get_or_insert(error);
    }

    /// Takes note of how the peer ended: calls then fail with this error.
    pub(super) fn part(&self, error: CallError) {
        self.lock().farewell.get_or_insert(error);
    }

    /// Ends the connection at once: all calls fail with this error, and nothing more is sent.
    pub(super) fn give_up(&self, error: CallError) {
        let end = Err(error.clone());
        let mut state = self.lock();
        state.failure = Some(error);
        state.is_stopped = true;
        wake(state.driver.take());
        drop(state);
        self.close(end);
    }

    /// Has a call fail whose answer cannot come any more, once a response to it stands in for that.
    /// Says whether one is wanted.
    pub(super) fn doom(&self, id: &str, error: CallError) -> bool {
        let mut state = self.lock();
        let call = state.calls.find(id);
        call.is_some_and(|call| state.calls.doom(call, error))
    }

    /// Whether a response stands in for an answer that cannot come.
    pub(super) fn is_doomed(&self, id: &str) -> bool {
        let state = self.lock();
        let call = state.calls.find(id);
        call.is_some_and(|call| state.calls.failure(call).is_some())
    }

    /// Remembers a request while it is handled.
    pub(super) fn start(
        self: &Arc<Self>,
        id: &str,
        method: &str,
        params: Option<&str>,
        batch: Option<Arc<Collector>>,
    ) -> Arc<Running> {
        let is_edited = self.rules.edits_result(method);
        let marks = turns::marks(self.rules.cancels, id, method, params);
        let mut state = self.lock();
        let number = state.next_running;
        state.next_running += 1;
        let running = Running::new(Arc::clone(self), number, id, method);
        let running = Arc::new(running.with_rules(batch, is_edited, marks));
        if state.is_closing {
            running.cancel(Fired::default());
        }
        state.running.insert(number, Arc::clone(&running));
        running
    }

    /// Nothing more comes in: calls fail but for those whose answers are still to be delivered,
    /// and handlers are cancelled.
    pub(super) fn end_input(&self, answered: &[u64]) {
        let mut state = self.lock();
        state.is_closing = true;
        let mut wakers = std::mem::take(&mut state.watchers);
        wakers.append(&mut state.senders);
        for id in state.calls.open_ids() {
            if !answered.contains(&id) {
                let failure = state.calls.failure(id).cloned();
                let error = failure.unwrap_or_else(|| state.closed());
                wakers.extend(state.calls.settle(id, Err(error)));
            }
        }
        let running: Vec<_> = state.running.values().cloned().collect();
        drop(state);
        for running in running {
            running.cancel(Fired::default());
        }
        wakers.into_iter().for_each(Waker::wake);
    }

    /// The end: nothing comes in or goes out.
    pub(super) fn close(&self, end: Result<(), CallError>) {
        self.end_input(&[]);
        let mut state = self.lock();
        state.is_closed = true;
        let end = match (&state.failure, end) {
            (Some(failure), _) => Err(failure.clone()),
            // How the peer ended says more than that it cannot be written to.
            (None, Err(error)) => Err(state.farewell().unwrap_or(error)),
            (None, Ok(())) => Ok(()),
        };
        state.end.get_or_insert(end);
        let mut wakers = std::mem::take(&mut state.senders);
        wakers.append(&mut state.watchers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Asks the driver to write what there is to write, and to end.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        wake(state.driver.take());
    }

    /// Waits until nothing more comes in.
    pub(super) fn poll_closing(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.is_closing {
            return Poll::Ready(());
        }
        state.watchers.push(context.waker().clone());
        Poll::Pending
    }

    /// Waits for the end.
    pub(super) fn poll_end(&self, context: &Context<'_>) -> Poll<Result<(), CallError>> {
        let mut state = self.lock();
        if let Some(end) = &state.end {
            return Poll::Ready(end.clone());
        }
        state.watchers.push(context.waker().clone());
        Poll::Pending
    }

    /// Takes what there is to write. If there is nothing, the driver is woken once there is.
    pub(super) fn take_output(&self, into: &mut Vec<u8>, context: &Context<'_>) -> bool {
        let mut state = self.lock();
        if state.outbox.is_empty() {
            state.driver = Some(context.waker().clone());
            return false;
        }
        state.outbox.take(into);
        let senders = std::mem::take(&mut state.senders);
        drop(state);
        senders.into_iter().for_each(Waker::wake);
        true
    }

    /// Wakes the driver when anything happens. Says whether it was asked to end.
    pub(super) fn watch(&self, context: &Context<'_>) -> bool {
        let mut state = self.lock();
        state.driver = Some(context.waker().clone());
        state.is_stopped
    }
}

pub(super) fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}
