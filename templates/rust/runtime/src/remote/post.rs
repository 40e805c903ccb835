//! Messages from clients.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt;
use tokio::time::timeout;

use super::super::connection::{Incoming, Message, incoming};
use super::super::rpc::RequestError;
use super::answer::{Answer, accepted, named, refused, session, unnamed};
use super::endpoint::on_one_line;
use super::limits::{COST, Limits};
use super::server::{App, Head, refuse, refuse_with, with_json};
use super::serving::Connection;

/// Takes a message.
pub(super) async fn post(app: &App, head: &Head, headers: &HeaderMap, body: Body) -> Answer {
    if !is_json(headers) {
        let message = "`Content-Type` has to be `application/json`";
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    let connection = named(app, head, headers)?;
    let session = session(app, headers)?;
    let body = read(body, headers, &app.limits).await?;
    let Ok(text) = String::from_utf8(body) else {
        return unreadable(&RequestError::parse_error());
    };
    let line = on_one_line(text);
    let text = line.trim_start_matches('\u{feff}').trim();
    let message = single(text)?;
    let is_opening = app.endpoint.is_opening(&message);
    let Some(connection) = connection else {
        if is_opening {
            return open(app, head, &message, text).await;
        }
        return Err(Box::new(unnamed(app)));
    };
    if is_opening {
        return refused(StatusCode::BAD_REQUEST, "the connection is open already");
    }
    check_session(app, &message, session)?;
    take(app, &connection, &message, text, session).await
}

/// The message that a body is.
fn single(text: &str) -> Answer<Message<'_>> {
    match incoming(text.as_bytes()) {
        Ok(Incoming::Single(_, message)) if text.starts_with('{') => Ok(message),
        Ok(Incoming::Single(..)) => {
            unreadable(&RequestError::new(-32600, "a message has to be an object"))
        }
        // A batch of nothing is one, too.
        Err(error) if error.code == -32700 => unreadable(&error),
        Ok(Incoming::Batch(_)) | Err(_) => {
            let message = "there are no batches over HTTP";
            refused(StatusCode::NOT_IMPLEMENTED, message)
        }
    }
}

fn unreadable<T>(error: &RequestError) -> Answer<T> {
    Err(Box::new(refuse_with(StatusCode::BAD_REQUEST, error)))
}

/// Whether the body is said to be JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|it| it.split(';').next());
    kind.is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(body: Body, headers: &HeaderMap, limits: &Limits) -> Answer<Vec<u8>> {
    let (limit, time) = (limits.body, limits.reading);
    let too_large = || {
        let message = format!("the body is over the limit `body` of {limit} bytes");
        refused(StatusCode::PAYLOAD_TOO_LARGE, &message)
    };
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|it| it.to_str().ok());
    let length = length
        .and_then(|it| it.parse::<usize>().ok())
        .unwrap_or_default();
    if length > limit {
        return too_large();
    }
    let mut bytes = Vec::with_capacity(length);
    let mut body = body.into_data_stream();
    loop {
        let chunk = match timeout(time, body.next()).await {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => return Ok(bytes),
            Ok(Some(Err(_))) => {
                return refused(StatusCode::BAD_REQUEST, "the body broke off");
            }
            Err(_) => return stopped(time),
        };
        if bytes.len() + chunk.len() > limit {
            return too_large();
        }
        bytes.extend_from_slice(&chunk);
    }
}

/// Refuses a body that has stopped coming in.
fn stopped<T>(time: Duration) -> Answer<T> {
    let message = format!("nothing came of the body within the limit `reading` of {time:?}");
    let mut response = refuse(StatusCode::REQUEST_TIMEOUT, &message);
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    Err(Box::new(response))
}

/// What a message says about its session has to be what the header says.
fn check_session(app: &App, message: &Message<'_>, header: Option<&str>) -> Answer<()> {
    let (Some(session), Some(sessions)) = (app.endpoint.session_of(message), &app.endpoint.session)
    else {
        return Ok(());
    };
    let name = sessions.header;
    match header {
        Some(header) if header == session => Ok(()),
        Some(_) => {
            let message = format!("`{name}` and `{}` name two sessions", sessions.property);
            refused(StatusCode::BAD_REQUEST, &message)
        }
        None => {
            let message = format!("there is no header `{name}` for a message of a session");
            refused(StatusCode::BAD_REQUEST, &message)
        }
    }
}

/// Hands a message to the connection.
async fn take(
    app: &App,
    connection: &Arc<Connection>,
    message: &Message<'_>,
    text: &str,
    session: Option<&str>,
) -> Answer {
    let limit = app.limits.buffered;
    let Some(waiting) = connection.wait(text.len() + COST, limit) else {
        let message = format!("more waits already than the limit `buffered` of {limit} bytes");
        return refused(StatusCode::SERVICE_UNAVAILABLE, &message);
    };
    let limit = app.limits.sessions;
    let Ok(known) = connection.life.ledger.ask_within(message, session, limit) else {
        let message =
            format!("there are as many sessions as the limit `sessions` of {limit} allows");
        return refused(StatusCode::SERVICE_UNAVAILABLE, &message);
    };
    if let Some(session) = &known {
        connection.streams.begin(session);
    }
    let asking = Asking {
        connection,
        message,
        known,
        is_taken: false,
    };
    let is_taken = connection.transport.push(text.to_owned()).await;
    asking.end(is_taken);
    drop(waiting);
    if is_taken {
        Ok(accepted())
    } else {
        refused(StatusCode::NOT_FOUND, "the connection has ended")
    }
}

/// A request is forgotten again if its client leaves before it is taken.
struct Asking<'a> {
    connection: &'a Connection,
    message: &'a Message<'a>,
    known: Option<String>,
    is_taken: bool,
}

impl Asking<'_> {
    fn end(mut self, is_taken: bool) {
        self.is_taken = is_taken;
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if let (false, Message::Request { id, .. }) = (self.is_taken, self.message) {
            self.connection.life.ledger.withdraw(id);
            if let Some(session) = &self.known {
                self.connection.streams.finish(session);
            }
            self.connection.settle_unknown();
        }
    }
}

/// Opens a connection.
async fn open(app: &App, head: &Head, message: &Message<'_>, text: &str) -> Answer {
    let Message::Request { id, .. } = message else {
        return refused(
            StatusCode::BAD_REQUEST,
            "the first message has to be a request",
        );
    };
    let place = app.registry.enter(app.endpoint, &app.limits)?;
    let Some((connection, answer)) = Connection::begin(app, head, id, place) else {
        let message = "there are no random numbers";
        return refused(StatusCode::INTERNAL_SERVER_ERROR, message);
    };
    let unclaimed = Unclaimed(Some(&connection));
    connection.life.ledger.ask_one(message, None);
    connection.transport.push(text.to_owned()).await;
    let limit = app.limits.opening;
    let answer = match timeout(limit, answer).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            let message = "the connection ended before it was open";
            return refused(StatusCode::SERVICE_UNAVAILABLE, message);
        }
        Err(_) => {
            let message = format!("there was no answer within the limit `opening` of {limit:?}");
            return refused(StatusCode::GATEWAY_TIMEOUT, &message);
        }
    };
    let is_open = matches!(
        incoming(answer.as_bytes()),
        Ok(Incoming::Single(_, Message::Response { error: None, .. }))
    );
    let mut response = with_json(StatusCode::OK, answer);
    if is_open {
        unclaimed.claim();
        app.http.add(&connection);
        name(app, &connection, &mut response);
    } else {
        // Whoever is told may try again at once.
        drop(unclaimed);
        connection.life.left().await;
    }
    Ok(response)
}

/// Tells the client the id of its connection.
fn name(app: &App, connection: &Connection, response: &mut Response) {
    let name = app
        .endpoint
        .connection
        .and_then(|name| name.parse::<HeaderName>().ok());
    if let (Some(name), Ok(id)) = (name, HeaderValue::from_str(connection.id.secret())) {
        response.headers_mut().insert(name, id);
    }
}

/// A connection that ends if it is never opened, even if its client leaves meanwhile.
struct Unclaimed<'a>(Option<&'a Connection>);

impl Unclaimed<'_> {
    fn claim(mut self) {
        self.0 = None;
    }
}

impl Drop for Unclaimed<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.0 {
            connection.life.close("the connection was not opened");
        }
    }
}
