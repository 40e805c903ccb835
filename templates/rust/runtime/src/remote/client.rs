//! Clients.

use std::fmt;
use std::sync::Arc;

use url::Url;

use super::super::connection::{CallError, Handle, Options, Service, member};
use super::super::json;
use super::choice::{self, Choice};
use super::cookies::Cookies;
use super::endpoint::Endpoint;
use super::ledger::Ledger;
use super::limits::Limits;

/// A server somewhere: its URL, and how to connect to it. It can be connected to many times, and
/// keeps the cookies that the server sets.
#[derive(Clone)]
pub struct Remote {
    url: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) cookies: Arc<Cookies>,
    pub(super) choice: Choice,
    #[cfg(feature = "rustls")]
    tls: Option<Arc<rustls::ClientConfig>>,
}

impl Remote {
    /// A server with this URL: `http`, `https`, `ws` or `wss`. TLS needs the feature `rustls`.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            options: Options::new(),
            limits: Limits::new(),
            cookies: Arc::default(),
            choice: Choice::default(),
            #[cfg(feature = "rustls")]
            tls: None,
        }
    }

    /// Sends a header with every request, such as `Authorization`.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Other choices about connections.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Other limits: those of messages, pings and openings are a client's, too.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Judges the server's certificate otherwise than by the authorities of the web, or shows one.
    /// Which versions of HTTP are spoken is not for it to say.
    #[cfg(feature = "rustls")]
    #[must_use]
    pub fn tls(mut self, tls: impl Into<Arc<rustls::ClientConfig>>) -> Self {
        self.tls = Some(tls.into());
        self
    }

    /// The choices about TLS, if there are any, for what is spoken over it.
    #[cfg(feature = "rustls")]
    pub(super) fn tls_for(&self, spoken: &[&str]) -> Option<rustls::ClientConfig> {
        let mut tls = rustls::ClientConfig::clone(self.tls.as_ref()?);
        tls.alpn_protocols = spoken.iter().map(|it| it.as_bytes().to_vec()).collect();
        Some(tls)
    }

    /// The URL for a transport, of which a plain and a secure scheme are given.
    pub(super) fn url_over(&self, [plain, secure]: [&str; 2]) -> Result<Url, CallError> {
        let mut url = Url::parse(&self.url).map_err(|error| lost(&error))?;
        let scheme = match url.scheme() {
            "http" | "ws" => plain,
            "https" | "wss" => secure,
            _ => return Err(lost(&"the URL's scheme is none of http, https, ws and wss")),
        };
        if url.set_scheme(scheme).is_err() {
            return Err(lost(&"the URL has no host"));
        }
        Ok(url)
    }
}

impl From<&str> for Remote {
    fn from(url: &str) -> Self {
        Self::new(url)
    }
}

impl From<String> for Remote {
    fn from(url: String) -> Self {
        Self::new(url)
    }
}

/// Connects to a server.
pub async fn connect(
    endpoint: &'static Endpoint,
    remote: &Remote,
    service: Arc<dyn Service>,
) -> Result<(Handle, Arc<Ledger>), CallError> {
    let ledger = Arc::new(Ledger::new(endpoint));
    let handle = choice::connect(endpoint, remote, service, &ledger).await?;
    Ok((handle, ledger))
}

/// Headers may be secret.
impl fmt::Debug for Remote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Remote").finish_non_exhaustive()
    }
}

/// There is no connection, and why.
pub(super) fn lost(error: &(impl fmt::Display + ?Sized)) -> CallError {
    CallError::Lost(error.to_string())
}

/// What a server says in the body of an answer that is an error.
pub(super) fn told(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let error = member(&text, "error").and_then(|error| member(error, "message"));
    let message = error.and_then(|message| json::decode::<String>(message).ok());
    message.unwrap_or_else(|| text.chars().take(200).collect())
}
