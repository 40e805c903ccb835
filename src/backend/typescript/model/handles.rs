//! Classes of what requests open: they know its id, and call what takes it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::records::{self, FieldModel};
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{key, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{
    Field, Findings, Handle, Handler, Method, Namespace, Protocol, Things, Type, TypeKind,
};

/// All handles.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct HandlesModel {
    pub(super) handles: Vec<HandleModel>,
    imports: TypeImports,
    /// The classes by which they call, sorted.
    peers: BTreeSet<String>,
    /// True if one of them can be given back.
    has_release: bool,
    /// True if one of their calls is answered.
    has_requests: bool,
}

/// The class of what a request opens.
#[derive(Debug, Serialize)]
pub(super) struct HandleModel {
    /// The wire name of the request.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) name: String,
    doc: Vec<String>,
    /// The method that opens it, and a variable that holds it.
    opener: String,
    variable: String,
    /// The class, or the classes, by which it calls.
    peer: String,
    params: Expr,
    pub(super) result: Expr,
    /// The properties that the result has.
    pub(super) fields: Vec<FieldModel>,
    is_indexed: bool,
    /// The properties of the params that it keeps, and the one of the result: as keys, and as
    /// literals.
    with: Vec<KeptModel>,
    id: KeptModel,
    /// The type of the id, if it can be read as `id`.
    pub(super) short_id: Option<ShortIdModel>,
    pub(super) methods: Vec<HandleMethodModel>,
    pub(super) release: Option<HandleMethodModel>,
}

/// The id under the name that every handle has for it.
#[derive(Debug, Serialize)]
pub(super) struct ShortIdModel {
    doc: Vec<String>,
    #[serde(rename = "type")]
    pub(super) ty: Expr,
}

/// A property that is kept.
#[derive(Clone, Debug, Serialize)]
struct KeptModel {
    key: String,
    literal: String,
    /// True if it is no identifier.
    is_quoted: bool,
}

/// A method of such a class.
#[derive(Debug, Serialize)]
pub(super) struct HandleMethodModel {
    /// The wire name of what it calls.
    #[serde(skip)]
    pub(super) of: String,
    doc: Vec<String>,
    pub(super) name: String,
    /// The method of the peer.
    call: String,
    /// The type of the params that are left to give, if there are any.
    pub(super) rest: Option<String>,
    /// True if some of them have to be given.
    pub(super) is_required: bool,
    /// The type of the result, if it is answered.
    pub(super) result: Option<Expr>,
}

impl HandlesModel {
    /// The handles of the protocol, if it has any.
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Option<Self> {
        let mut imports = TypeImports::default();
        let mut peers = BTreeSet::new();
        let mut handles = Vec::new();
        for opener in &scope.protocol.methods {
            let (Some(handle), Some(result)) = (&opener.handle, opener.result()) else { continue };
            let classes = peers_of(scope.protocol, opener);
            if classes.is_empty() {
                continue;
            }
            let peer = classes.join(" | ");
            peers.extend(classes);
            let mut builder = Builder { scope, imports: &mut imports, opener, handle };
            handles.push(builder.handle(peer, result, diagnostics));
        }
        let calls = || handles.iter().flat_map(HandleModel::calls);
        let has_requests = calls().any(|call| call.result.is_some());
        (!handles.is_empty()).then(|| Self {
            has_release: handles.iter().any(|handle| handle.release.is_some()),
            has_requests,
            imports,
            peers,
            handles,
        })
    }
}

impl HandleModel {
    /// All that it calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = &HandleMethodModel> {
        self.methods.iter().chain(&self.release)
    }
}

/// The classes by which a method is called.
fn peers_of(protocol: &Protocol, method: &Method) -> Vec<String> {
    let handles = |name: &str| match &method.handler {
        Handler::Side { name: handler } => handler == name,
        Handler::Either => true,
        Handler::Protocol => false,
    };
    let sides = protocol.sides.iter().filter(|side| handles(&side.name.wire));
    sides.map(|side| names::side(side).peer).collect()
}

/// Makes the model of a handle.
struct Builder<'a, 'b> {
    scope: Scope<'a>,
    imports: &'b mut TypeImports,
    opener: &'a Method,
    handle: &'a Handle,
}

impl<'a> Builder<'a, '_> {
    fn handle(
        &mut self,
        peer: String,
        result: &'a Type,
        diagnostics: &mut Findings,
    ) -> HandleModel {
        let (scope, handle, opener) = (self.scope, self.handle, self.opener);
        let name = names::handle(handle);
        let mut members =
            Namespace::new(Things::Functions, format!("methods of `{name}` in TypeScript"));
        let mut methods = Vec::new();
        for method in &handle.methods {
            let name = names::handle_method(&method.name, &self.taken(result));
            members.claim(&name, &method.name.wire, &opener.location, diagnostics);
            methods.extend(self.method(name, &method.method));
        }
        let release = handle.release.as_ref().and_then(|wire| {
            let mut name = String::from(names::RELEASE);
            while methods.iter().any(|method| method.name == name)
                || self.taken(result).contains(&name.as_str())
            {
                name.push('_');
            }
            self.method(name, wire)
        });
        let fields = scope.protocol.fields(result);
        for field in fields {
            self.imports.expression(scope, &field.ty);
        }
        let has_short_id = handle.has_short_id(fields.iter().map(|field| &field.name));
        let mut held = fields.iter().filter(|_| has_short_id);
        let held = held.find(|field| field.name.wire == handle.id.wire);
        let comment = Comment::about(format!("What `{}` opens.", opener.name.wire)).paragraph(
            "It has what the answer has, and calls what takes its id, which it fills in.",
        );
        HandleModel {
            of: opener.name.wire.clone(),
            doc: comment.status(&opener.docs).block(0),
            opener: names::peer_method(opener),
            variable: names::parameter(&handle.name),
            peer,
            params: self.imports.expression(scope, opener.params()),
            result: self.imports.expression(scope, result),
            fields: records::fields(scope, fields),
            is_indexed: is_indexed(scope, result),
            with: handle.with.iter().map(|name| KeptModel::new(&name.wire)).collect(),
            id: KeptModel::new(&handle.id.wire),
            short_id: held.map(|field| ShortIdModel {
                doc: Comment::about(format!("Its `{}`.", field.name.wire)).block(2),
                ty: scope.field_type(field),
            }),
            methods,
            release,
            name,
        }
    }

    /// The names of the result's properties, which methods cannot have.
    fn taken(&self, result: &'a Type) -> Vec<&'a str> {
        let fields = self.scope.protocol.fields(result).iter();
        fields.map(|field| field.name.wire.as_str()).collect()
    }

    fn method(&mut self, name: String, wire: &str) -> Option<HandleMethodModel> {
        let scope = self.scope;
        let method = scope.protocol.method_of(&self.opener.handler, wire)?;
        let handle = self.handle;
        let known = [&handle.id].into_iter().chain(&handle.with);
        let known: Vec<&str> = known.map(|name| name.wire.as_str()).collect();
        let is_left = |field: &&Field| !known.contains(&field.name.wire.as_str());
        let left: Vec<&Field> =
            scope.protocol.fields(method.params()).iter().filter(is_left).collect();
        let without: Vec<String> = known.iter().map(|name| literal(name)).collect();
        let rest = (!left.is_empty()).then(|| {
            let params = self.imports.expression(scope, method.params());
            format!("Omit<{params}, {}>", without.join(" | "))
        });
        let verb = if method.is_request() { "Calls" } else { "Sends" };
        let comment =
            Comment::new(&method.docs, scope.docs).paragraph(&format!("{verb} `{wire}`."));
        let result = method.result();
        Some(HandleMethodModel {
            of: wire.to_owned(),
            doc: comment.block(2),
            name,
            call: names::peer_method(method),
            rest,
            is_required: left.iter().any(|field| field.presence.is_required()),
            result: result.map(|result| self.imports.expression(scope, result)),
        })
    }
}

impl KeptModel {
    fn new(wire: &str) -> Self {
        let key = key(wire);
        Self { is_quoted: key != wire, key, literal: literal(wire) }
    }
}

/// Tells whether the type of a result has any other property, too.
fn is_indexed(scope: Scope<'_>, result: &Type) -> bool {
    let def = scope.protocol.resolved(result).def;
    let Some(TypeKind::Record(record)) = def.map(|def| &def.kind) else { return false };
    records::is_indexed(scope, record)
}
