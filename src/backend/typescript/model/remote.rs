//! Connections over a network.

use serde::Serialize;

use crate::backend::sides::SideNames;
use crate::backend::typescript::docs::status;
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names;
use crate::ir::{Protocol, Remote, RemoteSession, Side};

/// The facts about the protocol that transports over a network need.
#[derive(Debug, Serialize)]
pub(super) struct RemoteModel {
    /// The literal of the endpoint's path.
    path: String,
    /// The facts that HTTP needs besides.
    pub(super) http: Option<HttpModel>,
    /// The sides that may be served: where it is known who is called to open a connection, that
    /// one.
    pub(super) servers: Vec<ServerModel>,
}

/// A side that may be served.
#[derive(Debug, Serialize)]
pub(super) struct ServerModel {
    /// The side's name.
    #[serde(skip)]
    pub(super) of: String,
    /// The class of the server.
    pub(super) name: String,
    /// The interface of its handlers, and the class of its connections.
    pub(super) handler: String,
    pub(super) connection: String,
    /// The tags that warn of it.
    status: Vec<String>,
}

/// The facts that only HTTP needs, as literals.
#[derive(Debug, Serialize)]
pub(super) struct HttpModel {
    opens: String,
    connection: String,
    version: Option<VersionModel>,
    session: Option<SessionModel>,
}

/// The header with the version that is spoken, and the property that says which one.
#[derive(Debug, Serialize)]
struct VersionModel {
    header: String,
    property: String,
}

/// The property and the header that tell sessions apart, and the methods of sessions.
#[derive(Debug, Serialize)]
struct SessionModel {
    property: String,
    header: String,
    opened_by: Vec<String>,
    reopened_by: Vec<String>,
    closed_by: Vec<String>,
}

impl RemoteModel {
    pub(super) fn new(protocol: &Protocol) -> Self {
        let remote = protocol.remote.as_ref();
        let servers = protocol.sides.iter().filter(|side| protocol.can_serve(side));
        let servers = servers.map(ServerModel::new);
        Self {
            path: literal(remote.map_or("/", |remote| &remote.path)),
            http: remote.map(|remote| HttpModel::new(protocol, remote)),
            servers: servers.collect(),
        }
    }
}

impl ServerModel {
    fn new(side: &Side) -> Self {
        let SideNames { name, connection, .. } = names::side(side);
        Self {
            of: side.name.wire.clone(),
            name: format!("{name}Server"),
            handler: name,
            connection,
            status: status(&side.docs),
        }
    }
}

impl HttpModel {
    fn new(protocol: &Protocol, remote: &Remote) -> Self {
        let negotiation = protocol.negotiation.as_ref();
        let version = remote.version.as_ref().zip(negotiation);
        Self {
            opens: literal(&remote.opens),
            connection: literal(&remote.connection),
            version: version.map(|(header, negotiation)| VersionModel {
                header: literal(header),
                property: literal(&negotiation.result.wire),
            }),
            session: remote.session.as_ref().map(SessionModel::new),
        }
    }
}

impl SessionModel {
    fn new(session: &RemoteSession) -> Self {
        let literals = |names: &[String]| names.iter().map(|name| literal(name)).collect();
        Self {
            property: literal(&session.property),
            header: literal(&session.header),
            opened_by: literals(&session.opened_by),
            reopened_by: literals(&session.reopened_by),
            closed_by: literals(&session.closed_by),
        }
    }
}
