//! Methods, and the sides that handle them.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Cancels, Choice, Docs, FileAccess, Handle, Name, ProcessHost, Progress, Type};
use crate::source::Location;

/// A side of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// Its name, as `x-side` spells it.
    pub name: Name,
    /// The location at which the side tells its peer what it can do (`x-capabilities`), if the
    /// schema says so.
    pub capabilities: Option<CapabilityLocation>,
    /// The side at the other end of its connections: what `x-sides` says, else the other one of
    /// two, else the other one of the first two: in the order of the messages that the root lists,
    /// else those with the most methods. A further side has none: any may be there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub counterpart: Option<String>,
    /// Its documentation (annotation `x-sides`).
    #[cfg_attr(feature = "serde", serde(default))]
    pub docs: Docs,
    /// The documentation of messages that it handles and whose methods the schema does not name.
    #[cfg_attr(feature = "serde", serde(default))]
    pub extensions: ExtensionDocs,
}

/// The documentation of messages whose methods the schema does not name, as the unions of all
/// messages have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ExtensionDocs {
    /// Documentation of requests.
    pub request: Docs,
    /// Documentation of notifications.
    pub notification: Docs,
}

/// The location of a side's capabilities in a handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct CapabilityLocation {
    /// The method whose payload carries them.
    pub method: String,
    /// Which payload of that method.
    pub position: Position,
    /// The property that holds them.
    pub property: Name,
}

/// A payload of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Position {
    /// The params that the caller sends.
    Params,
    /// The result that a request is answered with.
    Result,
}

/// A request or a notification. Two methods may share a wire name when one is a request and the
/// other a notification, or when different sides handle them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Method {
    /// The wire name (`session/new`), with words taken from the params type (`NewSessionRequest`
    /// → `new session`) as the protocol's users say it. Where that is only the method's
    /// namespace (`SessionNotification`), the words are the wire name's; where a request and a
    /// notification share a wire name, the notification's end in `notification`.
    pub name: Name,
    /// `x-function-name`: the words of its function in generated code, where they are others.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub function_name: Option<Name>,
    /// The location of the `x-function-name`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub function_name_location: Option<Location>,
    /// Its handler.
    pub handler: Handler,
    /// Its kind, with its payloads.
    pub kind: MethodKind,
    /// `x-optional`: a handler may leave it out; callers then get *method not found*.
    pub optional: bool,
    /// `x-capability`: the path, within the handling side's capabilities, of the value that
    /// allows the method. A value that is absent, `null` or `false` does not.
    pub capability: Option<Vec<String>>,
    /// `x-lifecycle`: it changes what the connection or session is, and must not be in a batch.
    pub lifecycle: bool,
    /// True if the schema does not bind it itself: what it carries was found out from the message
    /// unions and a list of methods. Only so where schemas are compared.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "super::is_false"))]
    pub inferred: bool,
    /// `x-stream`: what it results in comes in pieces before.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub stream: Option<Stream>,
    /// `x-cancels`: the requests that it cancels.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub cancels: Vec<Cancels>,
    /// `x-handle`: what it opens is an object with methods.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub handle: Option<Handle>,
    /// `x-process`: what it opens is a program that runs, and a class of the package runs it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub process: Option<ProcessHost>,
    /// `x-choice`: it is answered with one of the options that it offers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub choice: Option<Choice>,
    /// `x-file-access`: it reads or writes a file of text.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub file: Option<FileAccess>,
    /// `x-status`: the items that the notification tells of from their start to their end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub progress: Vec<Progress>,
    /// Its documentation: what the message union says of it, else that of the params type.
    pub docs: Docs,
    /// Its location in the schema: that of the params type.
    pub location: Location,
}

/// A result that comes in pieces before the request is answered: by notifications with a token that
/// the caller chose for this call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Stream {
    /// The wire name of the notification. The request's caller handles it.
    pub notification: String,
    /// The path of the token in the params: properties from the outside in. A string is allowed
    /// there.
    pub token: Vec<String>,
    /// The property of the notification that holds the token.
    pub token_in: String,
    /// The property of the notification that holds a piece.
    pub delta: String,
    /// The property of the result that the pieces make up when joined in order.
    pub result: String,
}

/// The handler of a method, from `x-side`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Handler {
    /// A single side.
    Side {
        /// Its name.
        name: String,
    },
    /// Either side (`both`): each may call it on the other.
    Either,
    /// The JSON-RPC layer itself (`protocol`): part of the connection, on every side.
    Protocol,
}

/// The kind of a method, with its payloads.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[allow(clippy::large_enum_variant, reason = "a protocol has hundreds of them, not millions")]
pub enum MethodKind {
    /// A call that is answered.
    Request {
        /// The type of `params`.
        params: Type,
        /// The type of `result`.
        result: Type,
    },
    /// A message that is not answered.
    Notification {
        /// The type of `params`.
        params: Type,
    },
}

/// The types of messages whose methods the schema does not name.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Extensions {
    /// Params of an extension request.
    pub request: Option<Type>,
    /// Result of an extension request.
    pub result: Option<Type>,
    /// Params of an extension notification.
    pub notification: Option<Type>,
}

impl Method {
    /// The words of its function in generated code, in handlers and in calls.
    pub fn function(&self) -> &Name {
        self.function_name.as_ref().unwrap_or(&self.name)
    }

    /// Tells whether it is answered.
    pub fn is_request(&self) -> bool {
        matches!(self.kind, MethodKind::Request { .. })
    }

    /// The type of `params`.
    pub fn params(&self) -> &Type {
        match &self.kind {
            MethodKind::Request { params, .. } | MethodKind::Notification { params } => params,
        }
    }

    /// The type of `result`, for a request.
    pub fn result(&self) -> Option<&Type> {
        match &self.kind {
            MethodKind::Request { result, .. } => Some(result),
            MethodKind::Notification { .. } => None,
        }
    }

    /// Tells whether it is a request whose params are this definition.
    pub fn is_request_with(&self, params: &str) -> bool {
        self.is_request() && matches!(self.params(), Type::Named { name } if name == params)
    }

    /// The names of the functions beside its call (annotations `x-choice`, `x-file-access`).
    pub fn helpers(&self) -> impl Iterator<Item = &Name> {
        let choice = self.choice.iter();
        let choice = choice.flat_map(|it| [Some(&it.name), it.yes.as_ref().map(|yes| &yes.name)]);
        choice.flatten().chain(self.file.iter().map(|it| &it.name))
    }

    /// Tells whether the side's own handler gets it. A method of the protocol itself is the
    /// connection's business, not the handler's.
    pub fn is_handled_by(&self, side: &str) -> bool {
        match &self.handler {
            Handler::Side { name } => name == side,
            Handler::Either => true,
            Handler::Protocol => false,
        }
    }
}

impl Extensions {
    /// The params and the result of extension requests, if there are such.
    pub fn requests(&self) -> Option<(&Type, &Type)> {
        Some((self.request.as_ref()?, self.result.as_ref().unwrap_or(&Type::Any)))
    }
}
