//! The model of `src/connections.ts`: each side's connection, and how others call it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::calls;
use super::expression::Expr;
use super::jsdoc::Comment;
use super::names;
use super::objects;
use super::table;
use super::text::literal;
use super::types::Scope;
use crate::ir::{Extensions, Handler, Method, Position, Side, Type, TypeKind};

/// Everything in `src/connections.ts`. There is none for a protocol without sides.
#[derive(Debug, Serialize)]
pub(super) struct ConnectionsModel {
    /// The imports of types, interfaces and codecs.
    imports: Vec<String>,
    /// Whether some results come in pieces.
    streams: bool,
    /// How extension messages are called and handled: a statement.
    extensions: Option<String>,
    sides: Vec<SideModel>,
}

/// One end of a connection.
#[derive(Debug, Serialize)]
struct SideModel {
    /// Its interface.
    name: String,
    /// The object of its methods.
    methods: String,
    /// The statement that makes that object.
    table: String,
    /// The statements that say where the pieces of results come from.
    streams: Vec<String>,
    /// The function that says what it handles.
    side: String,
    rules: RulesModel,
    ext_method: bool,
    ext_notification: bool,
    peer: String,
    context: String,
    connection: String,
    /// What its peers call, each with its comment.
    calls: Vec<Documented>,
    /// Who may be at the other end.
    peers: Vec<PeerModel>,
    /// The type of who is there, if it can only be one.
    base: Option<String>,
    /// The parameters and the statement that begin the constructor.
    to_handler: String,
    make: String,
}

/// A member of a class.
#[derive(Debug, Serialize)]
pub(super) struct Documented {
    pub(super) doc: Vec<String>,
    pub(super) statement: String,
}

/// Who may be at the other end.
#[derive(Debug, Serialize)]
struct PeerModel {
    accessor: String,
    name: String,
}

/// What the protocol says about a side's connection, as literals.
#[derive(Debug, Serialize)]
struct RulesModel {
    cancel: Option<(String, String)>,
    handshake: Option<(String, String, String)>,
}

impl ConnectionsModel {
    /// Whether some results come in pieces.
    pub(super) fn has_streams(&self) -> bool {
        self.streams
    }
}

impl Scope<'_> {
    /// The model of the connections, if there are any.
    pub(super) fn connections(self) -> Option<ConnectionsModel> {
        if self.protocol.sides.is_empty() {
            return None;
        }
        let mut used = Used::default();
        let extensions = self.protocol.extensions.as_ref();
        let extensions =
            extensions.map(|extensions| table::extensions(self, extensions, &mut used));
        let sides = self.protocol.sides.iter();
        let sides = sides.map(|side| self.side(side, &mut used)).collect();
        let streams = self.protocol.methods.iter().any(|method| method.stream.is_some());
        Some(ConnectionsModel { imports: used.imports(self, streams), streams, extensions, sides })
    }

    fn side(self, side: &Side, used: &mut Used) -> SideModel {
        let name = names::interface(side);
        let methods = names::side_methods(side);
        let peer = names::peer(side);
        let context = names::context(side);
        let connection = names::connection(side);
        let handled: Vec<&Method> = self.protocol.handled_by(&side.name.wire).collect();
        let mut calls = Vec::with_capacity(handled.len());
        for method in &handled {
            let identifier = names::peer_method(method);
            calls.push(self.call(method, &identifier, &methods, used));
            calls.extend(self.streamed_call(method, &identifier, &methods, used));
        }
        let streams = handled.iter().filter_map(|method| self.stream(method, used)).collect();
        let extensions = self.protocol.extensions.as_ref();
        calls.extend(extensions.into_iter().flat_map(|them| self.extension_calls(them, used)));
        let peers: Vec<PeerModel> = self.peers(side).collect();
        let base = match peers.as_slice() {
            [only] => Some(only.name.clone()),
            _ => None,
        };
        let side_function = names::side_function(side);
        SideModel {
            table: table::methods(self, &methods, &handled, used),
            streams,
            rules: RulesModel { cancel: self.cancel(), handshake: self.handshake(side) },
            ext_method: extensions.is_some_and(|them| them.request.is_some()),
            ext_notification: extensions.is_some_and(|them| them.notification.is_some()),
            to_handler: calls::handler_parameter(&name, &connection),
            make: calls::make_connection(&side_function, &context),
            name,
            methods,
            side: side_function,
            peer,
            context,
            connection,
            calls,
            peers,
            base,
        }
    }

    fn call(self, method: &Method, name: &str, table: &str, used: &mut Used) -> Documented {
        let wire = &method.name.wire;
        let verb = if method.is_request() { "Calls" } else { "Sends" };
        let mut comment =
            Comment::new(&method.docs, self.docs).paragraph(&format!("{verb} `{wire}`."));
        if let Some(capability) = &method.capability {
            let path = capability.join(".");
            let needs = format!("Fails if the other end lacks the capability `{path}`.");
            comment = comment.paragraph(&needs);
        }
        let params = ("params", used.expression(self, method.params()));
        let result = method.result().map(|result| used.expression(self, result));
        let target = format!("{table}.{}", names::method(method));
        Documented {
            doc: comment.block(2),
            statement: calls::method(name, &[params], result, &target),
        }
    }

    fn extension_calls(self, extensions: &Extensions, used: &mut Used) -> Vec<Documented> {
        let mut calls = Vec::new();
        let mut add = |name: &str, what: &str, params: &Type, result: Option<&Type>| {
            let method = ("method", Expr::Keyword("string"));
            let params = ("params", self.extension_type(params, used));
            let result = result.map(|result| self.extension_type(result, used));
            let target = format!("rpc.named({name}, method)");
            let doc = format!("{what} whose method the schema does not name. It begins with `_`.");
            calls.push(Documented {
                doc: Comment::of(doc).block(2),
                statement: calls::method(name, &[method, params], result, &target),
            });
        };
        if let Some(params) = &extensions.request {
            let result = extensions.result.as_ref().unwrap_or(&Type::Any);
            add(table::EXT_METHOD, "Sends a request", params, Some(result));
        }
        if let Some(params) = &extensions.notification {
            add(table::EXT_NOTIFICATION, "Sends a notification", params, None);
        }
        calls
    }

    /// Params or result of an extension: an object where the schema allows anything.
    fn extension_type(self, ty: &Type, used: &mut Used) -> Expr {
        if *self.protocol.resolve(ty) == Type::Any {
            Expr::Apply("Record", vec![Expr::Keyword("string"), Expr::UNKNOWN])
        } else {
            used.expression(self, ty)
        }
    }

    fn others<'b>(self, side: &'b Side) -> impl Iterator<Item = &'b Side>
    where
        Self: 'b,
    {
        let is_alone = self.protocol.sides.len() == 1;
        self.protocol.sides.iter().filter(move |other| is_alone || *other != side)
    }

    fn peers<'b>(self, side: &'b Side) -> impl Iterator<Item = PeerModel>
    where
        Self: 'b,
    {
        self.others(side)
            .map(|side| PeerModel { accessor: names::accessor(side), name: names::peer(side) })
    }

    /// Of the protocol's own notifications, the one whose params are required to hold just one
    /// thing: the id of the request to cancel.
    fn cancel(self) -> Option<(String, String)> {
        let mut own = self
            .protocol
            .methods
            .iter()
            .filter(|method| method.handler == Handler::Protocol && !method.is_request());
        own.find_map(|method| {
            let Type::Named { name } = self.protocol.resolve(method.params()) else { return None };
            let TypeKind::Record(record) = &self.protocol.type_def(name)?.kind else { return None };
            let mut required = record.fields.iter().filter(|field| field.presence.is_required());
            let (first, second) = (required.next()?, required.next());
            let pair = || (literal(&method.name.wire), literal(&first.name.wire));
            second.is_none().then(pair)
        })
    }

    fn handshake(self, side: &Side) -> Option<(String, String, String)> {
        let location = self.others(side).find_map(|other| other.capabilities.as_ref())?;
        let position = match location.position {
            Position::Params => "\"params\"",
            Position::Result => "\"result\"",
        };
        let property = literal(&location.property.wire);
        Some((literal(&location.method), position.to_owned(), property))
    }
}

/// What the connections refer to.
#[derive(Debug, Default)]
pub(super) struct Used {
    types: BTreeSet<String>,
    pub(super) codecs: BTreeSet<String>,
}

impl Used {
    /// A type, and a note of what has to be imported for it.
    pub(super) fn expression(&mut self, scope: Scope<'_>, ty: &Type) -> Expr {
        scope.note(ty, &mut self.types);
        scope.expression(ty)
    }

    fn imports(&self, scope: Scope<'_>, streams: bool) -> Vec<String> {
        let interfaces: Vec<String> = scope.protocol.sides.iter().map(names::interface).collect();
        let interfaces: BTreeSet<&String> = interfaces.iter().collect();
        let import = |keyword: &str, names: Vec<&str>, module: &str| {
            (!names.is_empty()).then(|| objects::named(keyword, &names, module))
        };
        let codecs = self.codecs.iter().map(String::as_str).collect();
        let interfaces = interfaces.into_iter().map(String::as_str).collect();
        let types = self.types.iter().map(String::as_str).collect();
        [
            import("import", codecs, "./codecs.js"),
            Some(String::from("import * as rpc from \"./connection.js\";")),
            import("import type", interfaces, "./interfaces.js"),
            streams.then(|| String::from("import * as streams from \"./streams.js\";")),
            import("import type", types, "./types.js"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
