//! The contents of `connections.py`: each side's connection, and how others call it.

use super::calls::{self, Used};
use super::codecs;
use super::declarations::{BODY, Exports, FUNCTION};
use super::doc::inline;
use super::layout::{Expression, assignment, listed};
use super::literal;
use super::methods::{EXT_METHOD, EXT_NOTIFICATION, can_be_empty};
use super::model::{ConnectionsModule, End, Handled, Peer, Spawn};
use super::names;
use super::package::has_streams;
use super::scope::Scope;
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Handler, Method, Position, Side, Stream, Type, TypeKind};
use crate::source::Place;

/// Arguments of a call, by position or by name.
type Arguments = Vec<(Option<String>, Expression)>;

/// Writes the model of `connections.py`, if there are sides, and claims the names it defines.
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
        let place = protocol
            .handled_by(&side.name.wire)
            .next()
            .map_or_else(Place::default, |method| method.place.clone());
        let spawn = model.spawn.as_ref().map(|spawn| &spawn.name);
        let End { methods, peer, context, connection, run, .. } = model;
        for name in [methods, peer, context, connection, run].into_iter().chain(spawn) {
            exports.claim(name, &side.name.wire, &place, diagnostics);
            exports.connections.push(name.clone());
        }
    }
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
    for side in &protocol.sides {
        used.runtime.own(".interfaces", &names::class(&side.name));
    }
    let guarded = used.annotations.split(&used.runtime);
    used.runtime.extend(used.annotations);
    used.runtime.own(".", "rpc as _rpc");
    used.runtime.own(".", "codecs");
    let has_streams = has_streams(protocol);
    if has_streams {
        used.runtime.own(".", "streams as _streams");
    }
    Some(ConnectionsModule {
        imports: used.runtime.lines(),
        guarded: guarded.lines_at(BODY),
        has_streams,
        extensions: extensions(scope),
        sides,
    })
}

fn connection(
    scope: &Scope<'_>,
    mode: DocsMode,
    side: &Side,
    used: &mut Used,
    diagnostics: &mut Diagnostics,
) -> End {
    let methods = names::methods(side);
    let peer = names::peer(side);
    let mut namespace = Namespace::new(format!("methods of `{peer}` in Python"));
    let (mut handled, mut calls) = (Vec::new(), Vec::new());
    for method in scope.protocol.handled_by(&side.name.wire) {
        namespace.claim(&names::peer_method(method), &method.name.wire, &method.place, diagnostics);
        handled.push(Handled { lines: entry(scope, method, used) });
        calls.push(calls::call(scope, mode, method, &methods, used));
        if let Some(streamed) = calls::streamed(scope, method, &methods, used) {
            let name = names::streamed(method);
            namespace.claim(&name, &method.name.wire, &method.place, diagnostics);
            calls.push(streamed);
        }
    }
    let them = scope.protocol.extensions.as_ref();
    let (request, notification) =
        (them.and_then(|it| it.request.as_ref()), them.and_then(|it| it.notification.as_ref()));
    if let Some(params) = request {
        let result = them.and_then(|it| it.result.as_ref()).unwrap_or(&Type::Any);
        namespace.claim(EXT_METHOD, EXT_METHOD, &Place::default(), diagnostics);
        calls.push(calls::extension(scope, EXT_METHOD, "_EXT_METHOD", params, Some(result), used));
    }
    if let Some(params) = notification {
        namespace.claim(EXT_NOTIFICATION, EXT_NOTIFICATION, &Place::default(), diagnostics);
        let target = "_EXT_NOTIFICATION";
        calls.push(calls::extension(scope, EXT_NOTIFICATION, target, params, None, used));
    }
    let others: Vec<&Side> = others(scope, side).collect();
    let peers = others.iter().map(|other| {
        let (accessor, name) = (names::accessor(other), names::peer(other));
        let result = format!(" -> {name}:");
        let header = listed(BODY, &format!("def {accessor}"), &[String::from("self")], &result);
        Peer { header, name }
    });
    let only = match others.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let class = names::class(&side.name);
    let near = names::connection(side);
    let base = only.map_or_else(|| String::from("_rpc.Peer"), names::peer);
    let run = names::run(side);
    let options = String::from("options: _rpc.ConnectionOptions | None = None");
    let transport = String::from("transport: _rpc.Transport");
    let parameters = [handler_parameter(side), options.clone()];
    End {
        wire: inline(&side.name.wire),
        side: names::side_constant(side),
        methods_header: vec![format!("class {methods}:")],
        describe: describe(scope, side, request.is_some(), notification.is_some()),
        handled,
        peer_header: listed(0, &format!("class {peer}"), &[String::from("_rpc.Peer")], ":"),
        calls,
        is_accessible: only.is_none(),
        peers: peers.collect(),
        context_header: listed(
            0,
            &format!("class {}", names::context(side)),
            &[String::from("_rpc.Context")],
            ":",
        ),
        connection_header: listed(
            0,
            &format!("class {near}"),
            &[String::from("_rpc.Lifetime"), base],
            ":",
        ),
        init: listed(
            BODY,
            "def __init__",
            &[String::from("self"), handler_parameter(side), transport, options],
            " -> None:",
        ),
        run_header: listed(0, &format!("async def {run}"), &parameters, " -> None:"),
        connect: connect(side),
        spawn: only.map(|other| spawn(side, other)),
        context: names::context(side),
        connection: near,
        name: class,
        methods,
        peer,
        run,
    }
}

/// The parameter for who handles a side's messages.
fn handler_parameter(side: &Side) -> String {
    let (class, connection) = (names::class(&side.name), names::connection(side));
    format!("handler: {class} | Callable[[{connection}], {class}]")
}

/// The statement that connects as a side.
fn connect(side: &Side) -> Vec<String> {
    let arguments = ["handler", "transport", "options"];
    let value = Expression::Call(
        names::connection(side),
        arguments.into_iter().map(|name| (None, Expression::atom(name))).collect(),
    );
    assignment(FUNCTION, "connection", None, Some(&value))
}

/// How a process that is a side is started by another side.
fn spawn(side: &Side, near: &Side) -> Spawn {
    let name = names::spawn(side);
    let parameters = [
        handler_parameter(near),
        String::from("command: str | PathLike[str]"),
        String::from("*arguments: str | PathLike[str]"),
        String::from("env: Mapping[str, str] | None = None"),
        String::from("cwd: str | PathLike[str] | None = None"),
        String::from("options: _rpc.ConnectionOptions | None = None"),
    ];
    let result = format!(" -> AsyncGenerator[{}, None]:", names::connection(near));
    Spawn {
        header: listed(0, &format!("async def {name}"), &parameters, &result),
        connect: connect(near),
        name,
    }
}

/// The entry of a method in its side's class.
fn entry(scope: &Scope<'_>, method: &Method, used: &mut Used) -> Vec<String> {
    let name = names::function(&method.name);
    let mut arguments: Arguments = vec![
        (None, Expression::atom(literal::string(&method.name.wire))),
        (None, Expression::atom(literal::string(&name))),
        (None, codec(scope, method.params())),
    ];
    let mut add = |name: &str, value: Expression| arguments.push((Some(name.to_owned()), value));
    let class = if let Some(result) = method.result() {
        if let Some(class) = record(scope, result) {
            used.runtime.own(".types", class);
            add("result_type", Expression::atom(class));
        }
        if can_be_empty(scope, result) {
            add("is_empty", Expression::atom("True"));
        }
        if let Some(stream) = &method.stream {
            add("stream", of_stream(stream));
            "_streams.StreamedMethod"
        } else {
            "_rpc.RequestMethod"
        }
    } else {
        "_rpc.NotificationMethod"
    };
    if method.lifecycle {
        add("is_lifecycle", Expression::atom("True"));
    }
    if let Some(path) = &method.capability {
        let path = path.iter().map(|name| Expression::atom(literal::string(name)));
        add("capability", Expression::tuple(path));
    }
    if let Some(result) = method.result() {
        arguments.insert(3, (None, codec(scope, result)));
    }
    let value = Expression::Call(String::from(class), arguments);
    assignment(BODY, &name, Some(&Expression::atom("Final")), Some(&value))
}

/// Where the pieces of a result come from.
fn of_stream(stream: &Stream) -> Expression {
    let text = |text: &String| Expression::atom(literal::string(text));
    let parts = [
        ("notification", text(&stream.notification)),
        ("token", Expression::tuple(stream.token.iter().map(text))),
        ("marked_by", text(&stream.token_in)),
        ("delta", text(&stream.delta)),
        ("result", text(&stream.result)),
    ];
    Expression::call("_streams.Stream", parts.map(|(name, part)| (name.to_owned(), part)))
}

/// The class of a type, if its values have just one.
fn record<'s>(scope: &'s Scope<'_>, ty: &Type) -> Option<&'s str> {
    let Type::Named { name } = ty else { return None };
    let kind = scope.def(name).map(|def| &def.kind);
    matches!(kind, Some(TypeKind::Record(_))).then(|| scope.class(name))
}

fn codec(scope: &Scope<'_>, ty: &Type) -> Expression {
    Expression::atom(match ty {
        Type::Named { name } => format!("codecs.{}", codecs::constant(scope.class(name))),
        _ => String::from("_rpc.RAW"),
    })
}

/// How extension messages are called and handled.
fn extensions(scope: &Scope<'_>) -> Vec<Vec<String>> {
    let Some(them) = &scope.protocol.extensions else { return Vec::new() };
    let mut constants = Vec::new();
    let mut add = |constant: &str, class: &str, handler: &str, coders: &[&Type]| {
        let names = ["", handler].map(|name| (None, Expression::atom(literal::string(name))));
        let codecs = coders.iter().map(|ty| (None, codec(scope, ty)));
        let value = Expression::Call(class.to_owned(), names.into_iter().chain(codecs).collect());
        constants.push(assignment(0, constant, Some(&Expression::atom("Final")), Some(&value)));
    };
    if let Some(params) = &them.request {
        let result = them.result.as_ref().unwrap_or(&Type::Any);
        add("_EXT_METHOD", "_rpc.RequestMethod", EXT_METHOD, &[params, result]);
    }
    if let Some(params) = &them.notification {
        add("_EXT_NOTIFICATION", "_rpc.NotificationMethod", EXT_NOTIFICATION, &[params]);
    }
    constants
}

/// The constant that says what a side handles.
fn describe(scope: &Scope<'_>, side: &Side, request: bool, notification: bool) -> Vec<String> {
    let mut rules: Arguments = Vec::new();
    if let Some((method, property)) = cancel(scope) {
        let pair = [method, property].map(|text| Expression::atom(literal::string(text)));
        rules.push((Some(String::from("cancel")), Expression::tuple(pair)));
    }
    if let Some(location) = others(scope, side).find_map(|other| other.capabilities.as_ref()) {
        let is_in_result = matches!(location.position, Position::Result);
        let parts = [
            ("method", literal::string(&location.method)),
            ("property", literal::string(&location.property.wire)),
            ("is_in_result", String::from(if is_in_result { "True" } else { "False" })),
        ];
        let parts = parts.map(|(name, part)| (String::from(name), Expression::atom(part)));
        let handshake = Expression::call("_rpc.Handshake", parts);
        rules.push((Some(String::from("handshake")), handshake));
    }
    let mut arguments: Arguments = vec![
        (None, Expression::atom(names::class(&side.name))),
        (None, Expression::atom(names::methods(side))),
        (None, Expression::Call(String::from("_rpc.Rules"), rules)),
    ];
    let mut add = |name: &str, value: &str| {
        arguments.push((Some(name.to_owned()), Expression::atom(value)));
    };
    if request {
        add(EXT_METHOD, "_EXT_METHOD");
    }
    if notification {
        add(EXT_NOTIFICATION, "_EXT_NOTIFICATION");
    }
    let value = Expression::Call(String::from("_rpc.Side"), arguments);
    let constant = names::side_constant(side);
    assignment(0, &constant, Some(&Expression::atom("Final")), Some(&value))
}

fn others<'s>(scope: &'s Scope<'_>, side: &'s Side) -> impl Iterator<Item = &'s Side> {
    let is_alone = scope.protocol.sides.len() == 1;
    scope.protocol.sides.iter().filter(move |other| is_alone || *other != side)
}

/// Of the protocol's own notifications, the one whose params are required to hold just one thing:
/// the id of the request to cancel.
fn cancel<'s>(scope: &'s Scope<'_>) -> Option<(&'s str, &'s str)> {
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
        let pair = (method.name.wire.as_str(), first.name.wire.as_str());
        second.is_none().then_some(pair)
    })
}
