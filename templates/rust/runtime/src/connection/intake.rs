//! What comes in: lines, and the messages in them.

use std::sync::Arc;

use super::super::rpc::RequestError;
use super::batch::Collector;
use super::escape;
use super::inbox::Inbox;
use super::message::{self, Incoming, Message};
use super::options::Observed;
use super::tail::shown;

impl Inbox {
    /// Takes a line.
    pub(super) fn line(&mut self, bytes: &[u8]) {
        let max_depth = self.link.options.max_depth;
        let incoming = message::incoming_within(bytes, max_depth)
            .or_else(|error| behind_escapes(bytes, max_depth).ok_or(error));
        if !self.stands_in(&incoming) {
            self.link.see(Observed::Received(bytes));
        }
        match incoming {
            Ok(Incoming::Single(text, message)) => {
                let message = self.judge(message);
                self.take(text, &message, None);
            }
            Ok(Incoming::Batch(entries)) if entries.is_empty() => {
                self.refuse(bytes, "null", None, "it is an empty batch");
            }
            Ok(Incoming::Batch(_)) if !self.link.options.batches => {
                self.refuse(bytes, "null", None, "it is a batch, and batches are off");
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

    /// Answers what is no message, if that may be one gone wrong.
    pub(super) fn refuse(&self, line: &[u8], id: &str, batch: Option<&Collector>, reason: &str) {
        self.link.drop_message(None, "", reason);
        if id != "null" || batch.is_some() || !self.link.takes_stray(line) {
            self.link
                .refuse(id, &RequestError::invalid_request(), batch);
        }
    }

    /// Answers what is JSON, and no message.
    pub(super) fn refuse_value(&self, text: &str, id: &str, batch: Option<&Collector>) {
        let reason = "it is no request, notification or response";
        let line = text.as_bytes();
        if batch.is_some() {
            return self.refuse(line, "null", batch, reason);
        }
        self.refuse(line, id, None, &format!("{reason}: {}", shown(line)));
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

/// A message behind escape sequences of a terminal.
fn behind_escapes(line: &[u8], max_depth: u16) -> Option<Incoming<'_>> {
    let incoming = message::incoming_within(escape::behind(line)?, max_depth).ok()?;
    let is_message = match &incoming {
        Incoming::Single(_, message) => !matches!(message, Message::Invalid { .. }),
        Incoming::Batch(_) => false,
    };
    is_message.then_some(incoming)
}
