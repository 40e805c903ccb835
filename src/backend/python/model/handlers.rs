//! The contents of `interfaces.py`: what each side handles.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines, sentence};
use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::types::optional;
use super::super::{literals, names};
use super::fields::description;
use super::scope::Scope;
use super::{BODY, Exports, FUNCTION, place_of};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Extensions, Method, Type, TypeKind};
use crate::source::Place;

/// The method that handles extension requests.
pub(super) const EXT_METHOD: &str = "ext_method";

/// The method that handles extension notifications.
pub(super) const EXT_NOTIFICATION: &str = "ext_notification";

/// `interfaces.py`
#[derive(Debug, Default, Serialize)]
pub(crate) struct InterfacesModule {
    pub(crate) imports: Vec<Import>,
    /// The imports of type checkers alone.
    pub(crate) guarded: Vec<Import>,
    pub(crate) sides: Vec<Interface>,
}

/// The class of a side's handlers.
#[derive(Debug, Serialize)]
pub(crate) struct Interface {
    pub(crate) name: String,
    /// True if it has methods that a subclass has to define.
    pub(crate) is_abstract: bool,
    pub(crate) doc: String,
    /// The class of what handlers know beside their params.
    pub(crate) context: String,
    pub(crate) handlers: Vec<HandlerMethod>,
    pub(crate) ext_method: Option<ExtensionHandler>,
    pub(crate) ext_notification: Option<ExtensionHandler>,
}

/// A method that handles one of the protocol.
#[derive(Debug, Serialize)]
pub(crate) struct HandlerMethod {
    pub(crate) name: String,
    /// The wire name as a literal.
    pub(crate) wire: String,
    pub(crate) params: Expression,
    pub(crate) result: Expression,
    pub(crate) is_optional: bool,
    #[serde(skip)]
    pub(crate) wire_name: String,
    pub(crate) doc: String,
}

/// A method that handles what the schema does not name.
#[derive(Debug, Serialize)]
pub(crate) struct ExtensionHandler {
    pub(crate) params: Expression,
    pub(crate) result: Expression,
}

/// Decides the contents of `interfaces.py`, and claims the names it defines.
pub(super) fn interfaces_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> InterfacesModule {
    let protocol = scope.protocol;
    let (mut imports, mut runtime) = (Imports::default(), Imports::default());
    let mut sides = Vec::new();
    for side in &protocol.sides {
        let name = names::class(&side.name);
        exports.claim(&name, &side.name.wire, &place_of(protocol, side), diagnostics);
        exports.interfaces.push(name.clone());
        let context = names::context(side);
        imports.own(".connections", &context);
        let mut namespace = Namespace::new(format!("methods of `{name}` in Python"));
        let mut handlers = Vec::new();
        for method in protocol.handled_by(&side.name.wire) {
            let handler = handler(scope, mode, method, &mut imports);
            namespace.claim(&handler.name, &method.name.wire, &method.place, diagnostics);
            handlers.push(handler);
        }
        let [ext_method, ext_notification] = match &protocol.extensions {
            Some(extensions) => extension_handlers(scope, extensions, &mut imports),
            None => [None, None],
        };
        for (name, handler) in [(EXT_METHOD, &ext_method), (EXT_NOTIFICATION, &ext_notification)] {
            if handler.is_some() {
                namespace.claim(name, name, &Place::default(), diagnostics);
            }
        }
        let is_abstract = handlers.iter().any(|handler| !handler.is_optional);
        if is_abstract {
            runtime.standard("abc", "ABC");
            runtime.standard("abc", "abstractmethod");
        }
        if protocol.extensions.is_some() || handlers.iter().any(|handler| handler.is_optional) {
            runtime.own(".errors", "RequestError");
        }
        let text = format!(
            "What `{}` handles.\n\nSubclass it and define the methods. One that is optional and not defined is answered with *method not found*.",
            inline(&side.name.wire)
        );
        let doc = sentence(&text, BODY);
        let side =
            Interface { name, is_abstract, doc, context, handlers, ext_method, ext_notification };
        sides.push(side);
    }
    let guarded = imports.split(&runtime).statements();
    runtime.extend(imports);
    if !guarded.is_empty() {
        runtime.typing("TYPE_CHECKING");
    }
    InterfacesModule { imports: runtime.statements(), guarded, sides }
}

fn handler(
    scope: &Scope<'_>,
    mode: DocsMode,
    method: &Method,
    imports: &mut Imports,
) -> HandlerMethod {
    let wire = inline(&method.name.wire);
    let fallback = format!("Handle `{wire}`.");
    let mut text = description(&method.docs, mode, &fallback, FUNCTION);
    let mut facts = match text.as_slice() {
        [only] if *only == fallback => Vec::new(),
        _ => vec![format!("Handles `{wire}`.")],
    };
    if method.optional {
        facts.push(String::from("Optional."));
    }
    if let Some(path) = &method.capability {
        facts.push(format!("Called if the capability `{}` is there.", inline(&path.join("."))));
    }
    if !facts.is_empty() {
        text.push(String::new());
        text.extend(lines(&facts.join(" "), FUNCTION));
    }
    let params = scope.typed(method.params(), imports);
    let result = match method.result() {
        None => Expression::atom("None"),
        Some(ty) => {
            let result = scope.typed(ty, imports);
            optional(result, can_be_empty(scope, ty), false, imports)
        }
    };
    HandlerMethod {
        name: names::function(&method.name),
        wire: literals::string(&method.name.wire),
        params,
        result,
        is_optional: method.optional,
        wire_name: method.name.wire.clone(),
        doc: docstring(&text, FUNCTION),
    }
}

/// Tells whether a handler may answer `None`, because an empty object would do.
pub(super) fn can_be_empty(scope: &Scope<'_>, ty: &Type) -> bool {
    let Type::Named { name } = scope.protocol.resolve(ty) else { return false };
    match scope.kind(name) {
        Some(TypeKind::Record(record)) => {
            record.fields.iter().all(|field| !field.presence.is_required())
        }
        _ => false,
    }
}

/// The handlers of requests and notifications that the schema does not name.
fn extension_handlers(
    scope: &Scope<'_>,
    extensions: &Extensions,
    imports: &mut Imports,
) -> [Option<ExtensionHandler>; 2] {
    let mut any = |ty: &Option<Type>| scope.typed(ty.as_ref().unwrap_or(&Type::Any), imports);
    let request = extensions.request.is_some() || extensions.result.is_some();
    let request = request.then(|| ExtensionHandler {
        params: any(&extensions.request),
        result: any(&extensions.result),
    });
    let notification = extensions.notification.is_some().then(|| ExtensionHandler {
        params: any(&extensions.notification),
        result: Expression::atom("None"),
    });
    [request, notification]
}
