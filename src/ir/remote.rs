//! How the protocol is spoken over HTTP and WebSocket.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Method, Protocol, Type, TypeKind};

/// The facts about the protocol that a transport over HTTP needs (annotation `x-remote`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Remote {
    /// The path of the endpoint. It begins with a slash.
    pub path: String,
    /// The wire name of the request that opens a connection.
    pub opens: String,
    /// The name of the header that holds the id of the connection.
    pub connection: String,
    /// The name of the header that holds the version both ends agreed on.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub version: Option<String>,
    /// The way to tell the sessions of a connection apart, if it has sessions.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub session: Option<RemoteSession>,
}

/// The way to tell the sessions of a connection apart: the property and the header of their ids,
/// and the requests that open and close them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct RemoteSession {
    /// The property of params and results that holds the id of a session.
    pub property: String,
    /// The name of the header that holds it.
    pub header: String,
    /// The wire names of the requests that open a new session: those whose result has the property.
    /// They are answered on the connection's stream.
    pub opened_by: Vec<String>,
    /// The wire names of the requests that open the session of their params again, as the
    /// annotation says. They are answered on the connection's stream, too.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub reopened_by: Vec<String>,
    /// The wire names of the requests after which there is no session any more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub closed_by: Vec<String>,
}

/// The streams that carry a method's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoteScope {
    /// The streams of the connection.
    Connection,
    /// The streams of the session that the messages belong to.
    Session,
    /// The streams of the session, if the params name one. The method opens a session, or opens it
    /// again, so its response comes on the connection's stream.
    OpensSession,
}

impl RemoteSession {
    /// Tells whether a request opens a session, a new one or one that was there before.
    fn opens(&self, method: &str) -> bool {
        self.opened_by.iter().chain(&self.reopened_by).any(|it| it == method)
    }
}

impl Protocol {
    /// Tells which streams carry a method's messages over HTTP, if the protocol says how it is
    /// spoken there.
    pub fn remote_scope(&self, method: &Method) -> Option<RemoteScope> {
        let remote = self.remote.as_ref()?;
        let Some(session) = &remote.session else { return Some(RemoteScope::Connection) };
        if method.is_request() && session.opens(&method.name.wire) {
            return Some(RemoteScope::OpensSession);
        }
        let is_in_session = self.has_field(method.params(), &session.property);
        Some(if is_in_session { RemoteScope::Session } else { RemoteScope::Connection })
    }

    /// Tells whether objects of a type can have a listed property: of a union, those of any variant.
    pub(crate) fn has_field(&self, ty: &Type, property: &str) -> bool {
        let mut seen = Vec::new();
        let mut types = vec![ty];
        while let Some(ty) = types.pop() {
            if self.fields(ty).iter().any(|field| field.name.wire == property) {
                return true;
            }
            let Type::Named { name } = self.resolve(ty) else { continue };
            let Some(TypeKind::Union(union)) = self.type_def(name).map(|def| &def.kind) else {
                continue;
            };
            if !seen.contains(&name) {
                seen.push(name);
                types.extend(union.variants.iter().filter_map(|variant| variant.payload.as_ref()));
            }
        }
        false
    }
}
