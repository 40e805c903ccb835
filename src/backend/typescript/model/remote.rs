//! Connections over a network.

use serde::Serialize;

use crate::backend::sides::SideNames;
use crate::backend::typescript::data;
use crate::backend::typescript::docs::status;
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names;
use crate::ir::{Protocol, Side};
use crate::sdk;

/// The facts about the protocol that transports over a network need.
#[derive(Debug, Serialize)]
pub(super) struct RemoteModel {
    /// The literal of the endpoint's path.
    path: String,
    /// The rules of the endpoint, as an expression.
    endpoint: String,
    /// True if the protocol is spoken over HTTP, too.
    pub(super) http: bool,
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

impl RemoteModel {
    pub(super) fn new(protocol: &Protocol) -> Self {
        let remote = protocol.remote.as_ref();
        let servers = protocol.sides.iter().filter(|side| protocol.can_serve(side));
        let servers = servers.map(ServerModel::new);
        Self {
            path: literal(remote.map_or("/", |remote| &remote.path)),
            endpoint: data::expression(&sdk::endpoint(&protocol.endpoint_rules()), 0),
            http: remote.is_some(),
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
