//! What is asked over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::response::Response;

use super::admission::VERBS;
use super::id::Id;
use super::post::post;
use super::server::{App, Head, Server, refuse};
use super::serving::Connection;
use super::sse::Reader;
use super::streams::Refused;

/// The connections over HTTP, and how it is spoken.
#[derive(Clone, Default)]
pub(super) struct Http {
    connections: Arc<Mutex<HashMap<Id, Arc<Connection>>>>,
    http1: bool,
}

impl Server {
    /// Serves HTTP/1.1, too, for development and for browsers without TLS. Browsers open few
    /// connections of HTTP/1.1 to one host, and each stream of events takes one.
    #[must_use]
    pub fn http1(mut self, http1: bool) -> Self {
        self.app.http.http1 = http1;
        self
    }
}

impl Http {
    /// Whether a version of HTTP is spoken.
    pub(super) fn speaks(&self, version: Version) -> bool {
        self.http1 || version >= Version::HTTP_2
    }

    pub(super) fn add(&self, connection: &Arc<Connection>) {
        self.lock()
            .insert(connection.id.clone(), Arc::clone(connection));
    }

    pub(super) fn remove(&self, id: &Id) {
        self.lock().remove(id);
    }

    fn find(&self, id: &str) -> Option<Arc<Connection>> {
        self.lock().get(&Id::known(id)).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Arc<Connection>>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers a request that is not for a `WebSocket`.
pub(super) async fn answer(app: &App, head: &Head, parts: Parts, body: Body) -> Response {
    if !app.endpoint.has_http() {
        let message = "there are only WebSockets here";
        return refuse(StatusCode::UPGRADE_REQUIRED, message);
    }
    if !app.http.speaks(parts.version) {
        let message = "this server speaks HTTP/2 only; `Server::http1(true)` turns HTTP/1.1 on";
        return refuse(StatusCode::HTTP_VERSION_NOT_SUPPORTED, message);
    }
    let answer = match parts.method {
        Method::POST => post(app, head, &parts.headers, body).await,
        Method::GET => get(app, head, &parts.headers).await,
        Method::DELETE => delete(app, head, &parts.headers),
        _ => Err(Box::new(not_allowed())),
    };
    answer.unwrap_or_else(|refusal| *refusal)
}

/// What is answered, or refused.
pub(super) type Answer<T = Response> = Result<T, Box<Response>>;

/// A refusal.
pub(super) fn refused<T>(status: StatusCode, message: &str) -> Answer<T> {
    Err(Box::new(refuse(status, message)))
}

/// An answer without a body.
pub(super) fn accepted() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn not_allowed() -> Response {
    let message = format!("the methods are {VERBS}");
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, &message);
    let verbs = HeaderValue::from_static(VERBS);
    response.headers_mut().insert(header::ALLOW, verbs);
    response
}

/// The connection that a request names, if it names one, and if it may.
pub(super) fn named(
    app: &App,
    head: &Head,
    headers: &HeaderMap,
) -> Answer<Option<Arc<Connection>>> {
    let name = app.endpoint.connection.unwrap_or_default();
    let Some(id) = text(headers, name)? else {
        return Ok(None);
    };
    let found = app.http.find(id);
    match found.filter(|it| it.identity.as_deref() == head.identity()) {
        Some(connection) => {
            connection.touch();
            Ok(Some(connection))
        }
        None => refused(
            StatusCode::NOT_FOUND,
            &format!("`{name}` names no connection"),
        ),
    }
}

/// The connection that a request has to name.
pub(super) fn required(app: &App, head: &Head, headers: &HeaderMap) -> Answer<Arc<Connection>> {
    let found = named(app, head, headers)?;
    found.map_or_else(|| Err(Box::new(unnamed(app))), Ok)
}

/// Says that there has to be a connection.
pub(super) fn unnamed(app: &App) -> Response {
    let name = app.endpoint.connection.unwrap_or_default();
    refuse(
        StatusCode::BAD_REQUEST,
        &format!("there is no header `{name}`"),
    )
}

/// The session that a request names.
pub(super) fn session<'a>(app: &App, headers: &'a HeaderMap) -> Answer<Option<&'a str>> {
    match &app.endpoint.session {
        Some(session) => text(headers, session.header),
        None => Ok(None),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Answer<Option<&'a str>> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => refused(StatusCode::BAD_REQUEST, &format!("`{name}` is no text")),
    }
}

async fn get(app: &App, head: &Head, headers: &HeaderMap) -> Answer {
    let accepted = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|it| it.to_str().ok());
    let kinds = accepted.flat_map(|it| it.split(','));
    let mut kinds = kinds.filter_map(|kind| kind.split(';').next());
    if !kinds.any(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream")) {
        let message = "`Accept` has to have `text/event-stream`";
        return refused(StatusCode::NOT_ACCEPTABLE, message);
    }
    let connection = required(app, head, headers)?;
    let session = session(app, headers)?;
    let attached = connection
        .streams
        .attach(session, app.limits.session_wait)
        .await;
    let number = match attached {
        Ok(number) => number,
        Err(Refused::Taken) => {
            return refused(StatusCode::CONFLICT, "somebody else reads this stream");
        }
        Err(Refused::Unknown) => {
            let name = app
                .endpoint
                .session
                .as_ref()
                .map(|it| it.header)
                .unwrap_or_default();
            return refused(StatusCode::NOT_FOUND, &format!("`{name}` names no session"));
        }
    };
    let scope = session.map(str::to_owned);
    let reader = Reader::new(connection, scope, number, app.limits.keep_alive);
    let mut response = Response::new(Body::from_stream(reader));
    let fields = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    for (name, value) in fields {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn delete(app: &App, head: &Head, headers: &HeaderMap) -> Answer {
    let connection = required(app, head, headers)?;
    app.http.remove(&connection.id);
    connection.life.close("the client closed the connection");
    Ok(accepted())
}
