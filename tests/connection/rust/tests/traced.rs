//! What `tracing` is told, with the feature of that name.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use acp::*;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, subscriber};

mod echo {
    #![allow(dead_code, reason = "its main function is not called")]
    include!("echo.rs");

    pub(crate) fn agent() -> impl Agent + 'static {
        Echo
    }
}

/// Notes the events of a level, and of those above it.
struct Notes(Level, Arc<Mutex<Vec<String>>>);

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("acp") && *metadata.level() <= self.0
    }
    fn event(&self, event: &Event<'_>) {
        let mut text = Text(event.metadata().level().to_string());
        event.record(&mut text);
        self.1.lock().unwrap().push(text.0);
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

/// What is noted while an agent is sent lines.
fn noted(level: Level, lines: &str) -> Vec<String> {
    let notes = Arc::<Mutex<Vec<String>>>::default();
    subscriber::with_default(Notes(level, Arc::clone(&notes)), || {
        AgentSideCore::new(echo::agent()).receive(lines.as_bytes());
    });
    let notes = notes.lock().unwrap();
    notes.clone()
}

#[test]
fn what_goes_wrong_is_told() {
    let noted = noted(Level::DEBUG, "nothing\n{\"method\":\"plain/note\"}\n");
    assert_eq!(noted.len(), 2, "{noted:?}");
    for part in ["DEBUG", "dropped", "it is not JSON"] {
        assert!(noted[0].contains(part), "{noted:?}");
    }
    assert!(noted[1].contains("ignored") && noted[1].contains("plain/note"), "{noted:?}");
}

#[test]
fn messages_are_told_to_those_who_want_all() {
    let noted = noted(Level::TRACE, "{\"id\":1,\"method\":\"plain/ask\"}\n");
    assert_eq!(noted.len(), 2, "{noted:?}");
    assert!(noted[0].contains("received") && noted[0].contains("plain/ask"), "{noted:?}");
    assert!(noted[1].contains("sent") && noted[1].contains("-32601"), "{noted:?}");
}
