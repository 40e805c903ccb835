//! The streams of a connection, from the server to its client.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::limits::COST;

/// A stream for the connection, and one for each session. What comes before there is a reader is
/// kept; while there is one, whoever sends waits for it.
#[derive(Debug)]
pub(super) struct Streams {
    state: Mutex<State>,
    /// How many bytes a stream holds.
    limit: usize,
    /// Rings when a session is known, and when a reader leaves.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    own: Stream,
    sessions: HashMap<String, Stream>,
    /// Why nothing more is sent.
    ended: Option<String>,
    /// Who waits for space in a stream.
    sender: Option<Waker>,
    readers: u64,
}

#[derive(Debug, Default)]
struct Stream {
    /// Whether its session is known. Only then there can be a reader.
    is_known: bool,
    events: VecDeque<Event>,
    bytes: usize,
    /// How many events have been put in, and taken out.
    pushed: u64,
    given: u64,
    /// How many had been taken out before the reader came.
    before_reader: u64,
    /// The number of the reader.
    reader: Option<u64>,
    waker: Option<Waker>,
    /// It ends once it is empty.
    is_finishing: bool,
}

/// A message in a stream.
#[derive(Debug)]
pub(super) struct Event {
    line: String,
    /// The session of which so many events come first.
    after: Option<(String, u64)>,
    /// How many that are for the one who reads them.
    shown: u64,
}

/// Why there is nothing to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Somebody else reads the stream.
    Taken,
    /// There is no such session.
    Unknown,
}

/// What a reader is given.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// An event, as it is written.
    Event(String),
    /// There are no more, because of this if it is for the reader to know.
    End(Option<String>),
}

impl Event {
    pub(super) fn new(line: String) -> Self {
        Self {
            line,
            after: None,
            shown: 0,
        }
    }

    /// How many bytes it counts while it waits.
    fn cost(&self) -> usize {
        self.line.len() + COST
    }

    fn text(&self) -> String {
        let data = self.line.replace('\r', " ");
        match self.after {
            Some(_) => format!("after: {}\ndata: {data}\n\n", self.shown),
            None => format!("data: {data}\n\n"),
        }
    }
}

impl State {
    fn stream(&mut self, session: Option<&str>) -> Option<&mut Stream> {
        match session {
            None => Some(&mut self.own),
            Some(session) => self.sessions.get_mut(session),
        }
    }

    /// Whether everything that comes before the next event of the connection is with its readers.
    fn is_due(&self) -> bool {
        let after = self
            .own
            .events
            .front()
            .and_then(|event| event.after.as_ref());
        let Some((session, count)) = after else {
            return true;
        };
        let stream = self.sessions.get(session);
        stream.is_none_or(|it| it.reader.is_none() || it.given >= *count)
    }

    /// Who waits for an event to be taken: whoever sends, and the reader of the connection's stream
    /// if something there comes after that event.
    fn waiting(&mut self) -> [Option<Waker>; 2] {
        let is_held = !self.own.events.is_empty();
        let reader = if is_held { self.own.waker.take() } else { None };
        [self.sender.take(), reader]
    }

    fn wake(&mut self) {
        let sessions = self
            .sessions
            .values_mut()
            .filter_map(|stream| stream.waker.take());
        let wakers = sessions
            .chain(self.own.waker.take())
            .chain(self.sender.take());
        wakers.for_each(Waker::wake);
    }
}

impl Streams {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            state: Mutex::default(),
            limit,
            changed: Notify::new(),
        }
    }

    /// A session is known from now on.
    pub(super) fn begin(&self, session: &str) {
        let mut state = self.lock();
        let stream = state.sessions.entry(session.to_owned()).or_default();
        stream.is_known = true;
        stream.is_finishing = false;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Makes a stream for a session that may be known soon, unless there are so many streams.
    pub(super) fn expect(&self, session: &str, limit: usize) {
        let mut state = self.lock();
        if state.sessions.len() < limit && !state.sessions.contains_key(session) {
            state.sessions.insert(session.to_owned(), Stream::default());
        }
    }

    /// Puts what was said of sessions that are not known after all into the connection's stream.
    pub(super) fn forget_unknown(&self) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let unknown = state.sessions.iter().filter(|(_, stream)| !stream.is_known);
        let unknown: BTreeSet<String> = unknown.map(|(session, _)| session.clone()).collect();
        for session in unknown {
            let stream = state.sessions.remove(&session).unwrap_or_default();
            state.own.bytes += stream.bytes;
            state.own.pushed += stream.pushed;
            state.own.events.extend(stream.events);
        }
        let reader = state.own.waker.take();
        drop(guard);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// A session is over. Its stream ends once everything in it was read.
    pub(super) fn finish(&self, session: &str) {
        let mut state = self.lock();
        if let Some(stream) = state.sessions.get_mut(session) {
            stream.is_finishing = true;
            if stream.events.is_empty() {
                state.wake();
                state.sessions.remove(session);
            }
        }
    }

    /// The event, to be read after everything that is in a session's stream so far.
    pub(super) fn after(&self, session: &str, mut event: Event) -> Event {
        if let Some(stream) = self.lock().sessions.get(session) {
            let before = if stream.reader.is_some() {
                stream.before_reader
            } else {
                stream.given
            };
            event.after = Some((session.to_owned(), stream.pushed));
            event.shown = stream.pushed - before;
        }
        event
    }

    /// Puts an event into a session's stream, or into the connection's, which takes the events of
    /// unknown sessions, too. Waits for space if there is a reader.
    ///
    /// # Errors
    ///
    /// There is no space and no reader.
    pub(super) async fn send(&self, session: Option<&str>, event: Event) -> Result<(), String> {
        let mut event = Some(event);
        poll_fn(|context| self.poll_send(session, &mut event, context)).await
    }

    fn poll_send(
        &self,
        session: Option<&str>,
        event: &mut Option<Event>,
        context: &Context<'_>,
    ) -> Poll<Result<(), String>> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let session = session.filter(|session| state.sessions.contains_key(*session));
        let Some(stream) = state.stream(session) else {
            return Poll::Ready(Ok(()));
        };
        let length = event.as_ref().map_or(0, Event::cost);
        if stream.bytes + length > self.limit {
            if stream.reader.is_none() {
                let limit = self.limit;
                let reason = format!(
                    "nobody reads, and more waits than the limit `buffered` of {limit} bytes"
                );
                return Poll::Ready(Err(reason));
            }
            if stream.bytes > 0 {
                state.sender = Some(context.waker().clone());
                return Poll::Pending;
            }
        }
        stream.bytes += length;
        stream.pushed += 1;
        stream.events.extend(event.take());
        let reader = stream.waker.take();
        // Whoever is woken may begin at once, on another thread.
        drop(guard);
        if let Some(reader) = reader {
            reader.wake();
        }
        Poll::Ready(Ok(()))
    }

    /// Begins to read a session's stream, or the connection's. Waits so long for a session that is
    /// not known yet. Gives the reader's number.
    pub(super) async fn attach(
        &self,
        session: Option<&str>,
        time: Duration,
    ) -> Result<u64, Refused> {
        let attached = timeout(time, async {
            loop {
                let changed = self.changed.notified();
                let mut changed = std::pin::pin!(changed);
                changed.as_mut().enable();
                match self.try_attach(session) {
                    Err(Refused::Unknown) => changed.await,
                    attached => return attached,
                }
            }
        });
        attached.await.unwrap_or(Err(Refused::Unknown))
    }

    fn try_attach(&self, session: Option<&str>) -> Result<u64, Refused> {
        let mut state = self.lock();
        let number = state.readers;
        let stream = state
            .stream(session)
            .filter(|stream| session.is_none() || stream.is_known)
            .ok_or(Refused::Unknown)?;
        if stream.reader.is_some() {
            return Err(Refused::Taken);
        }
        stream.reader = Some(number);
        stream.before_reader = stream.given;
        state.readers += 1;
        Ok(number)
    }

    /// Ends to read.
    pub(super) fn detach(&self, session: Option<&str>, number: u64) {
        let mut state = self.lock();
        let stream = state
            .stream(session)
            .filter(|stream| stream.reader == Some(number));
        if let Some(stream) = stream {
            stream.reader = None;
        }
        state.wake();
        drop(state);
        self.changed.notify_waiters();
    }

    /// Gives the reader of a stream what comes next.
    pub(super) fn poll_next(
        &self,
        session: Option<&str>,
        number: u64,
        context: &Context<'_>,
    ) -> Poll<Next> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let is_due = session.is_some() || state.is_due();
        let ended = state.ended.clone();
        let Some(stream) = state.stream(session).filter(|it| it.reader == Some(number)) else {
            return Poll::Ready(Next::End(ended));
        };
        let event = if is_due {
            stream.events.pop_front()
        } else {
            None
        };
        if let Some(event) = event {
            stream.bytes -= event.cost();
            stream.given += 1;
            let is_over = stream.is_finishing && stream.events.is_empty();
            if let Some(session) = session.filter(|_| is_over) {
                state.sessions.remove(session);
            }
            let waiting = state.waiting();
            drop(guard);
            waiting.into_iter().flatten().for_each(Waker::wake);
            return Poll::Ready(Next::Event(event.text()));
        }
        if ended.is_some() && stream.events.is_empty() {
            return Poll::Ready(Next::End(ended));
        }
        stream.waker = Some(context.waker().clone());
        Poll::Pending
    }

    /// Ends all streams once everything in them was read.
    pub(super) fn end(&self, reason: &str) {
        let mut state = self.lock();
        state.ended.get_or_insert_with(|| reason.to_owned());
        state.wake();
    }

    /// Whether somebody reads.
    pub(super) fn has_reader(&self) -> bool {
        let state = self.lock();
        let mut all = state.sessions.values().chain([&state.own]);
        all.any(|stream| stream.reader.is_some())
    }

    /// Waits until nobody reads.
    pub(super) async fn unread(&self) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if !self.has_reader() {
                return;
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
