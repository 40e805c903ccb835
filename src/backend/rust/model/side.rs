//! Sides, and the methods they handle.

use proc_macro2::Ident;

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names::{self, SideNames};
use crate::backend::rust::types::RustType;
use crate::diagnostic::Diagnostics;
use crate::ir::{Handler, Method, Name, Position, Protocol, Side, Type, TypeKind};
use crate::source::Place;

/// A side of a connection.
#[derive(Debug)]
pub(crate) struct SideModel {
    /// The side's name in the schema.
    pub wire: String,
    pub names: SideNames,
    pub methods: Vec<MethodModel>,
    pub extensions: Option<ExtensionsModel>,
    /// The sides that can be at the other end: all others, or the side itself if it is the only
    /// one.
    pub peers: Vec<PeerModel>,
    /// The constant of the notification that cancels a request, and the property that holds the
    /// request's id.
    pub cancel: Option<(Ident, String)>,
    pub handshake: Option<HandshakeModel>,
}

/// The types of the messages whose methods the protocol does not name.
#[derive(Debug)]
pub(crate) struct ExtensionsModel {
    /// The params of a request.
    pub request: RustType,
    /// The result of a request.
    pub result: RustType,
    /// The params of a notification.
    pub notification: RustType,
}

/// A side at the other end.
#[derive(Debug)]
pub(crate) struct PeerModel {
    /// The function of a connection that gives it.
    pub accessor: Ident,
    /// The type by which it is called.
    pub ty: Ident,
}

/// The message in which the peer says what it can do.
#[derive(Debug)]
pub(crate) struct HandshakeModel {
    pub position: Position,
    /// The method's constant.
    pub method: Ident,
    /// The property that holds the capabilities.
    pub property: String,
}

/// A method that a side handles.
#[derive(Debug)]
pub(crate) struct MethodModel {
    pub wire: String,
    pub ident: Ident,
    /// The name of the constant that holds the wire name.
    pub constant: Ident,
    pub docs: DocComment,
    pub params: RustType,
    /// The type of the result, if it is a request.
    pub result: Option<RustType>,
    pub optional: bool,
    pub lifecycle: bool,
    /// The path of the capability that the method needs.
    pub capability: Vec<String>,
    /// The pieces of its result, if it comes in some.
    pub stream: Option<StreamModel>,
    /// The properties with the token and with the piece, if it brings pieces of
    /// the results of other methods.
    pub pieces: Vec<(String, String)>,
}

/// The pieces of a result.
#[derive(Debug)]
pub(crate) struct StreamModel {
    /// The function that calls it so.
    pub ident: Ident,
    /// The path of the token in the params.
    pub token: Vec<String>,
    /// The property of the result that the pieces make up.
    pub result: String,
}

/// The names of all methods, and of their constants.
pub(super) fn constants(
    protocol: &Protocol,
    diagnostics: &mut Diagnostics,
) -> Vec<(Ident, String)> {
    let mut names = Namespace::new("method constants in Rust");
    let mut seen = std::collections::HashSet::new();
    let mut constants = Vec::new();
    for method in &protocol.methods {
        let constant = names::constant(&method.name);
        if seen.insert((constant.clone(), &method.name.wire)) {
            names.claim(&constant.to_string(), &method.name.wire, &method.place, diagnostics);
            constants.push((constant, method.name.wire.clone()));
        }
    }
    constants
}

/// Decides all sides.
pub(super) fn sides(scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Vec<SideModel> {
    let mut names = Namespace::new("traits in Rust");
    scope
        .protocol
        .sides
        .iter()
        .map(|side| {
            let model = lower(scope, side, diagnostics);
            names.claim(
                &model.names.handler.to_string(),
                &model.wire,
                &Place::default(),
                diagnostics,
            );
            model
        })
        .collect()
}

fn lower(scope: &Scope<'_>, side: &Side, diagnostics: &mut Diagnostics) -> SideModel {
    let mut names = Namespace::new(format!("methods of `{}` in Rust", side.name.wire));
    let methods = scope
        .protocol
        .handled_by(&side.name.wire)
        .map(|method| {
            let ident = names::value(&method.name);
            names.claim(&ident.to_string(), &method.name.wire, &method.place, diagnostics);
            MethodModel {
                wire: method.name.wire.clone(),
                ident,
                constant: names::constant(&method.name),
                docs: DocComment::new(&method.docs, scope.options),
                params: scope.rust_type(method.params()),
                result: method.result().map(|result| scope.rust_type(result)),
                // A notification that nobody handles is ignored in any case.
                optional: method.optional || !method.is_request(),
                lifecycle: method.lifecycle,
                capability: method.capability.clone().unwrap_or_default(),
                stream: stream(method, &mut names, diagnostics),
                pieces: pieces(scope.protocol, method),
            }
        })
        .collect();
    let extensions = scope.protocol.extensions.as_ref().map(|extensions| {
        let place = Place::default();
        names.claim("ext_method", "extension methods", &place, diagnostics);
        names.claim("ext_notification", "extension notifications", &place, diagnostics);
        let any = Type::Any;
        let rust_type = |ty: &Option<Type>| scope.rust_type(ty.as_ref().unwrap_or(&any));
        ExtensionsModel {
            request: rust_type(&extensions.request),
            result: rust_type(&extensions.result),
            notification: rust_type(&extensions.notification),
        }
    });
    SideModel {
        wire: side.name.wire.clone(),
        names: SideNames::new(&side.name),
        methods,
        extensions,
        peers: peers(scope.protocol, side),
        cancel: cancel(scope),
        handshake: handshake(scope.protocol, side),
    }
}

fn stream(
    method: &Method,
    names: &mut Namespace,
    diagnostics: &mut Diagnostics,
) -> Option<StreamModel> {
    let stream = method.stream.as_ref()?;
    let ident = names::suffixed(&method.name, "_streamed");
    names.claim(&ident.to_string(), &method.name.wire, &method.place, diagnostics);
    Some(StreamModel { ident, token: stream.token.clone(), result: stream.result.clone() })
}

fn pieces(protocol: &Protocol, method: &Method) -> Vec<(String, String)> {
    if method.is_request() {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    for stream in protocol.methods.iter().filter_map(|other| other.stream.as_ref()) {
        let pair = (stream.token_in.clone(), stream.delta.clone());
        if stream.notification == method.name.wire && !pieces.contains(&pair) {
            pieces.push(pair);
        }
    }
    pieces
}

fn others<'a>(protocol: &'a Protocol, side: &'a Side) -> impl Iterator<Item = &'a Side> {
    let is_alone = protocol.sides.len() == 1;
    protocol.sides.iter().filter(move |other| is_alone || *other != side)
}

fn peers(protocol: &Protocol, side: &Side) -> Vec<PeerModel> {
    let peer = |side: &Side| PeerModel {
        accessor: accessor(&side.name),
        ty: SideNames::new(&side.name).peer,
    };
    others(protocol, side).map(peer).collect()
}

/// The function that gives a connection's other end. What connections can do themselves keeps its
/// name.
fn accessor(name: &Name) -> Ident {
    const OWN: &[&str] = &[
        "close",
        "closed",
        "new",
        "spawn",
        "spawn_with_options",
        "start",
        "stdio",
        "stdio_with_options",
        "with_options",
    ];
    let plain = names::value(name);
    if OWN.iter().any(|own| plain == own) { names::suffixed(name, "_peer") } else { plain }
}

/// Of the protocol's own notifications, the one whose params are required to hold just one
/// thing: the id of the request to cancel.
fn cancel(scope: &Scope<'_>) -> Option<(Ident, String)> {
    let methods = scope.protocol.methods.iter();
    let mut own =
        methods.filter(|method| method.handler == Handler::Protocol && !method.is_request());
    own.find_map(|method| {
        let TypeKind::Record(record) = &scope.definition(method.params())?.1.kind else {
            return None;
        };
        let mut required = record.fields.iter().filter(|field| field.presence.is_required());
        let (first, second) = (required.next()?, required.next());
        second.is_none().then(|| (names::constant(&method.name), first.name.wire.clone()))
    })
}

fn handshake(protocol: &Protocol, side: &Side) -> Option<HandshakeModel> {
    let location = others(protocol, side).find_map(|other| other.capabilities.as_ref())?;
    let mut methods = protocol.methods.iter();
    let method = methods.find(|method| method.name.wire == location.method)?;
    Some(HandshakeModel {
        position: location.position,
        method: names::constant(&method.name),
        property: location.property.wire.clone(),
    })
}
