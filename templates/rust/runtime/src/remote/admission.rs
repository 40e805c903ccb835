//! Pages of other origins.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::uri::{Authority, Scheme};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;

use super::endpoint::Endpoint;
use super::hosts::Hosts;
use super::server::refuse;

/// The verbs that are answered.
pub(super) const VERBS: &str = "GET, POST, DELETE";

/// The origin of a request for this server, if it is from a page of another one that is let in.
///
/// # Errors
///
/// The request is for another server, or the page is not let in.
pub(super) fn foreign_origin(
    hosts: &Hosts,
    allowed: &[String],
    parts: &Parts,
) -> Result<Option<HeaderValue>, Box<Response>> {
    hosts.check(parts)?;
    let mut origins = parts.headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else {
        return Ok(None);
    };
    if origins.next().is_some() {
        let message = "the header `Origin` is there more than once";
        return Err(Box::new(refuse(StatusCode::BAD_REQUEST, message)));
    }
    // What `Host` says counts only where it was looked at.
    if !hosts.are_all() && is_from_host(origin, parts) {
        return Ok(None);
    }
    if allowed
        .iter()
        .any(|it| it == "*" || it.as_bytes() == origin.as_bytes())
    {
        return Ok(Some(origin.clone()));
    }
    Err(Box::new(refuse(
        StatusCode::FORBIDDEN,
        "this `Origin` is not allowed",
    )))
}

/// Whether an origin is that of the host that a request is for, by name and port.
fn is_from_host(origin: &HeaderValue, parts: &Parts) -> bool {
    let origin = origin.to_str().ok().and_then(|it| it.parse::<Uri>().ok());
    let Some(origin) = origin else {
        return false;
    };
    let host = parts
        .headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    let host = parts.uri.authority().cloned().or(host);
    let default = if origin.scheme() == Some(&Scheme::HTTPS) {
        443
    } else {
        80
    };
    let place = |it: &Authority| {
        (
            it.host().to_ascii_lowercase(),
            it.port_u16().unwrap_or(default),
        )
    };
    host.is_some() && origin.authority().map(place) == host.as_ref().map(place)
}

/// Whether a browser asks what it may send.
pub(super) fn is_preflight(parts: &Parts) -> bool {
    parts.method == Method::OPTIONS
        && parts
            .headers
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Tells a browser what it may send.
pub(super) fn preflight(endpoint: &Endpoint, asked: Option<&HeaderValue>) -> Response {
    let session = endpoint.session.as_ref().map(|it| it.header);
    let version = endpoint.version.as_ref().map(|it| it.header);
    let own = [
        Some("content-type"),
        Some("accept"),
        endpoint.connection,
        session,
        version,
    ];
    let asked = asked
        .and_then(|it| it.to_str().ok())
        .filter(|it| !it.is_empty());
    let allowed = own
        .into_iter()
        .chain([asked])
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    put(headers, header::ACCESS_CONTROL_ALLOW_METHODS, VERBS);
    put(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, &allowed);
    put(headers, header::ACCESS_CONTROL_MAX_AGE, "3600");
    response
}

/// Lets a page see an answer.
pub(super) fn share(endpoint: &Endpoint, origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    put(headers, header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    if let Some(name) = endpoint.connection {
        put(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, name);
    }
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
