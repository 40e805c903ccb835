//! Lines that cannot be read. What waits for an answer gets one all the same.

use std::collections::BTreeSet;

use super::super::rpc::RequestError;
use super::inbox::Inbox;
use super::message;
use super::skim::Skimmer;
use super::tail::shown;
use super::{CallError, Link};

/// A line that cannot be read, as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Unread {
    skimmer: Skimmer,
    /// How many messages there are, and what is known of the first if it is no response.
    messages: usize,
    id: Option<String>,
    method: Option<String>,
    /// Whether a message is a call.
    has_calls: bool,
    /// The calls that it answers.
    answered: BTreeSet<u64>,
}

impl Unread {
    fn read(&mut self, link: &Link, bytes: &[u8]) {
        self.skimmer.read(bytes);
        self.take(link);
    }

    /// There is no more. An array that is cut off answers all calls of a batch of which it answers
    /// one: a batch is answered by one array.
    fn end(&mut self, link: &Link) {
        let is_whole = self.skimmer.end();
        self.take(link);
        if self.skimmer.is_batch() && !is_whole {
            let beside = link.lock().calls.sent_with(&self.answered);
            self.answered.extend(beside);
        }
    }

    fn take(&mut self, link: &Link) {
        for message in self.skimmer.take() {
            self.has_calls |= message.is_call();
            if message.is_response() {
                let id = message.id.as_deref().unwrap_or("null");
                self.answered.extend(link.lock().calls.find(id));
            } else if self.messages == 0 {
                (self.id, self.method) = (message.id, message.method);
            }
            self.messages += 1;
        }
    }

    /// Whether somebody may wait for an answer to it.
    fn is_refused(&self) -> bool {
        self.answered.is_empty() || self.has_calls
    }

    fn is_single(&self) -> bool {
        self.messages == 1 && !self.skimmer.is_batch()
    }
}

impl Inbox {
    /// Answers a line that cannot be read, and fails the calls that it answers.
    pub(super) fn unread(&mut self, line: &[u8]) {
        let mut unread = Unread::default();
        unread.read(&self.link, line);
        unread.end(&self.link);
        let levels = self.link.options.max_depth;
        let reason = if std::str::from_utf8(line).is_err() {
            String::from("it is not UTF-8")
        } else if unread.skimmer.levels() > levels.into() {
            format!("it is nested deeper than {levels} levels")
        } else {
            String::from("it is not JSON")
        };
        let reason = format!("{reason}: {}", shown(line));
        self.link.drop_message(None, "", &reason);
        if unread.is_refused() && !self.link.takes_stray(line) {
            self.link.refuse("null", &RequestError::parse_error(), None);
        }
        self.lose_all(&unread, &reason);
    }

    /// Takes a piece of a line over the limit, which is not held.
    pub(super) fn excess(&mut self, piece: &[u8], is_last: bool) {
        let mut unread = self.excess.take().unwrap_or_default();
        unread.read(&self.link, piece);
        if !is_last {
            self.excess = Some(unread);
            return;
        }
        unread.end(&self.link);
        let limit = self.link.options.max_line;
        let reason = format!("it is longer than {limit} bytes");
        let is_single = unread.is_single();
        let method = unread.method.as_deref().filter(|_| is_single);
        self.link.drop_message(method, "", &reason);
        if unread.is_refused() {
            let id = unread.id.as_deref().filter(|_| is_single);
            let error = RequestError::invalid_request();
            if id.is_some() || !self.link.options.takes_strays() {
                self.link.refuse(id.unwrap_or("null"), &error, None);
            }
        }
        self.lose_all(&unread, &reason);
    }

    fn lose_all(&mut self, unread: &Unread, reason: &str) {
        // What the end breaks off fails by the end.
        if self.is_at_end {
            return;
        }
        for call in &unread.answered {
            self.lose(&call.to_string(), reason);
        }
    }

    /// Fails a call whose answer cannot be read, after what came before.
    fn lose(&mut self, id: &str, reason: &str) {
        if self.link.doom(id, CallError::Malformed(reason.to_owned())) {
            let text = format!("{{\"id\":{id},\"result\":null}}");
            self.take(&text, &message::message(&text), None);
        }
    }
}
