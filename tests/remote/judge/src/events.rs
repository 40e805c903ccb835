//! An event stream, read as its specification says.

use std::collections::VecDeque;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Value;

use crate::soon;

/// What comes on an event stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A message, and the field `after` of its event.
    Message(Value, Option<u64>),
    /// A comment.
    Comment(String),
}

/// What has come, before it is read.
enum Ready {
    Message(String, Option<u64>),
    Comment(String),
}

/// An event stream.
pub struct Events {
    body: Incoming,
    text: Vec<u8>,
    ready: VecDeque<Ready>,
    data: Vec<String>,
    after: Option<u64>,
    is_patient: bool,
}

impl Events {
    pub(crate) fn new(body: Incoming) -> Self {
        Self {
            body,
            text: Vec::new(),
            ready: VecDeque::new(),
            data: Vec::new(),
            after: None,
            is_patient: false,
        }
    }

    /// The same, for whoever waits as long as it takes.
    #[must_use]
    pub fn patient(mut self) -> Self {
        self.is_patient = true;
        self
    }

    /// The next message, or `None` at the end of the stream.
    pub async fn message(&mut self) -> Option<Value> {
        self.message_after().await.map(|(message, _)| message)
    }

    /// The next message and its `after`, or `None` at the end of the stream.
    pub async fn message_after(&mut self) -> Option<(Value, Option<u64>)> {
        let is_patient = self.is_patient;
        let message = async {
            loop {
                if let Event::Message(message, after) = self.next().await? {
                    return Some((message, after));
                }
            }
        };
        // Comments that keep the stream alive are no reason to wait on.
        if is_patient { message.await } else { soon("the next message", message).await }
    }

    /// The text of the next message, or `None` at the end of the stream.
    pub async fn text(&mut self) -> Option<String> {
        loop {
            if let Ready::Message(text, _) = self.come().await? {
                return Some(text);
            }
        }
    }

    /// The next message or comment, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        Some(match self.come().await? {
            Ready::Comment(text) => Event::Comment(text),
            Ready::Message(text, after) => {
                let message = serde_json::from_str(&text);
                Event::Message(message.unwrap_or_else(|_| panic!("`{text}` is no message")), after)
            }
        })
    }

    async fn come(&mut self) -> Option<Ready> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            let frame = if self.is_patient {
                self.body.frame().await?
            } else {
                soon("the next event", self.body.frame()).await?
            };
            // A stream that is cut off ends, too.
            let frame = frame.ok()?;
            let Some(data) = frame.data_ref() else { continue };
            self.text.extend_from_slice(data);
            while let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                let line = String::from_utf8(line).expect("events are UTF-8");
                self.line(line.trim_end_matches(['\n', '\r']));
            }
        }
    }

    fn line(&mut self, line: &str) {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data).join("\n");
            let after = self.after.take();
            if !data.is_empty() {
                self.ready.push_back(Ready::Message(data, after));
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => self.ready.push_back(Ready::Comment(value.to_owned())),
            "data" => self.data.push(value.to_owned()),
            "after" => self.after = value.parse().ok(),
            _ => {}
        }
    }
}
