//! Sides, and the methods they handle.

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident, literal};
use crate::diagnostic::Diagnostics;
use crate::ir::{Handler, Method, Name, Position, Protocol, Side, Type, TypeKind};
use crate::source::Place;

/// One end of a connection.
#[derive(Debug)]
pub(in crate::backend::rust) struct SideModel {
    /// The side's name in the schema.
    pub wire: String,
    /// The name of its trait.
    pub ident: String,
    pub methods: Vec<MethodModel>,
    /// The types of params and result of an extension request, and of the params of an extension
    /// notification.
    pub extensions: Option<(String, String, String)>,
    /// The sides that can be at the other end: all others, or the side itself if it is the only
    /// one. Each with the name of its accessor and of its type.
    pub peers: Vec<(String, String)>,
    /// The constant of the notification that cancels a request, and the literal of the property
    /// that holds the request's id.
    pub cancel: Option<(String, String)>,
    /// Where the peer says what it can do: whether in a result, the method's constant, the
    /// literal of the property.
    pub handshake: Option<(bool, String, String)>,
}

/// A method that a side handles.
#[derive(Debug)]
pub(in crate::backend::rust) struct MethodModel {
    pub wire: String,
    pub ident: String,
    /// The name of the constant that holds the wire name.
    pub constant: String,
    pub docs: Vec<String>,
    pub params: String,
    /// The type of the result, if it is a request.
    pub result: Option<String>,
    pub optional: bool,
    pub lifecycle: bool,
    /// The literals of the path of the capability that the method needs.
    pub capability: Vec<String>,
    /// How its result comes in pieces, if it does.
    pub stream: Option<StreamModel>,
    /// The literals of the properties with the token and with the piece, if it brings pieces of
    /// the results of other methods.
    pub pieces: Vec<(String, String)>,
}

/// How a result comes in pieces.
#[derive(Debug)]
pub(in crate::backend::rust) struct StreamModel {
    /// The function that calls it so.
    pub ident: String,
    /// The literals of the path of the token in the params.
    pub token: Vec<String>,
    /// The literal of the property of the result that the pieces make up.
    pub result: String,
}

/// The names of all methods, and of their constants.
pub(super) fn constants(
    protocol: &Protocol,
    diagnostics: &mut Diagnostics,
) -> Vec<(String, String)> {
    let mut names = Namespace::new("method constants in Rust");
    let mut seen = std::collections::HashSet::new();
    let mut constants = Vec::new();
    for method in &protocol.methods {
        let constant = ident::constant(&method.name);
        if seen.insert((constant.clone(), &method.name.wire)) {
            names.claim(&constant, &method.name.wire, &method.place, diagnostics);
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
            names.claim(&model.ident, &model.wire, &Place::default(), diagnostics);
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
            let ident = ident::value(&method.name);
            names.claim(&ident, &method.name.wire, &method.place, diagnostics);
            MethodModel {
                wire: method.name.wire.clone(),
                ident,
                constant: ident::constant(&method.name),
                docs: docs::comment(&method.docs, scope.options),
                params: scope.expression(method.params()),
                result: method.result().map(|result| scope.expression(result)),
                // A notification that nobody handles is ignored in any case.
                optional: method.optional || !method.is_request(),
                lifecycle: method.lifecycle,
                capability: capability(method),
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
        let expression = |ty: &Option<Type>| scope.expression(ty.as_ref().unwrap_or(&any));
        (
            expression(&extensions.request),
            expression(&extensions.result),
            expression(&extensions.notification),
        )
    });
    SideModel {
        wire: side.name.wire.clone(),
        ident: ident::trait_name(&side.name),
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
    let ident = method.name.snake() + "_streamed";
    names.claim(&ident, &method.name.wire, &method.place, diagnostics);
    Some(StreamModel {
        ident,
        token: stream.token.iter().map(|name| literal::string(name)).collect(),
        result: literal::string(&stream.result),
    })
}

fn pieces(protocol: &Protocol, method: &Method) -> Vec<(String, String)> {
    if method.is_request() {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    for stream in protocol.methods.iter().filter_map(|other| other.stream.as_ref()) {
        let pair = (literal::string(&stream.token_in), literal::string(&stream.delta));
        if stream.notification == method.name.wire && !pieces.contains(&pair) {
            pieces.push(pair);
        }
    }
    pieces
}

fn capability(method: &Method) -> Vec<String> {
    method.capability.iter().flatten().map(|name| literal::string(name)).collect()
}

fn others<'a>(protocol: &'a Protocol, side: &'a Side) -> impl Iterator<Item = &'a Side> {
    let is_alone = protocol.sides.len() == 1;
    protocol.sides.iter().filter(move |other| is_alone || *other != side)
}

fn peers(protocol: &Protocol, side: &Side) -> Vec<(String, String)> {
    others(protocol, side)
        .map(|side| (accessor(&side.name), ident::trait_name(&side.name) + "Peer"))
        .collect()
}

/// The function that gives a connection's other end. What connections can do themselves keeps its
/// name.
fn accessor(name: &Name) -> String {
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
    let plain = ident::value(name);
    if OWN.contains(&plain.as_str()) { plain + "_peer" } else { plain }
}

/// Of the protocol's own notifications, the one whose params are required to hold just one
/// thing: the id of the request to cancel.
fn cancel(scope: &Scope<'_>) -> Option<(String, String)> {
    let methods = scope.protocol.methods.iter();
    let mut own =
        methods.filter(|method| method.handler == Handler::Protocol && !method.is_request());
    own.find_map(|method| {
        let TypeKind::Record(record) = &scope.definition(method.params())?.1.kind else {
            return None;
        };
        let mut required = record.fields.iter().filter(|field| field.presence.is_required());
        let (first, second) = (required.next()?, required.next());
        let property = literal::string(&first.name.wire);
        second.is_none().then(|| (ident::constant(&method.name), property))
    })
}

fn handshake(protocol: &Protocol, side: &Side) -> Option<(bool, String, String)> {
    let location = others(protocol, side).find_map(|other| other.capabilities.as_ref())?;
    let mut methods = protocol.methods.iter();
    let method = methods.find(|method| method.name.wire == location.method)?;
    let is_result = location.position == Position::Result;
    let property = literal::string(&location.property.wire);
    Some((is_result, ident::constant(&method.name), property))
}
