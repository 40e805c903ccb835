//! The contents of `connections.py`: each side's connection, and how others call it.

use serde::Serialize;

use super::super::docs::inline;
use super::super::imports::Import;
use super::super::{literals, names};
use super::calls::{self, Call, ExtensionCall, Used};
use super::handlers::{EXT_METHOD, EXT_NOTIFICATION, can_be_empty};
use super::scope::Scope;
use super::{Exports, place_of};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Handler, Method, Position, Protocol, Side, Type, TypeKind};
use crate::source::Place;

/// `connections.py`
#[derive(Debug, Serialize)]
pub(crate) struct ConnectionsModule {
    pub(crate) imports: Vec<Import>,
    /// The imports of type checkers alone.
    pub(crate) guarded: Vec<Import>,
    /// True if some results come in pieces.
    pub(crate) has_streams: bool,
    /// The codecs of extension requests, of their results, and of extension notifications.
    pub(crate) ext_method: Option<[String; 2]>,
    pub(crate) ext_notification: Option<String>,
    pub(crate) sides: Vec<SideModel>,
}

/// A side of a connection.
#[derive(Debug, Serialize)]
pub(crate) struct SideModel {
    /// The class of its handlers.
    pub(crate) name: String,
    /// Its name as text.
    pub(crate) wire: String,
    /// The class that holds its methods.
    pub(crate) methods: String,
    pub(crate) handled: Vec<HandledMethod>,
    /// The constant that says what it handles.
    pub(crate) constant: String,
    /// The notification that cancels a request, and the property that names the request.
    pub(crate) cancel: Option<[String; 2]>,
    pub(crate) handshake: Option<Handshake>,
    /// The class by which others call it.
    pub(crate) peer: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) ext_method: Option<ExtensionCall>,
    pub(crate) ext_notification: Option<ExtensionCall>,
    /// The class of its handlers' context.
    pub(crate) context: String,
    /// The sides that may be at the other end.
    pub(crate) peers: Vec<PeerAccessor>,
    /// The class that a connection inherits to call the other end, where only one side can be
    /// there.
    pub(crate) base: String,
    pub(crate) connection: String,
    /// The function that serves on standard streams.
    pub(crate) run: String,
    pub(crate) spawn: Option<Spawn>,
}

/// A method that a side handles.
#[derive(Debug, Serialize)]
pub(crate) struct HandledMethod {
    pub(crate) name: String,
    /// The wire name as a literal.
    pub(crate) wire: String,
    /// The codec of its params.
    pub(crate) params: String,
    /// The codec of its result, for a request.
    pub(crate) result: Option<String>,
    /// The class of the result, if it has just one.
    pub(crate) result_type: Option<String>,
    /// True if an empty object is a result.
    pub(crate) is_empty: bool,
    pub(crate) stream: Option<StreamSource>,
    pub(crate) is_lifecycle: bool,
    /// The path of the capability that it needs, as literals.
    pub(crate) capability: Option<Vec<String>>,
}

/// The source of a result's pieces, as literals.
#[derive(Debug, Serialize)]
pub(crate) struct StreamSource {
    pub(crate) notification: String,
    pub(crate) token: Vec<String>,
    pub(crate) marked_by: String,
    pub(crate) delta: String,
    pub(crate) result: String,
}

/// The location at which the other end says what it can do, as literals.
#[derive(Debug, Serialize)]
pub(crate) struct Handshake {
    pub(crate) method: String,
    pub(crate) property: String,
    pub(crate) is_in_result: bool,
}

/// A property that gives a side at the other end.
#[derive(Debug, Serialize)]
pub(crate) struct PeerAccessor {
    pub(crate) name: String,
    pub(crate) class: String,
}

/// The function that starts a process which is a side.
#[derive(Debug, Serialize)]
pub(crate) struct Spawn {
    pub(crate) name: String,
    /// The handlers and the connection of the side that starts it.
    pub(crate) near: String,
    pub(crate) connection: String,
}

/// Decides the contents of `connections.py`, if there are sides, and claims the names it defines.
pub(super) fn connections_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> Option<ConnectionsModule> {
    let protocol = scope.protocol;
    if protocol.sides.is_empty() {
        return None;
    }
    let mut used = Used::default();
    let mut sides = Vec::new();
    for side in &protocol.sides {
        sides.push(connection(scope, mode, side, &mut used, diagnostics));
    }
    for (side, model) in protocol.sides.iter().zip(&sides) {
        let place = place_of(protocol, side);
        let spawn = model.spawn.as_ref().map(|spawn| &spawn.name);
        let SideModel { methods, peer, context, connection, run, .. } = model;
        for name in [methods, peer, context, connection, run].into_iter().chain(spawn) {
            exports.claim(name, &side.name.wire, &place, diagnostics);
            exports.connections.push(name.clone());
        }
    }
    let has_streams = has_streams(protocol);
    let guarded = imports(&mut used, &sides, has_streams);
    let extensions = protocol.extensions.as_ref();
    Some(ConnectionsModule {
        imports: used.runtime.statements(),
        guarded,
        has_streams,
        ext_method: extensions.and_then(|them| {
            let result = them.result.as_ref().unwrap_or(&Type::Any);
            Some([codec(scope, them.request.as_ref()?), codec(scope, result)])
        }),
        ext_notification: extensions
            .and_then(|them| Some(codec(scope, them.notification.as_ref()?))),
        sides,
    })
}

/// Completes the imports, and gives those that only type checkers need.
fn imports(used: &mut Used, sides: &[SideModel], has_streams: bool) -> Vec<Import> {
    used.annotations.typing("TYPE_CHECKING");
    used.annotations.typing("Final");
    used.runtime.typing("TYPE_CHECKING");
    used.annotations.collections("Callable");
    if sides.iter().any(|side| side.spawn.is_some()) {
        used.runtime.standard("contextlib", "asynccontextmanager");
        used.annotations.collections("AsyncGenerator");
        used.annotations.collections("Mapping");
        used.annotations.standard("os", "PathLike");
    }
    for side in sides {
        used.runtime.own(".interfaces", &side.name);
    }
    let guarded = used.annotations.split(&used.runtime);
    used.runtime.extend(std::mem::take(&mut used.annotations));
    used.runtime.own(".", "rpc as _rpc");
    used.runtime.own(".", "codecs");
    if has_streams {
        used.runtime.own(".", "streams as _streams");
    }
    guarded.statements()
}

fn connection(
    scope: &Scope<'_>,
    mode: DocsMode,
    side: &Side,
    used: &mut Used,
    diagnostics: &mut Diagnostics,
) -> SideModel {
    let peer = names::peer(side);
    let mut namespace = Namespace::new(format!("methods of `{peer}` in Python"));
    let (mut handled, mut calls) = (Vec::new(), Vec::new());
    for method in scope.protocol.handled_by(&side.name.wire) {
        handled.push(handled_method(scope, method, used));
        let call = calls::call(scope, mode, method, used);
        let streamed = call.streamed.as_ref().map(|streamed| &streamed.name);
        for name in [&call.name].into_iter().chain(streamed) {
            namespace.claim(name, &method.name.wire, &method.place, diagnostics);
        }
        calls.push(call);
    }
    let them = scope.protocol.extensions.as_ref();
    let ext_method = them.and_then(|it| it.request.as_ref()).map(|params| {
        namespace.claim(EXT_METHOD, EXT_METHOD, &Place::default(), diagnostics);
        let result = them.and_then(|it| it.result.as_ref()).unwrap_or(&Type::Any);
        calls::extension(scope, params, Some(result), used)
    });
    let ext_notification = them.and_then(|it| it.notification.as_ref()).map(|params| {
        namespace.claim(EXT_NOTIFICATION, EXT_NOTIFICATION, &Place::default(), diagnostics);
        calls::extension(scope, params, None, used)
    });
    let others: Vec<&Side> = others(scope, side).collect();
    let only = match others.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let location = others.iter().find_map(|other| other.capabilities.as_ref());
    let peers = others
        .iter()
        .map(|other| PeerAccessor { name: names::accessor(other), class: names::peer(other) });
    SideModel {
        name: names::class(&side.name),
        wire: inline(&side.name.wire),
        methods: names::methods(side),
        handled,
        constant: names::side_constant(side),
        cancel: cancel(scope).map(|rule| rule.map(literals::string)),
        handshake: location.map(|location| Handshake {
            method: literals::string(&location.method),
            property: literals::string(&location.property.wire),
            is_in_result: matches!(location.position, Position::Result),
        }),
        peer,
        calls,
        ext_method,
        ext_notification,
        context: names::context(side),
        peers: peers.collect(),
        base: only.map_or_else(|| String::from("_rpc.Peer"), names::peer),
        connection: names::connection(side),
        run: names::run(side),
        spawn: only.map(|near| Spawn {
            name: names::spawn(side),
            near: names::class(&near.name),
            connection: names::connection(near),
        }),
    }
}

fn handled_method(scope: &Scope<'_>, method: &Method, used: &mut Used) -> HandledMethod {
    let result_type = method.result().and_then(|result| record(scope, result));
    if let Some(class) = result_type {
        used.runtime.own(".types", class);
    }
    let text = |text: &String| literals::string(text);
    HandledMethod {
        name: names::function(&method.name),
        wire: literals::string(&method.name.wire),
        params: codec(scope, method.params()),
        result: method.result().map(|result| codec(scope, result)),
        result_type: result_type.map(String::from),
        is_empty: method.result().is_some_and(|result| can_be_empty(scope, result)),
        stream: method.stream.as_ref().filter(|_| method.is_request()).map(|stream| StreamSource {
            notification: text(&stream.notification),
            token: stream.token.iter().map(text).collect(),
            marked_by: text(&stream.token_in),
            delta: text(&stream.delta),
            result: text(&stream.result),
        }),
        is_lifecycle: method.lifecycle,
        capability: method.capability.as_ref().map(|path| path.iter().map(text).collect()),
    }
}

/// Tells whether some results come in pieces.
pub(crate) fn has_streams(protocol: &Protocol) -> bool {
    protocol.methods.iter().any(|method| method.stream.is_some())
}

/// The class of a type, if its values have just one.
fn record<'s>(scope: &'s Scope<'_>, ty: &Type) -> Option<&'s str> {
    let Type::Named { name } = ty else { return None };
    matches!(scope.kind(name), Some(TypeKind::Record(_))).then(|| scope.class(name))
}

fn codec(scope: &Scope<'_>, ty: &Type) -> String {
    match ty {
        Type::Named { name } => format!("codecs.{}", names::codec(scope.class(name))),
        _ => String::from("_rpc.RAW"),
    }
}

fn others<'s>(scope: &'s Scope<'_>, side: &'s Side) -> impl Iterator<Item = &'s Side> {
    let is_alone = scope.protocol.sides.len() == 1;
    scope.protocol.sides.iter().filter(move |other| is_alone || *other != side)
}

/// Of the protocol's own notifications, the one whose params are required to hold just one thing:
/// the id of the request to cancel.
fn cancel<'s>(scope: &'s Scope<'_>) -> Option<[&'s str; 2]> {
    let mut own = scope
        .protocol
        .methods
        .iter()
        .filter(|method| method.handler == Handler::Protocol && !method.is_request());
    own.find_map(|method| {
        let Type::Named { name } = scope.protocol.resolve(method.params()) else { return None };
        let TypeKind::Record(record) = scope.kind(name)? else { return None };
        let mut required = record.fields.iter().filter(|field| field.presence.is_required());
        let (first, second) = (required.next()?, required.next());
        let pair = [method.name.wire.as_str(), first.name.wire.as_str()];
        second.is_none().then_some(pair)
    })
}
