//! Calls that wait for their answers.

use std::collections::HashMap;
use std::task::{Context, Poll, Waker};

use super::CallError;

/// The calls on their way. Ids count up from 0.
#[derive(Debug, Default)]
pub struct Calls {
    next: u64,
    pending: HashMap<u64, Pending>,
    unanswered: usize,
}

#[derive(Debug)]
struct Pending {
    answer: Option<Result<String, CallError>>,
    waker: Option<Waker>,
    origin: Option<u64>,
    /// The method, if its result tells something about the connection.
    telling: Option<&'static str>,
}

impl Calls {
    /// Registers a call. `origin` is the notification whose handler makes it, `telling` the method
    /// if its result tells something about the connection.
    pub fn open(&mut self, origin: Option<u64>, telling: Option<&'static str>) -> u64 {
        let id = self.next;
        self.next += 1;
        self.unanswered += 1;
        let pending = Pending {
            answer: None,
            waker: None,
            origin,
            telling,
        };
        self.pending.insert(id, pending);
        id
    }

    /// The id of a response, if a call waits for it.
    pub fn find(&self, id: &str) -> Option<u64> {
        let id = id.parse().ok()?;
        let pending = self.pending.get(&id)?;
        pending.answer.is_none().then_some(id)
    }

    /// The method of a call whose result tells something about the connection.
    pub fn telling(&self, id: u64) -> Option<&'static str> {
        self.pending.get(&id)?.telling
    }

    /// Whether the handler of this notification made the call.
    pub fn is_from(&self, id: u64, origin: u64) -> bool {
        self.pending
            .get(&id)
            .is_some_and(|pending| pending.origin == Some(origin))
    }

    /// Whether the handler of this notification waits for an answer.
    pub fn any_from(&self, origin: u64) -> bool {
        self.pending
            .values()
            .any(|pending| pending.origin == Some(origin) && pending.answer.is_none())
    }

    /// How many calls wait for an answer.
    pub fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// Gives a call its answer. Whoever waits for it has to be woken.
    pub fn settle(&mut self, id: u64, answer: Result<String, CallError>) -> Option<Waker> {
        let pending = self.pending.get_mut(&id)?;
        if pending.answer.is_none() {
            self.unanswered -= 1;
            pending.answer = Some(answer);
        }
        pending.waker.take()
    }

    /// The ids of all calls without an answer.
    pub fn open_ids(&self) -> Vec<u64> {
        let open = self
            .pending
            .iter()
            .filter(|(_, pending)| pending.answer.is_none());
        open.map(|(id, _)| *id).collect()
    }

    /// Takes the answer to a call, or waits for it.
    pub fn poll(&mut self, id: u64, context: &mut Context<'_>) -> Poll<Result<String, CallError>> {
        let Some(pending) = self.pending.get_mut(&id) else {
            return Poll::Ready(Err(CallError::Closed));
        };
        let Some(answer) = pending.answer.take() else {
            pending.waker = Some(context.waker().clone());
            return Poll::Pending;
        };
        self.pending.remove(&id);
        Poll::Ready(answer)
    }

    /// Forgets a call. Says whether it had no answer yet.
    pub fn forget(&mut self, id: u64) -> bool {
        let open = self
            .pending
            .remove(&id)
            .is_some_and(|pending| pending.answer.is_none());
        self.unanswered -= usize::from(open);
        open
    }
}
