//! What the protocol says about connections over the network.

use super::super::connection::{self, Incoming, Message};
use super::super::json;

/// The names that the two ends agree on.
#[derive(Debug)]
pub struct Endpoint {
    /// Where connections are made.
    pub path: &'static str,
    /// The method that has to come first.
    pub opens: Option<&'static str>,
    /// The header that names a connection.
    pub connection: Option<&'static str>,
    /// The header that names the version of the protocol.
    pub version: Option<VersionHeader>,
    /// The conversations of a connection.
    pub session: Option<Sessions>,
}

/// The header that names the version of the protocol, and where the version is from.
#[derive(Debug)]
pub struct VersionHeader {
    pub header: &'static str,
    /// The property of the answer to the opening method that holds the version.
    pub property: Option<&'static str>,
    /// The version, if the ends do not agree on one.
    pub value: Option<&'static str>,
}

/// The conversations of a connection.
#[derive(Debug)]
pub struct Sessions {
    /// The property of params and results that names one.
    pub property: &'static str,
    /// The header that names one.
    pub header: &'static str,
    /// The requests that open a new one, which their result names.
    pub opened_by: &'static [&'static str],
    /// The requests that open the one again that their params name.
    pub reopened_by: &'static [&'static str],
    /// The requests that close one.
    pub closed_by: &'static [&'static str],
}

impl Endpoint {
    /// Whether the protocol is spoken in requests of HTTP, too, not over `WebSocket` only.
    pub(super) fn has_http(&self) -> bool {
        self.connection.is_some()
    }

    /// Whether this is the request that has to come first.
    pub(super) fn is_opening(&self, message: &Message<'_>) -> bool {
        self.opens.is_none_or(
            |opens| matches!(message, Message::Request { method, .. } if method == opens),
        )
    }

    /// Whether this method opens a session, new or again.
    pub(super) fn opens_session(&self, method: &str) -> bool {
        let session = self.session.as_ref();
        session.is_some_and(|it| it.opened_by.contains(&method)) || self.reopens_session(method)
    }

    /// Whether this method opens a session again.
    pub(super) fn reopens_session(&self, method: &str) -> bool {
        let session = self.session.as_ref();
        session.is_some_and(|it| it.reopened_by.contains(&method))
    }

    /// Whether this method closes a session.
    pub(super) fn closes_session(&self, method: &str) -> bool {
        let session = self.session.as_ref();
        session.is_some_and(|it| it.closed_by.contains(&method))
    }

    /// The session that a message's params name.
    pub(super) fn session_of(&self, message: &Message<'_>) -> Option<String> {
        match message {
            Message::Request { params, .. } | Message::Notification { params, .. } => {
                self.session_in(*params)
            }
            _ => None,
        }
    }

    /// The session that params or a result name.
    pub(super) fn session_in(&self, text: Option<&str>) -> Option<String> {
        let session = self.session.as_ref()?;
        json::decode(connection::member(text?, session.property)?).ok()
    }
}

/// The messages of a line: one, those of a batch, or none.
pub(super) fn messages(line: &str) -> Vec<Message<'_>> {
    match connection::incoming(line.as_bytes()) {
        Ok(Incoming::Single(_, message)) => vec![message],
        Ok(Incoming::Batch(entries)) => entries.into_iter().map(connection::message).collect(),
        Err(_) => Vec::new(),
    }
}

/// A message on one line. In JSON, the ends of lines are only space between tokens.
pub(super) fn on_one_line(text: String) -> String {
    if text.contains(['\n', '\r']) {
        text.replace(['\n', '\r'], " ")
    } else {
        text
    }
}
