//! What a client asks over HTTP.

use std::sync::Arc;
use std::time::Duration;

use reqwest::cookie::CookieStore;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response};
use tokio::time::timeout;
use url::Url;

use super::super::connection::CallError;
use super::client::{Remote, lost, told};
use super::cookies::Cookies;
use super::http::Client;

/// How many bytes may be on their way in a stream.
const STREAM_WINDOW: u32 = 256 << 10;

/// How many bytes may be on their way in all streams. Half as many may be lost on small frames that
/// wait to be read, before the connection is given up.
const WINDOW: u32 = 16 << 20;

/// How many bytes are read at most of what a server says that refuses something, and how long they
/// are waited for.
const SAID: usize = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(1);

/// What sends requests to a server.
pub(super) fn client(remote: &Remote, url: &Url) -> Result<reqwest::Client, CallError> {
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
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(WINDOW)
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

/// What a server says that refuses something: of its bytes, no more than this.
pub(super) async fn said(mut response: Response, limit: usize) -> String {
    let limit = limit.min(SAID);
    let mut body = Vec::new();
    let reading = async {
        while let Ok(Some(piece)) = response.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() > limit {
                break;
            }
        }
    };
    // What has come by then is shown.
    let _ = timeout(PATIENCE, reading).await;
    body.truncate(limit);
    told(&body)
}

/// The body of an answer, if it has no more bytes than this.
pub(super) async fn text_of(mut response: Response, limit: usize) -> Result<String, CallError> {
    let mut body = Vec::new();
    let gone = |error| {
        lost(&format!(
            "the answer to a request broke off: {}",
            whole(&error)
        ))
    };
    while let Some(piece) = response.chunk().await.map_err(gone)? {
        body.extend_from_slice(&piece);
        if body.len() > limit {
            let reason = format!("the answer is over the limit `body` of {limit} bytes");
            return Err(lost(&reason));
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
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
    /// What comes of a request that is part of an opening, if it does in time.
    pub(super) async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T, CallError> {
        let limit = self.opening;
        timeout(limit, answer).await.unwrap_or_else(|_| {
            Err(lost(&format!(
                "there was no answer after the limit `opening` of {limit:?}"
            )))
        })
    }

    /// Sends a header with everything from now on.
    pub(super) fn name(&self, header: &str, value: HeaderValue) {
        insert(&mut self.lock().headers, header, value);
    }

    pub(super) fn post(&self, line: &str) -> RequestBuilder {
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

    pub(super) fn with_headers(
        &self,
        request: RequestBuilder,
        session: Option<&str>,
    ) -> RequestBuilder {
        let mut headers = self.lock().headers.clone();
        if let (Some(session), Some(rule)) = (session, &self.endpoint.session) {
            if let Ok(session) = session.parse() {
                insert(&mut headers, rule.header, session);
            }
        }
        request.headers(headers)
    }
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
