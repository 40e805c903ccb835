//! Calls that wait for their answers.

use std::collections::{BTreeSet, HashMap};
use std::task::{Context, Poll, Waker};

use super::CallError;

/// The calls on their way. Ids count up from 0.
#[derive(Debug, Default)]
pub struct Calls {
    next: u64,
    /// How many batches were sent.
    batches: u64,
    pending: HashMap<u64, Pending>,
    /// How many answers were given to who waits, and not taken yet.
    untaken: usize,
}

#[derive(Debug)]
struct Pending {
    answer: Option<Result<String, CallError>>,
    /// Whether somebody was woken to take the answer.
    is_awaited: bool,
    waker: Option<Waker>,
    origin: Option<u64>,
    /// The method, if its result tells something about the connection.
    telling: Option<&'static str>,
    /// What the call fails with once everything that came before is handled.
    failure: Option<CallError>,
    sent: Sent,
}

/// How a call was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    /// It is not sent yet.
    Not,
    /// By itself.
    Alone,
    /// In a batch: which it is of those that were sent.
    In(u64),
}

impl Calls {
    /// Registers a call. `origin` is the notification whose handler makes it, `telling` the method
    /// if its result tells something about the connection.
    pub fn open(&mut self, origin: Option<u64>, telling: Option<&'static str>) -> u64 {
        self.add(origin, telling, Sent::Alone)
    }

    /// Registers a call that is to be sent in a batch.
    pub(super) fn prepare(&mut self, origin: Option<u64>, telling: Option<&'static str>) -> u64 {
        self.add(origin, telling, Sent::Not)
    }

    /// Takes note that a batch with these calls is sent.
    pub(super) fn sent(&mut self, ids: &[u64]) {
        let batch = self.batches;
        self.batches += 1;
        for id in ids {
            if let Some(pending) = self.pending.get_mut(id) {
                pending.sent = Sent::In(batch);
            }
        }
    }

    fn add(&mut self, origin: Option<u64>, telling: Option<&'static str>, sent: Sent) -> u64 {
        let id = self.next;
        self.next += 1;
        let pending = Pending {
            answer: None,
            is_awaited: false,
            waker: None,
            origin,
            telling,
            failure: None,
            sent,
        };
        self.pending.insert(id, pending);
        id
    }

    /// The id of a response, if a call waits for it.
    pub fn find(&self, id: &str) -> Option<u64> {
        let id = id.parse().ok().or_else(|| whole(id))?;
        let pending = self.pending.get(&id)?;
        pending.answer.is_none().then_some(id)
    }

    /// Those that wait of the calls that were sent in one batch with any of these.
    pub(super) fn sent_with(&self, calls: &BTreeSet<u64>) -> Vec<u64> {
        let sent = |id: &u64| Some(self.pending.get(id)?.sent);
        let batches = calls.iter().filter_map(sent);
        let batches: Vec<Sent> = batches.filter(|it| matches!(it, Sent::In(_))).collect();
        let waiting = self.pending.iter().filter(|(_, it)| it.answer.is_none());
        let beside = waiting.filter(|(_, it)| batches.contains(&it.sent));
        beside.map(|(id, _)| *id).collect()
    }

    /// Whether a call was sent and waits for its answer.
    pub(super) fn is_open(&self, id: u64) -> bool {
        let pending = self.pending.get(&id);
        pending.is_some_and(|it| it.answer.is_none() && it.sent != Sent::Not)
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

    /// Notes what a call will fail with. Says whether it waits, and nothing was noted before.
    pub fn doom(&mut self, id: u64, error: CallError) -> bool {
        let waiting = self.pending.get_mut(&id).filter(|it| it.answer.is_none());
        let Some(pending) = waiting.filter(|it| it.failure.is_none()) else {
            return false;
        };
        pending.failure = Some(error);
        true
    }

    /// What a call that waits will fail with, if that was noted.
    pub fn failure(&self, id: u64) -> Option<&CallError> {
        self.pending.get(&id)?.failure.as_ref()
    }

    /// Gives a call its answer. Whoever waits for it has to be woken.
    pub fn settle(&mut self, id: u64, answer: Result<String, CallError>) -> Option<Waker> {
        let pending = self.pending.get_mut(&id)?;
        if pending.answer.is_none() {
            pending.answer = Some(answer);
            pending.is_awaited = pending.waker.is_some();
            self.untaken += usize::from(pending.is_awaited);
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
        self.untaken -= usize::from(pending.is_awaited);
        self.pending.remove(&id);
        Poll::Ready(answer)
    }

    /// Whether who was woken to take an answer has not done so yet.
    pub(super) fn has_untaken(&self) -> bool {
        self.untaken > 0
    }

    /// Waits no longer for those who have not taken their answers.
    pub(super) fn leave_untaken(&mut self) {
        for pending in self.pending.values_mut() {
            pending.is_awaited = false;
        }
        self.untaken = 0;
    }

    /// Forgets a call. Says whether it had no answer yet.
    pub fn forget(&mut self, id: u64) -> bool {
        let Some(pending) = self.pending.remove(&id) else {
            return false;
        };
        self.untaken -= usize::from(pending.is_awaited);
        pending.answer.is_none()
    }
}

/// The integer that another spelling of it means: `1.0` is 1, `-0` is 0.
fn whole(id: &str) -> Option<u64> {
    let number: f64 = id.parse().ok()?;
    // Writing it is the one conversion that neither rounds nor wraps.
    let text = number.abs().to_string();
    text.parse().ok().filter(|_| number >= 0.0)
}
