//! A client's streams of events.

use std::sync::Arc;

use reqwest::header::CONTENT_TYPE;
use tokio::sync::watch;
use tokio::time::timeout;

use super::super::connection::{CallError, Message};
use super::client::lost;
use super::endpoint::{messages, on_one_line};
use super::events::{Event, Events};
use super::http::{Client, State};
use super::requests::{said, whole};

/// How far a stream is.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) is_open: bool,
    pub(super) has_ended: bool,
    /// Why it has ended.
    failure: Option<CallError>,
    /// How many events were handed on.
    handed: u64,
}

impl Progress {
    /// Whether the server has given the stream, or not.
    fn is_answered(&self) -> bool {
        self.is_open || self.has_ended
    }
}

impl Client {
    /// Listens to the connection, and waits until its stream is open.
    pub(super) async fn listen_to_connection(self: &Arc<Self>) -> Result<(), CallError> {
        let mut progress = self.listen(&mut self.lock(), None);
        let opened = progress.wait_for(Progress::is_answered).await;
        match opened.map(|progress| progress.clone()) {
            Ok(Progress { is_open: true, .. }) => Ok(()),
            Ok(Progress { failure, .. }) => Err(failure.unwrap_or(CallError::Closed)),
            Err(_) => Err(CallError::Closed),
        }
    }

    /// Listens to a session that was opened, unless it is listened to. Whoever asked for its stream
    /// before may have been told that there is no such session; nothing else is asked twice.
    async fn listen_to_opened(self: &Arc<Self>, session: &str) -> Result<(), CallError> {
        let mut progress = self.stream(session, Progress::is_answered).await;
        let was_unknown = |it: Progress| it.failure.is_some_and(|it| is_unknown(&it));
        if progress.is_none_or(was_unknown) {
            self.listen_to(session);
        }
        progress = self.stream(session, Progress::is_answered).await;
        match progress.and_then(|it| it.failure) {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Listens to a session, unless it is listened to.
    pub(super) fn listen_to(self: &Arc<Self>, session: &str) {
        let mut state = self.lock();
        let known = state.streams.get(session);
        if known.is_none_or(|stream| stream.borrow().has_ended) {
            let progress = self.listen(&mut state, Some(session.to_owned()));
            state.streams.insert(session.to_owned(), progress);
        }
    }

    fn listen(
        self: &Arc<Self>,
        state: &mut State,
        session: Option<String>,
    ) -> watch::Receiver<Progress> {
        let (sender, progress) = watch::channel(Progress::default());
        let client = Arc::clone(self);
        let listening = async move {
            let followed = client.follow(session.as_deref(), &sender).await;
            let failure = followed.err();
            let was_open = sender.borrow().is_open;
            match (&session, &failure) {
                (Some(session), Some(failure)) => {
                    let with_openings = was_open || !is_unknown(failure);
                    client.lose_stream(session, failure, with_openings);
                }
                (None, Some(failure)) if was_open => client.lose(failure.clone()),
                _ => {}
            }
            sender.send_modify(|progress| {
                progress.has_ended = true;
                progress.failure = failure;
            });
        };
        while state.listeners.try_join_next().is_some() {}
        state.listeners.spawn(listening);
        progress
    }

    /// What was to come on a stream that has ended does not come, unless its session is over. While
    /// a session is opened again, that is what comes before the answer.
    fn lose_stream(&self, session: &str, failure: &CallError, with_openings: bool) {
        if self.ledger.knows(session) {
            for id in self.ledger.ids_in(session, with_openings) {
                self.fail(&id, failure.clone());
            }
        }
    }

    /// Hands on what comes in a stream, until the connection is lost.
    ///
    /// # Errors
    ///
    /// Why nothing more comes on this stream.
    async fn follow(
        self: &Arc<Self>,
        session: Option<&str>,
        progress: &watch::Sender<Progress>,
    ) -> Result<(), CallError> {
        let get = self.get(session).send();
        let asked = self.in_time(async { get.await.map_err(|error| lost(&whole(&error))) });
        let mut response = match self.unless_lost(asked).await {
            Some(Ok(response)) => response,
            Some(Err(CallError::Lost(reason))) => {
                return Err(lost(&format!("there is no stream: {reason}")));
            }
            Some(Err(error)) => return Err(error),
            None => return Ok(()),
        };
        let status = response.status();
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|it| it.to_str().ok());
        if !status.is_success() || !kind.is_some_and(|it| it.starts_with("text/event-stream")) {
            let message = format!("there is no stream: {}", said(response, self.body).await);
            let status = status.as_u16();
            return Err(CallError::Refused { status, message });
        }
        progress.send_modify(|progress| progress.is_open = true);
        let mut events = Events::new(self.body);
        let mut reason = String::from("the server ended the stream");
        loop {
            match events.next() {
                Ok(Some(Event::Message { data, after })) => {
                    self.hand_on(session, data, after).await;
                    progress.send_modify(|progress| progress.handed += 1);
                    continue;
                }
                Ok(Some(Event::Closed(told))) => {
                    reason = format!("the server closed the connection: {told}");
                    continue;
                }
                Ok(None) => {}
                Err(error) => return Err(lost(&error)),
            }
            match self.unless_lost(response.chunk()).await {
                Some(Ok(Some(bytes))) => events.receive(&bytes),
                Some(Ok(None)) => return Err(lost(&reason)),
                Some(Err(error)) => {
                    let error = whole(&error);
                    return Err(lost(&format!("the stream broke off: {error}")));
                }
                None => return Ok(()),
            }
        }
    }

    /// Hands a message on, once it is its turn.
    async fn hand_on(self: &Arc<Self>, session: Option<&str>, data: String, after: Option<u64>) {
        let line = on_one_line(data);
        if let [message] = messages(&line).as_slice() {
            if let (Message::Request { id, .. }, Some(session)) = (message, session) {
                self.lock()
                    .asked
                    .insert((*id).to_owned(), session.to_owned());
            }
            if let Some(settled) = self.ledger.settle_one(message) {
                if let (Message::Response { id, .. }, Some(opened)) = (message, &settled.opened) {
                    if let Err(error) = self.listen_to_opened(opened).await {
                        return self.fail(id, error);
                    }
                }
                let session = settled.opened.or(settled.asked.session);
                if let (Some(session), Some(count)) = (session, after) {
                    let handed = self.stream(&session, |it| it.handed >= count || it.has_ended);
                    let _ = timeout(self.session_wait, handed).await;
                }
                if let Some(forgotten) = &settled.forgotten {
                    self.lock().streams.remove(forgotten);
                }
            }
        }
        self.transport.push(line).await;
    }

    /// Waits until a session's stream is so far. Gives how far it is then, if there is one.
    async fn stream(
        &self,
        session: &str,
        is_so_far: impl FnMut(&Progress) -> bool,
    ) -> Option<Progress> {
        let mut stream = self.lock().streams.get(session).cloned()?;
        // The sender is gone once the stream has ended.
        let _ = stream.wait_for(is_so_far).await;
        let progress = stream.borrow().clone();
        Some(progress)
    }
}

/// Whether a server says that there is no such session.
fn is_unknown(failure: &CallError) -> bool {
    matches!(failure, CallError::Refused { status: 404, .. })
}
