//! What comes in: lines, and the messages in them.

use std::sync::Arc;

use super::super::rpc::RequestError;
use super::batch::Collector;
use super::inbox::Inbox;
use super::message::{self, Incoming, Message};
use super::options::Observed;

impl Inbox {
    /// Takes a line.
    pub(super) fn line(&mut self, bytes: &[u8]) {
        let incoming = message::incoming_within(bytes, self.link.options.max_depth);
        if !self.stands_in(&incoming) {
            self.link.see(Observed::Received(bytes));
        }
        match incoming {
            Ok(Incoming::Single(text, message)) => {
                let message = self.judge(message);
                self.take(text, &message, None);
            }
            Ok(Incoming::Batch(entries)) if entries.is_empty() => {
                self.refuse("null", None, "it is an empty batch");
            }
            Ok(Incoming::Batch(_)) if !self.link.options.batches => {
                self.refuse("null", None, "it is a batch, and batches are off");
            }
            Ok(Incoming::Batch(entries)) => self.batch(&entries),
            Err(_) => self.unread(bytes),
        }
    }

    /// Whether the peer never sent this.
    fn stands_in(&self, incoming: &Result<Incoming<'_>, RequestError>) -> bool {
        let Ok(Incoming::Single(_, Message::Response { id, .. })) = incoming else {
            return false;
        };
        self.link.is_doomed(id)
    }

    /// Answers what is no message.
    pub(super) fn refuse(&self, id: &str, batch: Option<&Collector>, reason: &str) {
        self.link.drop_message(None, "", reason);
        self.link
            .refuse(id, &RequestError::invalid_request(), batch);
    }

    fn batch(&mut self, entries: &[&str]) {
        let messages = entries
            .iter()
            .map(|text| self.judge(message::message(text)));
        let messages: Vec<_> = messages.collect();
        let wants_answer = |message: &&Message<'_>| {
            matches!(message, Message::Request { .. } | Message::Invalid { .. })
        };
        let answers = messages.iter().filter(wants_answer).count();
        let collector = Arc::new(Collector::new(answers));
        for (text, message) in entries.iter().zip(&messages) {
            self.take(text, message, Some(&collector));
        }
    }

    /// An object with an id and nothing else is a malformed response, if a call waits for it.
    fn judge<'a>(&self, message: Message<'a>) -> Message<'a> {
        match message {
            Message::Response {
                id,
                result: None,
                error: None,
            } if self.link.lock().calls.find(id).is_none() => Message::Invalid {
                id,
                error: RequestError::invalid_request(),
            },
            message => message,
        }
    }
}
