//! A client's messages over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::cookie::CookieStore;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, StatusCode};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use url::Url;

use super::super::connection::{CallError, Handle, Message, Peer, Service, member};
use super::super::json;
use super::client::{Remote, lost, told};
use super::cookies::Cookies;
use super::endpoint::{Endpoint, messages, on_one_line};
use super::ledger::Ledger;
use super::listen::Progress;
use super::queue::{SPACE, Transport, pipe};

/// How long a server has to take notice of the end.
const PARTING: Duration = Duration::from_secs(3);

/// A connection of a client.
pub(super) struct Client {
    pub(super) endpoint: &'static Endpoint,
    http: reqwest::Client,
    url: Url,
    pub(super) body: usize,
    pub(super) session_wait: Duration,
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
    headers: HeaderMap,
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
    let http = client(remote, &url)?;
    let (inlet, outlet, transport) = pipe(SPACE);
    let handle = Handle::start(service, inlet, outlet, remote.options.clone());
    let client = Client {
        endpoint,
        http,
        url,
        body: remote.limits.body,
        session_wait: remote.limits.session_wait,
        ledger: Arc::clone(ledger),
        peer: handle.peer().clone(),
        transport,
        is_lost: watch::Sender::new(false),
        state: Mutex::default(),
    };
    tokio::spawn(Arc::new(client).run());
    Ok(handle)
}

fn client(remote: &Remote, url: &Url) -> Result<reqwest::Client, CallError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &remote.headers {
        let name: HeaderName = name.parse().map_err(|error| lost(&error))?;
        headers.insert(name, value.parse().map_err(|error| lost(&error))?);
    }
    let limits = &remote.limits;
    let client = reqwest::Client::builder()
        .default_headers(headers)
        .cookie_provider(Arc::clone(&remote.cookies))
        .redirect(Policy::none())
        .tcp_nodelay(true)
        .connect_timeout(limits.opening)
        .http2_adaptive_window(true)
        .http2_keep_alive_interval(limits.ping)
        .http2_keep_alive_timeout(limits.ping)
        .http2_keep_alive_while_idle(true);
    let client = match (remote.choice.http1, url.scheme()) {
        (true, _) => client.http1_only(),
        (false, "http") => client.http2_prior_knowledge(),
        (false, _) => client,
    };
    #[cfg(feature = "rustls")]
    let client = {
        let spoken: &[&str] = if remote.choice.http1 {
            &["http/1.1"]
        } else {
            &["h2", "http/1.1"]
        };
        match remote.tls_for(spoken) {
            Some(tls) => client.use_preconfigured_tls(tls),
            None => client,
        }
    };
    client.build().map_err(|error| lost(&whole(&error)))
}

/// An error with its causes.
pub(super) fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
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

    async fn send(self: &Arc<Self>, line: String) {
        let all = messages(&line);
        if let [message] = all.as_slice() {
            if self.endpoint.is_opening(message) {
                return self.open(message, &line).await;
            }
        }
        let mut session = None;
        for message in &all {
            session = self.prepare(message).await;
        }
        if all.iter().any(|message| self.is_unanswerable(message)) {
            return;
        }
        let error = match self.sent(&all, &line, session.as_deref()).await {
            Ok(()) => return,
            Err(error) => error,
        };
        for message in &all {
            if let Message::Request { id, .. } = message {
                if matches!(error, CallError::Refused { .. }) {
                    self.ledger.withdraw(id);
                }
                self.peer.fail(id, error.clone());
            }
        }
    }

    /// Sends messages from a session, or from none.
    async fn sent(
        &self,
        messages: &[Message<'_>],
        line: &str,
        session: Option<&str>,
    ) -> Result<(), CallError> {
        let send = |session| self.with_headers(self.post(line), session).send();
        let gone = |error| lost(&whole(&error));
        let mut session = session;
        let mut response = send(session).await.map_err(gone)?;
        let opens = messages.iter().any(|it| match it {
            Message::Request { method, .. } => self.endpoint.opens_session(method),
            _ => false,
        });
        if opens && session.is_some() && response.status() == StatusCode::NOT_FOUND {
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
        if method.is_some_and(|method| self.endpoint.opens_session(method)) {
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
        self.peer
            .fail(id, lost("the stream of the session has ended"));
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
                self.peer.fail(id, error);
            }
        }
    }

    /// Sends the first message, and listens to the connection if that opened it.
    async fn opened(self: &Arc<Self>, line: &str) -> Result<String, CallError> {
        let response = self
            .post(line)
            .send()
            .await
            .map_err(|error| lost(&whole(&error)))?;
        if response.status() != StatusCode::OK {
            return Err(self.refusal(response, None).await);
        }
        let name = self.endpoint.connection.unwrap_or_default();
        let id = response.headers().get(name).cloned();
        let body = response
            .text()
            .await
            .map_err(|error| lost(&whole(&error)))?;
        let answer = on_one_line(body);
        let messages = messages(&answer);
        let Some(Message::Response { result, error, .. }) = messages.first() else {
            return Err(lost("the server answered with no response"));
        };
        if error.is_some() {
            return Ok(answer);
        }
        let Some(id) = id else {
            return Err(lost(&format!("the server answered without `{name}`")));
        };
        let version = version(self.endpoint, *result);
        self.name(name, id);
        if let (Some(version), Some(told)) = (version, &self.endpoint.version) {
            if let Ok(version) = version.parse() {
                self.name(told.header, version);
            }
        }
        self.listen_to_connection().await?;
        Ok(answer)
    }

    /// Sends a header with everything from now on.
    fn name(&self, header: &str, value: HeaderValue) {
        insert(&mut self.lock().headers, header, value);
    }

    /// What a server says that refuses a message. What it does not know is the session that the
    /// message names, or else the connection, which has ended then.
    async fn refusal(&self, response: Response, session: Option<&str>) -> CallError {
        let status = response.status();
        let is_open = self
            .lock()
            .headers
            .contains_key(self.endpoint.connection.unwrap_or_default());
        let body = response.bytes().await.unwrap_or_default();
        let message = told(&body);
        if status == StatusCode::NOT_FOUND && is_open && session.is_none() {
            let reason = format!("the server does not know the connection any more: {message}");
            self.lose(CallError::Lost(reason));
        }
        let status = status.as_u16();
        CallError::Refused { status, message }
    }

    fn post(&self, line: &str) -> RequestBuilder {
        let post = self
            .http
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json");
        let accept = "application/json, text/event-stream";
        self.with_headers(post.header(ACCEPT, accept), None)
            .body(line.to_owned())
    }

    /// A request for the stream of a session, or of the connection.
    pub(super) fn get(&self, session: Option<&str>) -> RequestBuilder {
        let get = self
            .http
            .get(self.url.clone())
            .header(ACCEPT, "text/event-stream");
        self.with_headers(get, session)
    }

    fn with_headers(&self, request: RequestBuilder, session: Option<&str>) -> RequestBuilder {
        let mut headers = self.lock().headers.clone();
        if let (Some(session), Some(rule)) = (session, &self.endpoint.session) {
            if let Ok(session) = session.parse() {
                insert(&mut headers, rule.header, session);
            }
        }
        request.headers(headers)
    }

    /// Ends the connection: what was asked for is not answered any more.
    pub(super) fn lose(&self, error: CallError) {
        self.peer.give_up(error);
        self.is_lost.send_replace(true);
    }

    /// Fails a call.
    pub(super) fn fail(&self, id: &str, error: CallError) {
        self.peer.fail(id, error);
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
        return Some(version.value.to_owned());
    };
    json::decode::<String>(told)
        .ok()
        .or_else(|| Some(told.to_owned()))
}

fn insert(headers: &mut HeaderMap, name: &str, value: HeaderValue) {
    if let Ok(name) = name.parse::<HeaderName>() {
        headers.insert(name, value);
    }
}

impl CookieStore for Cookies {
    fn set_cookies(&self, set: &mut dyn Iterator<Item = &HeaderValue>, url: &Url) {
        self.keep(set.filter_map(|it| it.to_str().ok()), url);
    }

    fn cookies(&self, url: &Url) -> Option<HeaderValue> {
        self.header(url)?.parse().ok()
    }
}
