//! A client's messages over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Response, StatusCode};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use url::Url;

use super::super::connection::{
    CallError, Handle, Incoming, Message, Peer, Service, incoming, member, message,
};
use super::super::json;
use super::client::{Remote, lost};
use super::endpoint::{Endpoint, messages, on_one_line};
use super::ledger::Ledger;
use super::listen::Progress;
use super::queue::{SPACE, Transport, pipe};
use super::requests::{self, said, text_of, whole};

/// How long a server has to take notice of the end.
const PARTING: Duration = Duration::from_secs(3);

/// How long nothing has to come on a stream of a connection that is lost, so that nothing is still
/// on its way.
const QUIET: Duration = Duration::from_millis(500);

/// What an answer says that stands in for one which the server refused.
const INTERNAL_ERROR: &str = r#""error":{"code":-32603,"message":"Internal error"}"#;

/// A connection of a client.
pub(super) struct Client {
    pub(super) endpoint: &'static Endpoint,
    pub(super) http: reqwest::Client,
    pub(super) url: Url,
    pub(super) body: usize,
    pub(super) session_wait: Duration,
    pub(super) opening: Duration,
    pub(super) ledger: Arc<Ledger>,
    peer: Peer,
    pub(super) transport: Transport,
    /// Whether the connection is lost.
    is_lost: watch::Sender<bool>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// What is sent with every request from the opening on.
    pub(super) headers: HeaderMap,
    /// The streams of sessions that are open, or were.
    pub(super) streams: HashMap<String, watch::Receiver<Progress>>,
    /// The sessions of the server's requests that are not answered yet, by their ids.
    pub(super) asked: HashMap<String, String>,
    pub(super) listeners: JoinSet<()>,
}

/// Connects over HTTP. The server hears of it with the first message.
pub(super) fn connect(
    endpoint: &'static Endpoint,
    remote: &Remote,
    service: Arc<dyn Service>,
    ledger: &Arc<Ledger>,
) -> Result<Handle, CallError> {
    let url = remote.url_over(["http", "https"])?;
    let http = requests::client(remote, &url)?;
    let (inlet, outlet, transport) = pipe(SPACE);
    let handle = Handle::start(service, inlet, outlet, remote.options.clone());
    let client = Client {
        endpoint,
        http,
        url,
        body: remote.limits.body,
        session_wait: remote.limits.session_wait,
        opening: remote.limits.opening,
        ledger: Arc::clone(ledger),
        peer: handle.peer().clone(),
        transport,
        is_lost: watch::Sender::new(false),
        state: Mutex::default(),
    };
    tokio::spawn(Arc::new(client).run());
    Ok(handle)
}

impl Client {
    /// Sends what there is to send, one message after the other, until the end.
    async fn run(self: Arc<Self>) {
        let mut is_lost = self.is_lost.subscribe();
        loop {
            let sent = async {
                let line = self.transport.pop().await?;
                self.send(line).await;
                Some(())
            };
            // What the server does not answer does not hold up the end.
            let is_late = async {
                self.transport.closing().await;
                sleep(PARTING).await;
            };
            tokio::select! {
                sent = sent => if sent.is_none() { break },
                _ = is_lost.wait_for(|it| *it) => break,
                () = is_late => break,
            }
        }
        if *is_lost.borrow() {
            // Nobody takes what is sent.
            let unsent = async { while self.transport.pop().await.is_some() {} };
            tokio::select! {
                () = self.rest() => {}
                () = unsent => {}
            }
            self.transport.end();
        }
        self.lock().listeners.abort_all();
        if self
            .lock()
            .headers
            .contains_key(self.endpoint.connection.unwrap_or_default())
        {
            let delete = self.with_headers(self.http.delete(self.url.clone()), None);
            let _ = timeout(PARTING, delete.send()).await;
        }
        self.transport.finish();
    }

    /// Waits until what came on the streams of a connection that is lost was handed on.
    async fn rest(&self) {
        let mut listeners = std::mem::take(&mut self.lock().listeners);
        while listeners.join_next().await.is_some() {}
    }

    /// Sends the messages of a line, each by itself: there are no batches over HTTP.
    async fn send(self: &Arc<Self>, line: String) {
        for text in singles(&line) {
            self.send_one(&message(text), text).await;
        }
    }

    async fn send_one(self: &Arc<Self>, message: &Message<'_>, line: &str) {
        if self.endpoint.is_opening(message) {
            return self.open(message, line).await;
        }
        let session = self.prepare(message).await;
        if self.is_unanswerable(message) {
            return;
        }
        let Err(error) = self.sent(message, line, session.as_deref()).await else {
            return;
        };
        match message {
            Message::Request { id, .. } => {
                if matches!(error, CallError::Refused { .. }) {
                    self.ledger.withdraw(id);
                }
                self.fail(id, error);
            }
            Message::Response { id, .. } if matches!(error, CallError::Refused { .. }) => {
                self.peer.undelivered(&error);
                // The server still waits for an answer.
                let instead = format!(r#"{{"jsonrpc":"2.0","id":{id},{INTERNAL_ERROR}}}"#);
                if let Err(error) = self.sent(message, &instead, None).await {
                    self.peer.undelivered(&error);
                }
            }
            _ => self.peer.undelivered(&error),
        }
    }

    /// Sends a message from a session, or from none.
    async fn sent(
        &self,
        message: &Message<'_>,
        line: &str,
        session: Option<&str>,
    ) -> Result<(), CallError> {
        let send = |session| self.with_headers(self.post(line), session).send();
        let gone = |error| {
            let error = lost(&format!("a request failed: {}", whole(&error)));
            self.lose(error.clone());
            error
        };
        let mut session = session;
        let mut response = send(session).await.map_err(gone)?;
        let reopens = match message {
            Message::Request { method, .. } => self.endpoint.reopens_session(method),
            _ => false,
        };
        if reopens && session.is_some() && response.status() == StatusCode::NOT_FOUND {
            // To this server a session is one only once it is open.
            session = None;
            response = send(session).await.map_err(gone)?;
        }
        if response.status().is_success() {
            return Ok(());
        }
        Err(self.refusal(response, session).await)
    }

    /// Has the stream open on which a message will be answered, and gives its session.
    async fn prepare(self: &Arc<Self>, message: &Message<'_>) -> Option<String> {
        let (id, method) = match message {
            Message::Request { id, method, .. } => (Some(*id), Some(method.as_ref())),
            Message::Response { id, .. } => return self.lock().asked.remove(*id),
            _ => (None, None),
        };
        let session = self.endpoint.session_of(message);
        self.ledger.ask_one(message, None);
        let (Some(_), Some(name)) = (id, &session) else {
            return session;
        };
        if method.is_some_and(|method| self.endpoint.reopens_session(method)) {
            self.listen_to(name);
        } else if self.ledger.knows(name) {
            let stream = self.lock().streams.get(name).cloned();
            if let Some(mut stream) = stream {
                // The sender is gone once the stream has ended.
                let _ = stream.wait_for(|it| it.is_open || it.has_ended).await;
            }
        }
        session
    }

    /// Whether nobody listens where a message will be answered. Then it has failed already.
    fn is_unanswerable(&self, message: &Message<'_>) -> bool {
        let (Message::Request { id, method, .. }, Some(session)) =
            (message, self.endpoint.session_of(message))
        else {
            return false;
        };
        let stream = self.lock().streams.get(&session).cloned();
        let has_ended = stream.is_some_and(|stream| stream.borrow().has_ended);
        if !has_ended || self.endpoint.opens_session(method) {
            return false;
        }
        self.ledger.withdraw(id);
        self.fail(id, lost("the stream of the session has ended"));
        true
    }

    /// Opens the connection.
    async fn open(self: &Arc<Self>, message: &Message<'_>, line: &str) {
        let Message::Request { id, .. } = message else {
            return;
        };
        self.ledger.ask_one(message, None);
        match self.opened(line).await {
            Ok(answer) => {
                self.ledger.settle(&answer);
                self.transport.push(answer).await;
            }
            Err(error) => {
                self.ledger.withdraw(id);
                if matches!(error, CallError::Lost(_)) {
                    self.lose(error);
                } else {
                    self.fail(id, error);
                }
            }
        }
    }

    /// Sends the first message, and listens to the connection if that opened it.
    async fn opened(self: &Arc<Self>, line: &str) -> Result<String, CallError> {
        let answer = self.in_time(self.answer(line)).await?;
        let messages = messages(&answer);
        let Some(Message::Response { result, error, .. }) = messages.first() else {
            return Err(lost("the server answered with no response"));
        };
        if error.is_some() {
            return Ok(answer);
        }
        let name = self.endpoint.connection.unwrap_or_default();
        if !self.lock().headers.contains_key(name) {
            return Err(lost(&format!("the server answered without `{name}`")));
        }
        let version = version(self.endpoint, *result);
        if let (Some(version), Some(told)) = (version, &self.endpoint.version) {
            if let Ok(version) = version.parse() {
                self.name(told.header, version);
            }
        }
        self.listen_to_connection().await?;
        Ok(answer)
    }

    /// The answer to the first message. The connection has a name before that has come whole.
    async fn answer(&self, line: &str) -> Result<String, CallError> {
        let sent = self.post(line).send().await;
        let response = sent.map_err(|error| lost(&whole(&error)))?;
        if response.status() != StatusCode::OK {
            return Err(self.refusal(response, None).await);
        }
        let name = self.endpoint.connection.unwrap_or_default();
        if let Some(id) = response.headers().get(name).cloned() {
            self.name(name, id);
        }
        text_of(response, self.body).await.map(on_one_line)
    }

    /// What a server says that refuses a message. What it does not know is the session that the
    /// message names, or else the connection, which has ended then.
    async fn refusal(&self, response: Response, session: Option<&str>) -> CallError {
        let status = response.status();
        let is_open = self
            .lock()
            .headers
            .contains_key(self.endpoint.connection.unwrap_or_default());
        let message = said(response, self.body).await;
        if status == StatusCode::NOT_FOUND && is_open && session.is_none() {
            let reason = format!("the server does not know the connection any more: {message}");
            let error = CallError::Lost(reason);
            self.lose(error.clone());
            return error;
        }
        let status = status.as_u16();
        CallError::Refused { status, message }
    }

    /// Ends the connection, after what came before: what was asked for is not answered any more.
    pub(super) fn lose(&self, error: CallError) {
        self.peer.lose(error);
        self.is_lost.send_replace(true);
    }

    /// Gives what comes, unless the connection is lost and nothing more comes.
    pub(super) async fn unless_lost<T>(&self, coming: impl Future<Output = T>) -> Option<T> {
        let mut is_lost = self.is_lost.subscribe();
        let is_over = async {
            let _ = is_lost.wait_for(|it| *it).await;
            sleep(QUIET).await;
        };
        tokio::select! {
            biased;
            come = coming => Some(come),
            () = is_over => None,
        }
    }

    /// Fails a call, after what came before.
    pub(super) fn fail(&self, id: &str, error: CallError) {
        if self.peer.doom(id, error) {
            self.transport
                .put(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":null}}"#));
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The version that the answer to the opening method tells.
fn version(endpoint: &Endpoint, result: Option<&str>) -> Option<String> {
    let version = endpoint.version.as_ref()?;
    let told = version.property.and_then(|name| member(result?, name));
    let Some(told) = told else {
        return version.value.map(str::to_owned);
    };
    json::decode::<String>(told)
        .ok()
        .or_else(|| Some(told.to_owned()))
}

/// The texts of the messages of a line.
fn singles(line: &str) -> Vec<&str> {
    match incoming(line.as_bytes()) {
        Ok(Incoming::Batch(entries)) => entries,
        Ok(Incoming::Single(text, _)) => vec![text],
        Err(_) => Vec::new(),
    }
}
