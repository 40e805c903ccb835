//! Sides, and the methods they handle.

use std::collections::HashSet;

use proc_macro2::Ident;

use super::handle::{self, HandleModel};
use super::helper::Helpers;
use super::method::MethodModel;
use super::progress::{self, ProgressModel};
use super::scope::Scope;
use crate::backend::names::check_function;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names::{self, SideNames};
use crate::backend::rust::types::RustType;
use crate::ir::{ConnectionRules, Findings, Method, Name, Namespace, Protocol, Side, Things, Type};
use crate::source::Location;

/// A side of a connection.
#[derive(Debug)]
pub(crate) struct SideModel<'a> {
    /// The side's name in the schema.
    pub wire: &'a str,
    pub names: SideNames,
    pub docs: DocComment,
    pub methods: Vec<MethodModel<'a>>,
    pub extensions: Option<ExtensionsModel>,
    /// The sides that can be at the other end: for each, the function of a connection that gives
    /// it, and the type by which it is called.
    pub peers: Vec<(Ident, Ident)>,
    /// The type by which the other end is called, where it is always the same side.
    pub counterpart: Option<Ident>,
    /// The names of the other end, where it is always the same side.
    pub far: Option<SideNames>,
    /// The environment variable that asks for a log.
    pub log_variable: String,
    /// Whether it can be a server.
    pub is_server: bool,
    /// Whether it can be a client: its other end can be a server.
    pub is_client: bool,
    /// The rules of its connections.
    pub rules: ConnectionRules,
    /// The handles that peers open at this side.
    pub handles: Vec<HandleModel>,
    /// The items that peers tell this side of from start to end.
    pub progresses: Vec<ProgressModel>,
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
    pub request_docs: DocComment,
    pub notification_docs: DocComment,
}

/// The names of all methods, and of their constants.
pub(super) fn constants<'a>(
    protocol: &'a Protocol,
    diagnostics: &mut Findings,
) -> Vec<(Ident, &'a str)> {
    let mut names = Namespace::new(Things::Methods, "method constants in Rust");
    let mut seen = HashSet::new();
    let mut constants = Vec::new();
    for method in &protocol.methods {
        let constant = (names::constant(&method.name), method.name.wire.as_str());
        if seen.insert(constant.clone()) {
            names.claim(&constant.0.to_string(), constant.1, &method.location, diagnostics);
            constants.push(constant);
        }
    }
    constants
}

/// Decides all sides.
pub(super) fn sides<'a>(scope: &Scope<'a>, diagnostics: &mut Findings) -> Vec<SideModel<'a>> {
    let mut names = Namespace::new(Things::Sides, "traits in Rust");
    let mut sides = Vec::new();
    for side in &scope.protocol.sides {
        let model = lower(scope, side, diagnostics);
        let handler = model.names.handler.to_string();
        names.claim(&handler, model.wire, &Location::default(), diagnostics);
        sides.push(model);
    }
    sides
}

fn lower<'a>(scope: &Scope<'a>, side: &'a Side, diagnostics: &mut Findings) -> SideModel<'a> {
    let protocol = scope.protocol;
    let mut names =
        Namespace::new(Things::Functions, format!("methods of `{}` in Rust", side.name.wire));
    let methods = protocol.handled_by(&side.name.wire).map(|method| {
        let function = method.function();
        let ident = names::function(function);
        let spelled = (function.snake(), ident.to_string());
        check_function(method, (&spelled.0, &spelled.1), "Rust", diagnostics);
        let streamed = method.stream.as_ref().map(|_| names::suffixed(function, "_streamed"));
        for ident in [Some(&ident), streamed.as_ref()].into_iter().flatten() {
            names.claim(&ident.to_string(), &method.name.wire, &method.location, diagnostics);
        }
        MethodModel {
            method,
            ident,
            constant: names::constant(&method.name),
            docs: DocComment::new(&method.docs, scope.options),
            params: scope.rust_type(method.params()),
            result: method.result().map(|result| scope.rust_type(result)),
            streamed,
            pieces: pieces(protocol, method),
            helpers: Helpers::new(scope, method),
        }
    });
    let methods: Vec<MethodModel<'_>> = methods.collect();
    let progresses = progress::progresses(scope, side, &methods);
    // The names of these are chosen: what the package has by them is not renamed.
    let nowhere = Location::default();
    for progress in &progresses {
        let function = progress.function.to_string();
        names.claim(&function, &progress.item_name, &nowhere, diagnostics);
    }
    for method in &methods {
        for function in method.helpers.functions() {
            names.claim(&function.to_string(), &method.method.name.wire, &nowhere, diagnostics);
        }
    }
    for (ident, what) in UNNAMED.iter().skip(if protocol.extensions.is_some() { 0 } else { 2 }) {
        names.claim(ident, what, &Location::default(), diagnostics);
    }
    let extensions = protocol.extensions.as_ref().map(|extensions| {
        let rust_type = |ty: &Option<Type>| scope.rust_type(ty.as_ref().unwrap_or(&Type::Any));
        ExtensionsModel {
            request: rust_type(&extensions.request),
            result: rust_type(&extensions.result),
            notification: rust_type(&extensions.notification),
            request_docs: DocComment::new(&side.extensions.request, scope.options),
            notification_docs: DocComment::new(&side.extensions.notification, scope.options),
        }
    });
    let peers = protocol.other_ends(side);
    let far = protocol.far_end(side);
    let far = far.map(|it| SideNames::new(&it.name));
    SideModel {
        wire: &side.name.wire,
        names: SideNames::new(&side.name),
        docs: DocComment::new(&side.docs, scope.options),
        handles: handle::handles(scope, side, &methods),
        progresses,
        methods,
        extensions,
        peers: peers.map(|peer| (accessor(&peer.name), SideNames::new(&peer.name).peer)).collect(),
        is_server: protocol.can_serve(side),
        is_client: protocol.other_ends(side).any(|other| protocol.can_serve(other)),
        counterpart: far.as_ref().map(|names| names.peer.clone()),
        far,
        log_variable: Name::new(&scope.options.package).screaming() + "_LOG",
        rules: protocol.connection_rules(side),
    }
}

fn pieces<'a>(protocol: &'a Protocol, method: &Method) -> Vec<(&'a str, &'a str)> {
    let mut pieces = Vec::new();
    for stream in protocol.methods.iter().filter_map(|other| other.stream.as_ref()) {
        let pair = (stream.token_in.as_str(), stream.delta.as_str());
        let is_brought = !method.is_request() && stream.notification == method.name.wire;
        if is_brought && !pieces.contains(&pair) {
            pieces.push(pair);
        }
    }
    pieces
}

/// The functions of handlers for what the protocol does not name, extensions first.
const UNNAMED: [(&str, &str); 4] = [
    ("ext_method", "extension methods"),
    ("ext_notification", "extension notifications"),
    ("unknown_method", "unknown methods"),
    ("unknown_notification", "unknown notifications"),
];

/// The names of functions that every connection has.
const OWN: &str = "close closed connect new over_messages pair process protocol_version reconnect serve spawn \
                   spawn_process spawn_with_options start stdio stdio_with_options with_options";

/// The function that gives a connection's other end. What connections can do themselves keeps its
/// name.
fn accessor(name: &Name) -> Ident {
    let plain = names::value(name);
    if OWN.split(' ').any(|own| plain == own) { names::suffixed(name, "_peer") } else { plain }
}
