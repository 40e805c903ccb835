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

/// An event stream.
pub struct Events {
    body: Incoming,
    text: Vec<u8>,
    ready: VecDeque<Event>,
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
        loop {
            if let Event::Message(message, after) = self.next().await? {
                return Some((message, after));
            }
        }
    }

    /// The next message or comment, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
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
                let message = serde_json::from_str(&data);
                let message = message.unwrap_or_else(|_| panic!("`{data}` is no message"));
                self.ready.push_back(Event::Message(message, after));
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => self.ready.push_back(Event::Comment(value.to_owned())),
            "data" => self.data.push(value.to_owned()),
            "after" => self.after = value.parse().ok(),
            _ => {}
        }
    }
}
