//! Messages that wait for their turn.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::batch::Collector;
use super::message::Message;
use super::turns::{self, Mark, Turn};

/// What a message takes beside its text, in bytes, about.
const OVERHEAD: usize = 256;

/// A message that waits.
#[derive(Debug)]
pub(super) struct Queued {
    pub(super) text: String,
    pub(super) batch: Option<Arc<Collector>>,
    pub(super) is_response: bool,
    /// What a cancellation finds it by, if it is a request.
    marks: Vec<Mark>,
}

impl Queued {
    pub(super) fn new(
        text: &str,
        message: &Message<'_>,
        batch: Option<&Arc<Collector>>,
        turns: &[Turn],
    ) -> Self {
        let marks = match message {
            Message::Request { id, method, params } => turns::marks(turns, id, method, *params),
            _ => Vec::new(),
        };
        Self {
            text: text.to_owned(),
            batch: batch.cloned(),
            is_response: matches!(message, Message::Response { .. }),
            marks,
        }
    }

    fn is_request(&self) -> bool {
        !self.marks.is_empty()
    }

    fn size(&self) -> usize {
        self.text.len() + OVERHEAD
    }
}

/// Messages that wait, in order. Those that a cancellation is for are found without looking at the
/// others, however many there are.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    messages: BTreeMap<u64, Queued>,
    marked: HashMap<Mark, BTreeSet<u64>>,
    next: u64,
    size: usize,
}

impl Waiting {
    pub(super) fn push(&mut self, queued: Queued) {
        let number = self.next;
        self.next += 1;
        self.size += queued.size();
        for mark in &queued.marks {
            self.marked.entry(mark.clone()).or_default().insert(number);
        }
        self.messages.insert(number, queued);
    }

    pub(super) fn first(&self) -> Option<&Queued> {
        self.messages.first_key_value().map(|(_, queued)| queued)
    }

    pub(super) fn pop(&mut self) -> Option<Queued> {
        let number = *self.messages.first_key_value()?.0;
        self.remove(number)
    }

    /// Takes out the requests with a mark.
    pub(super) fn take_marked(&mut self, mark: &Mark) -> Vec<Queued> {
        let marked = self.marked.get(mark).cloned().unwrap_or_default();
        let taken = marked.into_iter().filter_map(|number| self.remove(number));
        taken.collect()
    }

    /// Takes out all requests.
    pub(super) fn take_requests(&mut self) -> Vec<Queued> {
        let requests = self.messages.iter().filter(|(_, it)| it.is_request());
        let requests: Vec<u64> = requests.map(|(number, _)| *number).collect();
        let taken = requests.into_iter().filter_map(|it| self.remove(it));
        taken.collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Queued> {
        self.messages.values()
    }

    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// How many bytes they take, about.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn remove(&mut self, number: u64) -> Option<Queued> {
        let queued = self.messages.remove(&number)?;
        self.size -= queued.size();
        for mark in &queued.marks {
            if let Some(numbers) = self.marked.get_mut(mark) {
                numbers.remove(&number);
                if numbers.is_empty() {
                    self.marked.remove(mark);
                }
            }
        }
        Some(queued)
    }
}
