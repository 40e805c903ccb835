//! Each side's connection, and how others call it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::handlers::{MethodTypes, may_be_empty};
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{Handler, Method, Position, Side, Type, TypeKind};

/// The connections of all sides.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct ConnectionsModel {
    pub(super) imports: TypeImports,
    /// The interfaces of all sides, sorted.
    pub(super) interfaces: BTreeSet<String>,
    /// True if some results come in pieces.
    pub(in crate::backend::typescript) streams: bool,
    /// Requests and notifications that the schema does not name.
    pub(super) ext_method: Option<ExtensionModel>,
    pub(super) ext_notification: Option<ExtensionModel>,
    pub(super) sides: Vec<SideModel>,
}

/// Messages whose method the schema does not name.
#[derive(Debug, Serialize)]
pub(super) struct ExtensionModel {
    pub(super) types: MethodTypes,
    /// The codecs of its params and of its result.
    pub(super) params: String,
    pub(super) result: Option<String>,
}

/// A side of a connection.
#[derive(Debug, Serialize)]
pub(super) struct SideModel {
    /// Its interface.
    pub(super) name: String,
    /// The object of its methods, and the function that says what it handles.
    pub(super) methods: String,
    pub(super) side: String,
    pub(super) peer: String,
    pub(super) context: String,
    pub(super) connection: String,
    pub(super) cancel: Option<CancelModel>,
    pub(super) handshake: Option<HandshakeModel>,
    /// The calls of its peers.
    pub(super) calls: Vec<CallModel>,
    /// The sides that may be at the other end.
    pub(super) peers: Vec<PeerModel>,
    /// The class of who is there, if it can only be one.
    pub(super) base: Option<String>,
}

/// The sides that may be at the other end.
#[derive(Debug, Serialize)]
pub(super) struct PeerModel {
    pub(super) accessor: String,
    pub(super) name: String,
}

/// The notification that cancels a request, as literals.
#[derive(Debug, Serialize)]
pub(super) struct CancelModel {
    pub(super) method: String,
    /// The property of its params that holds the request's id.
    pub(super) property: String,
}

/// The location at which the other end says what it is capable of, as literals.
#[derive(Debug, Serialize)]
pub(super) struct HandshakeModel {
    pub(super) method: String,
    pub(super) position: &'static str,
    pub(super) property: String,
}

/// A method of a side, as it is called from the other end.
#[derive(Debug, Serialize)]
pub(super) struct CallModel {
    #[serde(skip)]
    pub(super) method: String,
    pub(super) doc: Vec<String>,
    pub(super) name: String,
    /// Its literal on the wire.
    pub(super) wire: String,
    /// The method of the interface.
    pub(super) handler: String,
    pub(super) types: MethodTypes,
    /// The codecs of its params and of its result.
    pub(super) params: String,
    pub(super) result: Option<String>,
    pub(super) may_be_empty: bool,
    pub(super) is_lifecycle: bool,
    /// The literals of the way to the capability that it needs.
    pub(super) capability: Option<Vec<String>>,
    pub(super) stream: Option<StreamModel>,
}

/// The source of a result's pieces.
#[derive(Debug, Serialize)]
pub(super) struct StreamModel {
    pub(super) doc: Vec<String>,
    /// The object that says so.
    pub(super) name: String,
    /// The type of a piece.
    pub(super) piece: Expr,
    pub(super) notification: String,
    /// The codec of the notification's params.
    pub(super) params: String,
    pub(super) token: Vec<String>,
    pub(super) token_in: String,
    pub(super) delta: String,
    pub(super) result: String,
}

impl ConnectionsModel {
    /// None for a protocol without sides.
    pub(super) fn new(scope: Scope<'_>) -> Option<Self> {
        let protocol = scope.protocol;
        if protocol.sides.is_empty() {
            return None;
        }
        let mut imports = TypeImports::default();
        let extensions = protocol.extensions.as_ref();
        let ext_method = extensions.and_then(|them| {
            let result = them.result.as_ref().unwrap_or(&Type::Any);
            Some(ExtensionModel::new(scope, them.request.as_ref()?, Some(result), &mut imports))
        });
        let ext_notification = extensions.and_then(|them| {
            Some(ExtensionModel::new(scope, them.notification.as_ref()?, None, &mut imports))
        });
        let sides = protocol.sides.iter().map(|side| SideModel::new(scope, side, &mut imports));
        Some(Self {
            sides: sides.collect(),
            interfaces: protocol.sides.iter().map(names::interface).collect(),
            streams: protocol.methods.iter().any(|method| method.stream.is_some()),
            ext_method,
            ext_notification,
            imports,
        })
    }
}

impl ExtensionModel {
    fn new(
        scope: Scope<'_>,
        params: &Type,
        result: Option<&Type>,
        imports: &mut TypeImports,
    ) -> Self {
        let types = MethodTypes {
            params: imports.extension(scope, params),
            result: result.map(|result| imports.extension(scope, result)),
        };
        let params = imports.extension_codec(scope, params);
        let result = result.map(|result| imports.extension_codec(scope, result));
        Self { types, params, result }
    }
}

impl SideModel {
    fn new(scope: Scope<'_>, side: &Side, imports: &mut TypeImports) -> Self {
        let handled = scope.protocol.handled_by(&side.name.wire);
        let calls = handled.map(|method| CallModel::new(scope, method, imports)).collect();
        let peers: Vec<PeerModel> = others(scope, side)
            .map(|side| PeerModel { accessor: names::accessor(side), name: names::peer(side) })
            .collect();
        let base = match peers.as_slice() {
            [only] => Some(only.name.clone()),
            _ => None,
        };
        Self {
            name: names::interface(side),
            methods: names::side_methods(side),
            side: names::side_function(side),
            peer: names::peer(side),
            context: names::context(side),
            connection: names::connection(side),
            cancel: cancel(scope),
            handshake: handshake(scope, side),
            calls,
            peers,
            base,
        }
    }
}

impl CallModel {
    fn new(scope: Scope<'_>, method: &Method, imports: &mut TypeImports) -> Self {
        let wire = &method.name.wire;
        let verb = if method.is_request() { "Calls" } else { "Sends" };
        let mut comment =
            Comment::new(&method.docs, scope.docs).paragraph(&format!("{verb} `{wire}`."));
        if let Some(capability) = &method.capability {
            let path = capability.join(".");
            let needs = format!("Fails if the other end lacks the capability `{path}`.");
            comment = comment.paragraph(&needs);
        }
        let result = method.result();
        Self {
            method: wire.clone(),
            doc: comment.block(2),
            name: names::peer_method(method),
            wire: literal(wire),
            handler: names::method(method),
            types: MethodTypes::new(scope, method, imports),
            params: imports.codec(scope, method.params()),
            result: result.map(|result| imports.codec(scope, result)),
            may_be_empty: result.is_some_and(|result| may_be_empty(scope, result)),
            is_lifecycle: method.lifecycle,
            capability: method.capability.as_ref().map(|path| literals(path)),
            stream: StreamModel::new(scope, method, imports),
        }
    }
}

impl StreamModel {
    fn new(scope: Scope<'_>, method: &Method, imports: &mut TypeImports) -> Option<Self> {
        let stream = method.stream.as_ref()?;
        let piece = scope.protocol.stream_delta(stream)?;
        let notification = scope.protocol.stream_notification(stream)?;
        let wire = &method.name.wire;
        let comment = Comment::of(format!("Calls `{wire}`, and gives its result in pieces."))
            .paragraph("The token that marks them is put into the params.");
        Some(Self {
            doc: comment.block(2),
            name: names::stream(method),
            piece: imports.expression(scope, piece),
            notification: literal(&stream.notification),
            params: imports.codec(scope, notification.params()),
            token: literals(&stream.token),
            token_in: literal(&stream.token_in),
            delta: literal(&stream.delta),
            result: literal(&stream.result),
        })
    }
}

fn literals(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| literal(text)).collect()
}

fn others<'a>(scope: Scope<'a>, side: &'a Side) -> impl Iterator<Item = &'a Side> {
    let is_alone = scope.protocol.sides.len() == 1;
    scope.protocol.sides.iter().filter(move |other| is_alone || *other != side)
}

/// Of the protocol's own notifications, the one whose params are required to hold just one
/// thing: the id of the request to cancel.
fn cancel(scope: Scope<'_>) -> Option<CancelModel> {
    let mut own = scope
        .protocol
        .methods
        .iter()
        .filter(|method| method.handler == Handler::Protocol && !method.is_request());
    own.find_map(|method| {
        let Type::Named { name } = scope.protocol.resolve(method.params()) else { return None };
        let TypeKind::Record(record) = &scope.protocol.type_def(name)?.kind else { return None };
        let mut required = record.fields.iter().filter(|field| field.presence.is_required());
        let (first, second) = (required.next()?, required.next());
        second.is_none().then(|| CancelModel {
            method: literal(&method.name.wire),
            property: literal(&first.name.wire),
        })
    })
}

fn handshake(scope: Scope<'_>, side: &Side) -> Option<HandshakeModel> {
    let location = others(scope, side).find_map(|other| other.capabilities.as_ref())?;
    let position = match location.position {
        Position::Params => "\"params\"",
        Position::Result => "\"result\"",
    };
    let property = literal(&location.property.wire);
    Some(HandshakeModel { method: literal(&location.method), position, property })
}
