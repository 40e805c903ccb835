//! A server's connections over HTTP.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

use super::super::connection::{Handle, Incoming, Message, Observed, incoming};
use super::answer::Http;
use super::endpoint::{Endpoint, messages};
use super::id::Id;
use super::ledger::Opens;
use super::queue::{SPACE, Transport, pipe};
use super::registry::{Life, Place};
use super::server::{App, Head};
use super::streams::{Event, Streams};

/// How long handlers have to end once the connection has.
const PARTING: Duration = Duration::from_secs(5);

/// How long readers have to take what is left in their streams.
const READING: Duration = Duration::from_secs(1);

/// A connection over HTTP.
pub(super) struct Connection {
    endpoint: &'static Endpoint,
    pub(super) id: Id,
    /// Who opened it.
    pub(super) identity: Option<String>,
    pub(super) life: Arc<Life>,
    pub(super) streams: Streams,
    /// How many sessions there may be.
    sessions: usize,
    pub(super) transport: Transport,
    opening: Mutex<Option<(String, oneshot::Sender<String>)>>,
    /// How many bytes wait for the connection to take them.
    waiting: AtomicUsize,
    /// When something happened last.
    touched: Mutex<Instant>,
}

/// Bytes that wait for the connection to take them.
pub(super) struct Waiting<'a>(&'a AtomicUsize, usize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

impl Connection {
    /// Begins a connection, which goes on in the background until its life is closed. Gives the
    /// answer to its first request, too, once there is one.
    pub(super) fn begin(
        app: &App,
        head: &Head,
        opening: &str,
        place: Place,
    ) -> Option<(Arc<Self>, oneshot::Receiver<String>)> {
        let id = Id::new()?;
        let (sender, receiver) = oneshot::channel();
        let (inlet, outlet, transport) = pipe(app.limits.buffered.min(SPACE));
        let handle = Handle::start((app.make)(head), inlet, outlet, app.options.clone());
        let connection = Arc::new(Self {
            endpoint: app.endpoint,
            id,
            identity: head.identity().map(str::to_owned),
            life: Arc::clone(&place.life),
            streams: Streams::new(app.limits.buffered),
            sessions: app.limits.sessions,
            transport,
            opening: Mutex::new(Some((opening.to_owned(), sender))),
            waiting: AtomicUsize::new(0),
            touched: Mutex::new(Instant::now()),
        });
        tokio::spawn(run(app.clone(), Arc::clone(&connection), handle, place));
        Some((connection, receiver))
    }

    /// Remembers that something happened.
    pub(super) fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Makes place for so many bytes to wait, unless others wait already, and it were too many.
    pub(super) fn wait(&self, bytes: usize, limit: usize) -> Option<Waiting<'_>> {
        let waiting = self.waiting.fetch_add(bytes, Ordering::Relaxed);
        let place = Waiting(&self.waiting, bytes);
        (waiting == 0 || waiting.saturating_add(bytes) <= limit).then_some(place)
    }

    /// Hands on what the handlers say, until there is nothing more, or something is wrong.
    async fn speak(&self) -> String {
        while let Some(line) = self.transport.pop().await {
            self.touch();
            if let Err(reason) = self.say_each(line).await {
                return reason;
            }
        }
        String::from("the server closed the connection")
    }

    /// Puts the messages of a line into their streams: there are no batches over HTTP.
    async fn say_each(&self, line: String) -> Result<(), String> {
        if !line.starts_with('[') {
            return self.say(line).await;
        }
        if let Ok(Incoming::Batch(entries)) = incoming(line.as_bytes()) {
            for entry in entries {
                self.say(entry.to_owned()).await?;
            }
        }
        Ok(())
    }

    /// Puts a message into the stream that it belongs to.
    async fn say(&self, line: String) -> Result<(), String> {
        let messages = messages(&line);
        let [message] = messages.as_slice() else {
            return self.streams.send(None, Event::new(line)).await;
        };
        let named = self.endpoint.session_of(message);
        let Some(settled) = self.life.ledger.settle_one(message) else {
            if let Some(session) = named.as_deref().filter(|_| self.life.ledger.is_opening()) {
                self.streams.expect(session, self.sessions);
            }
            return self.streams.send(named.as_deref(), Event::new(line)).await;
        };
        if let Message::Response { id, .. } = message {
            if let Some(opening) = self.opening_with(id) {
                let _ = opening.send(line);
                return Ok(());
            }
        }
        if let Some(opened) = &settled.opened {
            self.streams.begin(opened);
        }
        let mut event = Event::new(line);
        let session = match settled.asked.opens {
            Opens::New => settled.opened.as_deref(),
            _ => settled.asked.session.as_deref(),
        };
        if settled.asked.opens == Opens::Nothing {
            self.streams.send(session, event).await?;
        } else {
            if let Some(session) = session {
                event = self.streams.after(session, event);
            }
            self.settle_unknown();
            self.streams.send(None, event).await?;
        }
        if let Some(forgotten) = &settled.forgotten {
            self.streams.finish(forgotten);
        }
        Ok(())
    }

    /// Has what was said of sessions that did not come go where the rest goes.
    pub(super) fn settle_unknown(&self) {
        if !self.life.ledger.is_opening() {
            self.streams.forget_unknown();
        }
    }

    /// Whoever waits for the connection to be opened, if this is the answer.
    fn opening_with(&self, id: &str) -> Option<oneshot::Sender<String>> {
        let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, sender) = opening.take_if(|(opening, _)| opening == id)?;
        Some(sender)
    }

    /// Waits until nobody has listened and nothing has happened for so long.
    async fn idle(&self, limit: Duration) -> String {
        loop {
            let touched = *self.touched.lock().unwrap_or_else(PoisonError::into_inner);
            let due = touched + limit;
            if Instant::now() >= due {
                if !self.streams.has_reader() {
                    return format!("nothing happened for the limit `idle` of {limit:?}");
                }
                self.touch();
            } else {
                sleep_until(due).await;
            }
        }
    }
}

/// Drives a connection to its end.
async fn run(app: App, connection: Arc<Connection>, handle: Handle, place: Place) {
    let reason = tokio::select! {
        reason = connection.speak() => reason,
        reason = connection.life.closing() => reason,
        reason = connection.idle(app.limits.idle) => reason,
    };
    connection.end(&app.http, &reason);
    app.options.observe(Observed::Ended(&reason));
    let _ = timeout(PARTING, handle.closed()).await;
    let _ = timeout(READING, connection.streams.unread()).await;
    drop(place);
}

impl Connection {
    fn end(&self, http: &Http, reason: &str) {
        http.remove(&self.id);
        self.life.close(reason);
        self.opening
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.transport.finish();
        self.streams.end(reason);
    }
}
