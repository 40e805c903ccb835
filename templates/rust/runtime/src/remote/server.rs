//! Servers.

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::any;

use super::super::connection::{Options, Service};
use super::super::json;
use super::super::rpc::RequestError;
use super::admission;
use super::answer;
use super::endpoint::Endpoint;
use super::hosts::Hosts;
use super::limits::Limits;
use super::registry::Registry;
#[cfg(feature = "websocket")]
use super::upgrade;

/// A server that makes a handler for each connection. Its [`router`](Self::router) becomes part of
/// an application of `axum`.
#[derive(Clone)]
pub struct Server {
    pub(super) app: App,
}

/// What a server knows whenever it is asked something.
#[derive(Clone)]
pub(super) struct App {
    pub(super) endpoint: &'static Endpoint,
    pub(super) make: Make,
    pub(super) options: Options,
    pub(super) limits: Limits,
    hosts: Hosts,
    origins: Vec<String>,
    pub(super) registry: Arc<Registry>,
    pub(super) http: answer::Http,
    hook: Option<Hook>,
}

type Make = Arc<dyn Fn(&Head) -> Arc<dyn Service> + Send + Sync>;
type Hook = Arc<dyn Fn(Head) -> Judging + Send + Sync>;
type Judging = Pin<Box<dyn Future<Output = Result<Option<String>, Refusal>> + Send>>;

impl Server {
    #[doc(hidden)]
    pub fn new(
        endpoint: &'static Endpoint,
        make: impl Fn(&Head) -> Arc<dyn Service> + Send + Sync + 'static,
    ) -> Self {
        let app = App {
            endpoint,
            make: Arc::new(make),
            options: Options::new(),
            limits: Limits::new(),
            hosts: Hosts::default(),
            origins: Vec::new(),
            registry: Arc::default(),
            http: answer::Http::default(),
            hook: None,
        };
        Self { app }
    }

    /// Other choices about connections.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.app.options = options;
        self
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.app.limits = limits;
        self
    }

    /// Takes requests for these hosts, such as `example.com` or `example.com:8443`, or for all: `*`.
    /// Without this, only for `localhost` and the addresses 127.0.0.1 and `::1`: a page can give its
    /// own host the address of this machine.
    #[must_use]
    pub fn allowed_hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.app.hosts = Hosts::new(hosts.into_iter().map(Into::into).collect());
        self
    }

    /// Lets pages of other origins in, such as `https://example.com`, or of all: `*`. Without this,
    /// only those of the server's own host and port are, and what is no page.
    #[must_use]
    pub fn origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.app.origins = origins.into_iter().map(Into::into).collect();
        self
    }

    /// Judges every request before anything else is done with it. Who asks may be known by a name,
    /// which is given to the function that makes handlers; a connection is used only by the one
    /// who opened it.
    #[must_use]
    pub fn authenticate<F>(mut self, judge: impl Fn(Head) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Option<String>, Refusal>> + Send + 'static,
    {
        self.app.hook = Some(Arc::new(move |head| Box::pin(judge(head))));
        self
    }

    /// The server as a part of an application. All routers of one server are the same server.
    pub fn router(&self) -> Router {
        let app = self.app.clone();
        let handler = move |request: Request| {
            let app = app.clone();
            async move { app.answer(request).await }
        };
        Router::new().route(self.app.endpoint.path, any(handler))
    }

    /// Takes no more connections, gives those that there are some time to answer what they were
    /// asked, and ends them.
    pub async fn drain(&self, time: Duration) {
        self.app.registry.drain(time).await;
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").finish_non_exhaustive()
    }
}

impl App {
    async fn answer(self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let foreign = match admission::foreign_origin(&self.hosts, &self.origins, &parts) {
            Ok(foreign) => foreign,
            Err(response) => return *response,
        };
        let Some(origin) = foreign else {
            return self.admitted(parts, body).await;
        };
        let endpoint = self.endpoint;
        let asked = parts
            .headers
            .get(header::ACCESS_CONTROL_REQUEST_HEADERS)
            .cloned();
        let speaks = !endpoint.has_http() || self.http.speaks(parts.version);
        let mut response = if speaks && admission::is_preflight(&parts) {
            admission::preflight(endpoint, asked.as_ref())
        } else {
            self.admitted(parts, body).await
        };
        admission::share(endpoint, origin, response.headers_mut());
        response
    }

    async fn admitted(self, parts: Parts, body: Body) -> Response {
        let mut head = Head::new(&parts);
        if let Some(hook) = &self.hook {
            match hook(head.clone()).await {
                Ok(identity) => head.identity = identity,
                Err(refusal) => return refusal.response(),
            }
        }
        let limit = self.limits.headers;
        if parts.headers.len() > limit {
            let message = format!("more than the limit `headers` of {limit}");
            return refuse(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &message);
        }
        #[cfg(feature = "websocket")]
        if upgrade::is_wanted(&parts) {
            return upgrade::answer(self, head, parts);
        }
        answer::answer(&self, &head, parts, body).await
    }
}

/// The head of a request of HTTP.
#[derive(Clone)]
pub struct Head {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    peer: Option<SocketAddr>,
    identity: Option<String>,
}

impl Head {
    fn new(parts: &Parts) -> Self {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Self {
            method: parts.method.clone(),
            uri: parts.uri.clone(),
            headers: parts.headers.clone(),
            peer: peer.map(|ConnectInfo(address)| *address),
            identity: None,
        }
    }

    /// The method of HTTP.
    pub fn method(&self) -> &str {
        self.method.as_str()
    }

    /// The path of the URL.
    pub fn path(&self) -> &str {
        self.uri.path()
    }

    /// What follows the path in the URL.
    pub fn query(&self) -> Option<&str> {
        self.uri.query()
    }

    /// A header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Where the page is from that sends it, if it is one.
    pub fn origin(&self) -> Option<&str> {
        self.header("origin")
    }

    /// The address at the other end, if the application has it (`ConnectInfo` of `axum`).
    pub fn peer(&self) -> Option<SocketAddr> {
        self.peer
    }

    /// Who sends it, as [`Server::authenticate`] found out.
    pub fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }
}

/// Headers may be secret.
impl fmt::Debug for Head {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Head").finish_non_exhaustive()
    }
}

/// Why a request is not let in.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: StatusCode,
    challenge: Option<String>,
    message: String,
}

impl Refusal {
    /// Nobody knows who asks: 401, with a challenge such as `Bearer`.
    pub fn unauthorized(challenge: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::UNAUTHORIZED,
            challenge: Some(challenge.into()),
            message: message.into(),
        }
    }

    /// Whoever asks must not: 403.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            challenge: None,
            message: message.into(),
        }
    }

    fn response(self) -> Response {
        let mut response = refuse(self.status, &self.message);
        let challenge = self
            .challenge
            .and_then(|it| HeaderValue::from_str(&it).ok());
        if let Some(challenge) = challenge {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// An answer that says what is wrong.
pub(super) fn refuse(status: StatusCode, message: &str) -> Response {
    refuse_with(status, &RequestError::new(-32600, message))
}

/// An answer with an error.
pub(super) fn refuse_with(status: StatusCode, error: &RequestError) -> Response {
    let error = json::encode(error).unwrap_or_default();
    let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{error}}}");
    with_json(status, body)
}

/// An answer with a message.
pub(super) fn with_json(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
