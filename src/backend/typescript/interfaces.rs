//! The models of `src/interfaces.ts` and `src/methods.ts`: what each side handles.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;
use serde::Serialize;

use super::expression::Expr;
use super::jsdoc::Comment;
use super::names::{self, MAYBE_PROMISE};
use super::objects::{self, Entry};
use super::text::{literal, object_key};
use super::types::Scope;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Extensions, Handler, Method, Name, Presence, Side, Type, TypeKind};
use crate::source::Place;

/// Everything in `src/interfaces.ts`.
#[derive(Debug, Serialize)]
pub(super) struct InterfacesModel {
    /// The imports of the contexts and types that the interfaces refer to.
    pub(super) imports: Vec<String>,
    /// Whether a handler may answer nothing, which a common lint rule has to be told about.
    pub(super) allows_void: bool,
    /// One for each side.
    pub(super) interfaces: Vec<Interface>,
}

/// What a side handles.
#[derive(Debug, Serialize)]
pub(super) struct Interface {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// Its name.
    pub(super) name: String,
    /// Its methods, in the schema's order, and then those for extensions.
    pub(super) methods: Vec<Signature>,
}

/// A method of an interface.
#[derive(Debug, Serialize)]
pub(super) struct Signature {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `name(params: P): R;`
    pub(super) statement: String,
}

/// Everything in `src/methods.ts`.
#[derive(Debug, Serialize)]
pub(super) struct MethodsModel {
    /// One for each side, and one for the protocol's own methods if it has any.
    pub(super) objects: Vec<MethodConstants>,
    /// The literal of the protocol's version.
    pub(super) version: Option<String>,
}

/// The wire names of what a side handles.
#[derive(Debug, Serialize)]
pub(super) struct MethodConstants {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `export const NAME = { … } as const;`
    pub(super) statement: String,
}

impl Scope<'_> {
    /// The model of the interfaces.
    pub(super) fn interfaces(self, diagnostics: &mut Diagnostics) -> InterfacesModel {
        let mut used = BTreeSet::new();
        let sides = self.protocol.sides.iter();
        let interfaces = sides.map(|side| self.interface(side, &mut used, diagnostics)).collect();
        let results = self.protocol.methods.iter().filter_map(Method::result);
        let allows_void = results.into_iter().any(|result| self.may_be_empty(result));
        let used: Vec<&str> = used.iter().map(String::as_str).collect();
        let mut contexts: Vec<String> = self.protocol.sides.iter().map(names::context).collect();
        contexts.sort();
        let contexts: Vec<&str> = contexts.iter().map(String::as_str).collect();
        let import = |names: &[&str], module: &str| {
            (!names.is_empty()).then(|| objects::named("import type", names, module))
        };
        let imports = [import(&contexts, "./connections.js"), import(&used, "./types.js")];
        InterfacesModel {
            imports: imports.into_iter().flatten().collect(),
            allows_void,
            interfaces,
        }
    }

    fn interface(
        self,
        side: &Side,
        used: &mut BTreeSet<String>,
        diagnostics: &mut Diagnostics,
    ) -> Interface {
        let name = names::interface(side);
        let mut members = Namespace::new(format!("methods of `{name}` in TypeScript"));
        let context = Expr::Name(names::context(side));
        let mut methods = Vec::new();
        for method in self.protocol.handled_by(&side.name.wire) {
            let identifier = names::method(method);
            members.claim(&identifier, &method.name.wire, &method.place, diagnostics);
            methods.push(self.signature(method, &identifier, &context, used));
        }
        if let Some(extensions) = &self.protocol.extensions {
            for (identifier, signature) in self.extension_signatures(extensions, &context, used) {
                members.claim(identifier, identifier, &Place::default(), diagnostics);
                methods.push(signature);
            }
        }
        let doc = Comment::of(format!("What a handler of the `{name}` side answers.")).block(0);
        Interface { doc, name, methods }
    }

    fn signature(
        self,
        method: &Method,
        identifier: &str,
        context: &Expr,
        used: &mut BTreeSet<String>,
    ) -> Signature {
        let kind = if method.is_request() { "request" } else { "notification" };
        let wire = &method.name.wire;
        let mut comment = Comment::new(&method.docs, self.docs)
            .paragraph(&format!("Handles the {kind} `{wire}`."));
        if let Some(capability) = &method.capability {
            let path = capability.join(".");
            comment = comment.paragraph(&format!("Called only with the capability `{path}`."));
        }
        let mark = if method.optional { "?" } else { "" };
        Signature {
            doc: comment.block(2),
            statement: Expr::method(
                &format!("{identifier}{mark}"),
                &[("params", self.used(method.params(), used)), ("context", context.clone())],
                &maybe_promise(method.result().map(|result| {
                    let ty = self.used(result, used);
                    if self.may_be_empty(result) { or_void(ty) } else { ty }
                })),
            ),
        }
    }

    fn extension_signatures(
        self,
        extensions: &Extensions,
        context: &Expr,
        used: &mut BTreeSet<String>,
    ) -> Vec<(&'static str, Signature)> {
        let mut signatures = Vec::new();
        let mut add = |identifier, what: &str, params: &Type, result: Option<&Type>| {
            let optional = format!("{identifier}?");
            let method = ("method", Expr::Keyword("string"));
            let params = ("params", self.extension_params(params, used));
            let result = maybe_promise(result.map(|result| self.used(result, used)));
            let doc = Comment::of(format!("Handles {what} whose method the schema does not name."));
            let context = ("context", context.clone());
            let statement = Expr::method(&optional, &[method, params, context], &result);
            signatures.push((identifier, Signature { doc: doc.block(2), statement }));
        };
        if let Some(params) = &extensions.request {
            let result = extensions.result.as_ref().unwrap_or(&Type::Any);
            add("extMethod", "a request", params, Some(result));
        }
        if let Some(params) = &extensions.notification {
            add("extNotification", "a notification", params, None);
        }
        signatures
    }

    /// The params of an extension: an object, as JSON-RPC wants it, where the schema allows
    /// anything.
    fn extension_params(self, params: &Type, used: &mut BTreeSet<String>) -> Expr {
        if *self.protocol.resolve(params) == Type::Any {
            return Expr::Apply("Record", vec![Expr::Keyword("string"), Expr::UNKNOWN]);
        }
        self.used(params, used)
    }

    /// A type as the interfaces write it, and a note of what they have to import for it.
    fn used(self, ty: &Type, used: &mut BTreeSet<String>) -> Expr {
        self.note(ty, used);
        self.expression(ty)
    }

    /// Takes note of the names that a type refers to.
    pub(super) fn note(self, ty: &Type, used: &mut BTreeSet<String>) {
        match ty {
            Type::Named { name } => {
                used.insert(self.names.of(name).to_owned());
            }
            Type::Array(array) => self.note(&array.items, used),
            Type::Map(map) => self.note(&map.values, used),
            Type::Nullable { inner } => self.note(inner, used),
            _ => {}
        }
    }

    /// Whether a result need not say anything, so that a handler may return nothing.
    pub(super) fn may_be_empty(self, result: &Type) -> bool {
        match self.protocol.resolve(result) {
            Type::Map(_) | Type::Null => true,
            Type::Named { name } => match self.protocol.type_def(name).map(|def| &def.kind) {
                Some(TypeKind::Record(record)) => record.fields.iter().all(|field| {
                    matches!(field.presence, Presence::Optional | Presence::OptionalNullable)
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// The model of the methods' wire names.
    pub(super) fn methods(self) -> MethodsModel {
        let mut objects = Vec::new();
        for side in &self.protocol.sides {
            let methods = self.protocol.handled_by(&side.name.wire);
            let what = format!("The methods that the `{}` side handles.", names::interface(side));
            objects.push(constants(&side.name, what, methods));
        }
        let is_own = |method: &&Method| method.handler == Handler::Protocol;
        if self.protocol.methods.iter().any(|method| is_own(&method)) {
            let methods = self.protocol.methods.iter().filter(is_own);
            let what = String::from("The methods of the connection itself.");
            objects.push(constants(&Name::new("protocol"), what, methods));
        }
        let version = self.protocol.version.as_ref().map(|version| match version.as_str() {
            Some(text) => literal(text),
            None => version.to_string(),
        });
        MethodsModel { objects, version }
    }
}

fn constants<'a>(
    owner: &Name,
    what: String,
    methods: impl Iterator<Item = &'a Method>,
) -> MethodConstants {
    // A request and a notification can share a wire name, which then is one constant.
    let wires: IndexSet<&str> = methods.map(|method| method.name.wire.as_str()).collect();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for wire in &wires {
        *taken.entry(names::method_constant(wire)).or_default() += 1;
    }
    let entries: Vec<Entry> = wires
        .iter()
        .map(|wire| {
            let key = names::method_constant(wire);
            // Only the wire names themselves can differ, not what is made of them: no name chosen
            // for code could keep them apart.
            let key = if taken.get(&key) == Some(&1) { key } else { object_key(wire) };
            Entry { doc: Vec::new(), key, value: literal(wire) }
        })
        .collect();
    MethodConstants {
        doc: Comment::of(what).block(0),
        statement: objects::constant_object(&names::methods_constant(owner), &entries),
    }
}

fn maybe_promise(result: Option<Expr>) -> Expr {
    Expr::Apply(MAYBE_PROMISE, vec![result.unwrap_or(Expr::Keyword("void"))])
}

fn or_void(ty: Expr) -> Expr {
    Expr::union([ty, Expr::Keyword("void")])
}
