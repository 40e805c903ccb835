//! A server's `WebSocket`s.

use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::super::connection::{Handle, Incoming, Message, Observed, incoming};
use super::super::json;
use super::super::rpc::RequestError;
use super::endpoint::{Endpoint, on_one_line};
use super::id::Id;
use super::queue::{SPACE, pipe};
use super::registry::Place;
use super::server::{App, Head, refuse};
use super::websocket::{Closing, End, converse, part, settings};

/// How long handlers have to end once the connection has.
const PARTING: Duration = Duration::from_secs(5);

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Whether a request asks for a `WebSocket`.
pub(super) fn is_wanted(parts: &Parts) -> bool {
    let is_upgrade = says(&parts.headers, &header::CONNECTION, "upgrade");
    is_upgrade && says(&parts.headers, &header::UPGRADE, "websocket")
}

/// Whether a word is in the list that a header is.
fn says(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let values = headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut words = values.flat_map(|value| value.split(','));
    words.any(|it| it.trim().eq_ignore_ascii_case(word))
}

/// Answers a request for a `WebSocket`.
pub(super) fn answer(app: App, head: Head, mut parts: Parts) -> Response {
    if parts.method != Method::GET {
        return refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "a WebSocket is opened with GET",
        );
    }
    let Some(key) = parts.headers.get(header::SEC_WEBSOCKET_KEY).cloned() else {
        return refuse(StatusCode::BAD_REQUEST, "there is no `Sec-WebSocket-Key`");
    };
    if !says(&parts.headers, &header::SEC_WEBSOCKET_VERSION, "13") {
        let mut response = refuse(
            StatusCode::UPGRADE_REQUIRED,
            "the version of WebSockets is 13",
        );
        let version = HeaderValue::from_static("13");
        response
            .headers_mut()
            .insert(header::SEC_WEBSOCKET_VERSION, version);
        return response;
    }
    let Some(upgrade) = parts.extensions.remove::<OnUpgrade>() else {
        return refuse(
            StatusCode::UPGRADE_REQUIRED,
            "this connection cannot be upgraded",
        );
    };
    let place = match app.registry.enter(app.endpoint, &app.limits) {
        Ok(place) => place,
        Err(response) => return *response,
    };
    let Some(id) = Id::new() else {
        return refuse(
            StatusCode::INTERNAL_SERVER_ERROR,
            "there are no random numbers",
        );
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    if let Ok(accept) = HeaderValue::from_str(&derive_accept_key(key.as_bytes())) {
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    }
    let name = app
        .endpoint
        .connection
        .and_then(|name| name.parse::<HeaderName>().ok());
    if let (Some(name), Ok(id)) = (name, HeaderValue::from_str(id.secret())) {
        headers.insert(name, id);
    }
    tokio::spawn(serve(app, head, place, upgrade));
    response
}

async fn serve(app: App, head: Head, place: Place, upgrade: OnUpgrade) {
    let Ok(io) = upgrade.await else {
        return;
    };
    let settings = Some(settings(&app.limits));
    let mut socket = Socket::from_raw_socket(TokioIo::new(io), Role::Server, settings).await;
    let (closing, handle) = match opening(&app, &mut socket).await {
        Ok(first) => talk(&app, &head, &place, &mut socket, first).await,
        Err(closing) => (closing, None),
    };
    app.options.observe(Observed::Ended(&closing.reason));
    let end = async {
        if let Some(handle) = handle {
            let _ = timeout(PARTING, handle.closed()).await;
        }
    };
    tokio::join!(part(socket, &closing), end);
}

/// Waits for the first message, which has to be the one that opens a connection, if there is one.
async fn opening(app: &App, socket: &mut Socket) -> Result<String, Closing> {
    let limit = app.limits.opening;
    let first = timeout(limit, first(app, socket)).await.map_err(|_| {
        let reason = format!("no message came within the limit `opening` of {limit:?}");
        Closing::own(CloseCode::Protocol, &reason)
    })??;
    if app.endpoint.opens.is_none() {
        return Ok(first);
    }
    let (id, error) = match incoming(first.as_bytes()) {
        Ok(Incoming::Single(_, message)) if app.endpoint.is_opening(&message) => {
            return Ok(first);
        }
        Ok(Incoming::Single(_, Message::Request { id, .. })) => (id, unexpected(app.endpoint)),
        Ok(_) => ("null", unexpected(app.endpoint)),
        Err(error) => ("null", error),
    };
    let text = json::encode(&error).unwrap_or_default();
    let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{text}}}");
    let _ = socket.send(Frame::text(text)).await;
    Err(Closing::own(CloseCode::Protocol, &error.message))
}

fn unexpected(endpoint: &Endpoint) -> RequestError {
    let opens = endpoint.opens.unwrap_or_default();
    RequestError::new(-32600, format!("the first message has to be `{opens}`"))
}

async fn first(app: &App, socket: &mut Socket) -> Result<String, Closing> {
    loop {
        match socket.next().await {
            Some(Ok(Frame::Text(text))) => return Ok(on_one_line(text.as_str().to_owned())),
            Some(Ok(Frame::Close(frame))) => return Err(Closing::peers(frame)),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(Closing::failed(&error, &app.limits)),
            None => return Err(Closing::peers(None)),
        }
    }
}

/// Lets the two ends talk until one has enough.
async fn talk(
    app: &App,
    head: &Head,
    place: &Place,
    socket: &mut Socket,
    first: String,
) -> (Closing, Option<Handle>) {
    let ledger = &place.life.ledger;
    let (inlet, outlet, transport) = pipe(SPACE);
    let service = (app.make)(head);
    let handle = Handle::start(service, inlet, outlet, app.options.clone());
    ledger.ask(&first);
    transport.push(first).await;
    let stop = async {
        tokio::select! {
            reason = place.life.closing() => reason,
            reason = ledger.overdue(app.limits.opening) => reason,
        }
    };
    let closing = converse(socket, &transport, ledger, &app.limits, End::Server, stop).await;
    (closing, Some(handle))
}
