//! The model of `remote/protocol.py`: how the protocol is served over HTTP or a `WebSocket`.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::Used;
use crate::ir::{Protocol, Remote, RemoteSession, Side};

/// `remote/__init__.py` and `remote/protocol.py`
#[derive(Debug, Serialize)]
pub(crate) struct RemoteModule {
    /// True if it is said how the protocol is spoken over HTTP.
    pub(crate) has_http: bool,
    has_sessions: bool,
    endpoint: Expression,
}

/// Decides what connections know of the endpoint.
pub(super) fn remote_module(protocol: &Protocol) -> RemoteModule {
    let remote = protocol.remote.as_ref();
    RemoteModule {
        has_http: remote.is_some(),
        has_sessions: remote.is_some_and(|it| it.session.is_some()),
        endpoint: endpoint(protocol, remote),
    }
}

/// Tells whether others connect to a side: to the one that handles what opens a connection, or to
/// any if nothing has to. The functions for that need an import.
pub(super) fn serve(protocol: &Protocol, side: &Side, connections: &mut Used) -> bool {
    let is_served = protocol.can_serve(side);
    if is_served {
        connections.annotations.own(".", "remote as _remote");
    }
    is_served
}

fn endpoint(protocol: &Protocol, remote: Option<&Remote>) -> Expression {
    let Some(remote) = remote else { return Expression::call("Endpoint", []) };
    let text = |text: &String| Expression::string(text);
    let negotiated = protocol.negotiation.as_ref().filter(|it| it.method == remote.opens);
    let agreed = negotiated.map(|it| text(&it.result.wire));
    let arguments = [
        ("path", Some(text(&remote.path))),
        ("opens", Some(text(&remote.opens))),
        ("connection", Some(text(&remote.connection))),
        ("version", remote.version.as_ref().map(text)),
        ("agreed", agreed),
        ("session", remote.session.as_ref().map(session)),
    ];
    call("Endpoint", arguments.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

fn session(session: &RemoteSession) -> Expression {
    let set = |methods: &[String]| {
        let methods = methods.iter().map(|method| Expression::string(method)).collect();
        Expression::apply("frozenset", [Expression::Tuple(methods)])
    };
    let arguments = [
        ("property", Expression::string(&session.property)),
        ("header", Expression::string(&session.header)),
        ("opened_by", set(&session.opened_by)),
        ("reopened_by", set(&session.reopened_by)),
        ("closed_by", set(&session.closed_by)),
    ];
    call("SessionRule", arguments)
}

fn call<'n>(head: &str, arguments: impl IntoIterator<Item = (&'n str, Expression)>) -> Expression {
    Expression::call(head, arguments.into_iter().map(|(name, value)| (name.to_owned(), value)))
}
