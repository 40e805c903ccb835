//! Handlers: the interface of each side, and the wire names of its methods.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde::Serialize;

use crate::backend::names::Namespace;
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{literal, object_key};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::diagnostic::Diagnostics;
use crate::ir::{Handler, Method, Name, Presence, Side, Type, TypeKind};
use crate::source::Place;

/// The interfaces of all sides.
#[derive(Debug, Serialize)]
pub(super) struct HandlersModel {
    pub(super) imports: TypeImports,
    /// The contexts of all sides, sorted.
    pub(super) contexts: Vec<String>,
    /// True if a handler may answer nothing, which a common lint rule has to be told about.
    pub(super) allows_void: bool,
    pub(super) interfaces: Vec<InterfaceModel>,
}

/// The interface of a side's handler.
#[derive(Debug, Serialize)]
pub(super) struct InterfaceModel {
    pub(super) name: String,
    pub(super) context: String,
    /// In the schema's order.
    pub(super) methods: Vec<HandlerModel>,
    /// The handler of requests that the schema does not name.
    pub(super) ext_method: Option<MethodTypes>,
    pub(super) ext_notification: Option<MethodTypes>,
}

/// A method of an interface.
#[derive(Debug, Serialize)]
pub(super) struct HandlerModel {
    #[serde(skip)]
    pub(super) wire: String,
    pub(super) doc: Vec<String>,
    pub(super) name: String,
    pub(super) is_optional: bool,
    /// True if nothing is an answer, too.
    pub(super) allows_void: bool,
    pub(super) types: MethodTypes,
}

/// The types of a method's params and result.
#[derive(Debug, Serialize)]
pub(super) struct MethodTypes {
    pub(super) params: Expr,
    pub(super) result: Option<Expr>,
}

impl HandlersModel {
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Diagnostics) -> Self {
        let mut imports = TypeImports::default();
        let sides = &scope.protocol.sides;
        let interfaces = sides
            .iter()
            .map(|side| InterfaceModel::new(scope, side, &mut imports, diagnostics))
            .collect();
        let mut contexts: Vec<String> = sides.iter().map(names::context).collect();
        contexts.sort();
        let mut results = scope.protocol.methods.iter().filter_map(Method::result);
        let allows_void = results.any(|result| may_be_empty(scope, result));
        Self { imports, contexts, allows_void, interfaces }
    }
}

impl InterfaceModel {
    fn new(
        scope: Scope<'_>,
        side: &Side,
        imports: &mut TypeImports,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let name = names::interface(side);
        let mut members = Namespace::new(format!("methods of `{name}` in TypeScript"));
        let mut methods = Vec::new();
        for method in scope.protocol.handled_by(&side.name.wire) {
            let method_model = HandlerModel::new(scope, method, imports);
            members.claim(&method_model.name, &method.name.wire, &method.place, diagnostics);
            methods.push(method_model);
        }
        let extensions = scope.protocol.extensions.as_ref();
        let ext_method = extensions.and_then(|them| {
            let params = imports.extension(scope, them.request.as_ref()?);
            let result = imports.expression(scope, them.result.as_ref().unwrap_or(&Type::Any));
            Some(MethodTypes { params, result: Some(result) })
        });
        let ext_notification = extensions.and_then(|them| {
            let params = imports.extension(scope, them.notification.as_ref()?);
            Some(MethodTypes { params, result: None })
        });
        for (name, is_there) in [
            (names::EXT_METHOD, ext_method.is_some()),
            (names::EXT_NOTIFICATION, ext_notification.is_some()),
        ] {
            if is_there {
                members.claim(name, name, &Place::default(), diagnostics);
            }
        }
        let context = names::context(side);
        Self { name, context, methods, ext_method, ext_notification }
    }
}

impl HandlerModel {
    fn new(scope: Scope<'_>, method: &Method, imports: &mut TypeImports) -> Self {
        let kind = if method.is_request() { "request" } else { "notification" };
        let wire = &method.name.wire;
        let mut comment = Comment::new(&method.docs, scope.docs)
            .paragraph(&format!("Handles the {kind} `{wire}`."));
        if let Some(capability) = &method.capability {
            let path = capability.join(".");
            comment = comment.paragraph(&format!("Called only with the capability `{path}`."));
        }
        Self {
            wire: wire.clone(),
            doc: comment.block(2),
            name: names::method(method),
            is_optional: method.optional,
            allows_void: method.result().is_some_and(|result| may_be_empty(scope, result)),
            types: MethodTypes::new(scope, method, imports),
        }
    }
}

impl MethodTypes {
    pub(super) fn new(scope: Scope<'_>, method: &Method, imports: &mut TypeImports) -> Self {
        Self {
            params: imports.expression(scope, method.params()),
            result: method.result().map(|result| imports.expression(scope, result)),
        }
    }
}

/// Tells whether a result need not say anything, so that a handler may return nothing.
pub(super) fn may_be_empty(scope: Scope<'_>, result: &Type) -> bool {
    match scope.protocol.resolve(result) {
        Type::Map(_) | Type::Null => true,
        Type::Named { name } => match scope.protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => record.fields.iter().all(|field| {
                matches!(field.presence, Presence::Optional | Presence::OptionalNullable)
            }),
            _ => false,
        },
        _ => false,
    }
}

/// The methods' wire names.
#[derive(Debug, Serialize)]
pub(super) struct MethodsModel {
    /// Constants for each side, and for the protocol's own methods if it has any.
    pub(super) objects: Vec<MethodConstants>,
    /// The literal of the protocol's version.
    pub(super) version: Option<String>,
}

/// The wire names of what a side handles.
#[derive(Debug, Serialize)]
pub(super) struct MethodConstants {
    pub(super) name: String,
    /// The interface of the side. None for the protocol's own methods.
    pub(super) interface: Option<String>,
    pub(super) methods: Vec<MethodConstant>,
}

#[derive(Debug, Serialize)]
pub(super) struct MethodConstant {
    #[serde(skip)]
    pub(super) of: String,
    pub(super) key: String,
    pub(super) wire: String,
}

impl MethodsModel {
    pub(super) fn new(scope: Scope<'_>) -> Self {
        let protocol = scope.protocol;
        let mut objects = Vec::new();
        for side in &protocol.sides {
            let methods = protocol.handled_by(&side.name.wire);
            objects.push(MethodConstants::new(&side.name, Some(names::interface(side)), methods));
        }
        let is_own = |method: &&Method| method.handler == Handler::Protocol;
        let mut own = protocol.methods.iter().filter(is_own).peekable();
        if own.peek().is_some() {
            objects.push(MethodConstants::new(&Name::new("protocol"), None, own));
        }
        let version = protocol.version.as_ref().map(|version| match version.as_str() {
            Some(text) => literal(text),
            None => version.to_string(),
        });
        Self { objects, version }
    }
}

impl MethodConstants {
    fn new<'a>(
        owner: &Name,
        interface: Option<String>,
        methods: impl Iterator<Item = &'a Method>,
    ) -> Self {
        // A request and a notification can share a wire name, which then is one constant.
        let wires: IndexSet<&str> = methods.map(|method| method.name.wire.as_str()).collect();
        let mut taken: HashMap<String, usize> = HashMap::new();
        for wire in &wires {
            *taken.entry(names::method_constant(wire)).or_default() += 1;
        }
        let constants = wires.iter().map(|wire| {
            let key = names::method_constant(wire);
            // Only the wire names themselves can differ, not what is made of them: no name chosen
            // for code could keep them apart.
            let key = if taken.get(&key) == Some(&1) { key } else { object_key(wire) };
            MethodConstant { of: (*wire).to_owned(), key, wire: literal(wire) }
        });
        let methods = constants.collect();
        Self { name: names::methods_constant(owner), interface, methods }
    }
}
