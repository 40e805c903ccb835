//! The contents of `methods.py` and `interfaces.py`.

use super::declarations::{BODY, Exports, FUNCTION};
use super::doc::{docstring, inline, lines};
use super::fields::description;
use super::imports::Imports;
use super::layout::{self, Expression, assignment, listed};
use super::literal;
use super::model::{Function, InterfacesModule, Member, MethodsModule, Side};
use super::names;
use super::scope::Scope;
use super::types::{Reader, optional};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{self, Handler, Method, Type, TypeKind};
use crate::source::Place;

/// The method that handles extension requests.
pub(super) const EXT_METHOD: &str = "ext_method";

/// The method that handles extension notifications.
pub(super) const EXT_NOTIFICATION: &str = "ext_notification";

/// Writes the model of `methods.py`.
pub(super) fn methods_module(scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> MethodsModule {
    let protocol = scope.protocol;
    let mut namespace = Namespace::new("constants of `methods` in Python");
    let mut module = MethodsModule::default();
    let mut known: std::collections::HashMap<String, &str> = std::collections::HashMap::new();
    module.version = protocol.version.as_ref().map(version);
    if module.version.is_some() {
        namespace.claim(VERSION, "x-version", &Place::default(), diagnostics);
    }
    for method in &protocol.methods {
        let constant = names::constant(&method.name);
        let wire = method.name.wire.as_str();
        if known.get(&constant) == Some(&wire) {
            continue;
        }
        namespace.claim(&constant, wire, &method.place, diagnostics);
        known.insert(constant.clone(), wire);
        let value = Expression::atom(literal::string(wire));
        let doc = docstring(&lines(&role(method), 0), 0).unwrap_or_default();
        module.constants.push(Member { lines: constant_line(&constant, "Final", &value), doc });
    }
    for side in &protocol.sides {
        let name = side.name.screaming();
        let handled = || protocol.handled_by(&side.name.wire);
        let text = format!("The methods that `{}` handles.", inline(&side.name.wire));
        module.tables.push(table(&format!("{name}_METHODS"), &text, handled()));
        let text = format!("Those that `{}` need not handle.", inline(&side.name.wire));
        let optional = handled().filter(|method| method.optional);
        module.tables.push(table(&format!("OPTIONAL_{name}_METHODS"), &text, optional));
    }
    let lifecycle = protocol.methods.iter().filter(|method| method.lifecycle);
    let text = "Methods that change what the connection is: never part of a batch.";
    module.tables.push(table("LIFECYCLE_METHODS", text, lifecycle));
    for table in &module.tables {
        if let Some(name) = table.lines.first().and_then(|line| line.split(':').next()) {
            namespace.claim(name, name, &Place::default(), diagnostics);
        }
    }
    module
}

/// The constant that holds the version of the protocol.
pub(super) const VERSION: &str = "PROTOCOL_VERSION";

fn version(version: &serde_json::Value) -> Member {
    let value = literal::scalar(version).unwrap_or_else(|| literal::string(&version.to_string()));
    let text = "The version of the protocol that this package speaks.";
    Member {
        lines: constant_line(VERSION, "Final", &Expression::atom(value)),
        doc: docstring(&lines(text, 0), 0).unwrap_or_default(),
    }
}

fn role(method: &Method) -> String {
    let kind = if method.is_request() { "A request" } else { "A notification" };
    match &method.handler {
        Handler::Side { name } => format!("{kind} that `{}` handles.", inline(name)),
        Handler::Either => format!("{kind} that either side handles."),
        Handler::Protocol => format!("{kind} of the connection itself."),
    }
}

fn constant_line(name: &str, annotation: &str, value: &Expression) -> Vec<String> {
    assignment(0, name, Some(&Expression::atom(annotation)), Some(value))
}

fn table<'m>(name: &str, text: &str, methods: impl Iterator<Item = &'m Method>) -> Member {
    let mut constants: Vec<String> = methods.map(|method| names::constant(&method.name)).collect();
    let mut seen = std::collections::HashSet::new();
    constants.retain(|constant| seen.insert(constant.clone()));
    let items = Expression::tuple(constants.into_iter().map(Expression::Atom));
    Member {
        lines: constant_line(name, "Final[tuple[str, ...]]", &items),
        doc: docstring(&lines(text, 0), 0).unwrap_or_default(),
    }
}

/// Writes the model of `interfaces.py`, and claims the names it defines.
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
        let class = names::class(&side.name);
        let place = protocol
            .handled_by(&side.name.wire)
            .next()
            .map_or_else(Place::default, |method| method.place.clone());
        exports.claim(&class, &side.name.wire, &place, diagnostics);
        exports.interfaces.push(class.clone());
        let context = names::context(side);
        imports.own(".connections", &context);
        let mut namespace = Namespace::new(format!("methods of `{class}` in Python"));
        let mut methods = Vec::new();
        for method in protocol.handled_by(&side.name.wire) {
            let name = names::function(&method.name);
            namespace.claim(&name, &method.name.wire, &method.place, diagnostics);
            methods.push(handler(scope, mode, method, &name, &context, &mut imports));
            if method.optional {
                runtime.own(".errors", "RequestError");
            }
        }
        if let Some(extensions) = &protocol.extensions {
            runtime.own(".errors", "RequestError");
            for (name, function) in extension_handlers(scope, extensions, &context, &mut imports) {
                namespace.claim(name, name, &Place::default(), diagnostics);
                methods.push(function);
            }
        }
        let is_abstract = protocol.handled_by(&side.name.wire).any(|method| !method.optional);
        if is_abstract {
            runtime.standard("abc", "ABC");
            runtime.standard("abc", "abstractmethod");
        }
        let text = format!(
            "What `{}` handles.\n\nSubclass it and define the methods. One that is optional and not defined is answered with *method not found*.",
            inline(&side.name.wire)
        );
        let bases: &[String] = if is_abstract { &[String::from("ABC")] } else { &[] };
        sides.push(Side {
            header: if is_abstract {
                listed(0, &format!("class {class}"), bases, ":")
            } else {
                vec![format!("class {class}:")]
            },
            doc: docstring(&lines(&text, BODY), BODY).unwrap_or_default(),
            methods,
        });
    }
    let guarded = imports.split(&runtime);
    runtime.extend(imports);
    let guarded = guarded.lines_at(BODY);
    if !guarded.is_empty() {
        runtime.typing("TYPE_CHECKING");
    }
    InterfacesModule { imports: runtime.lines(), guarded, sides }
}

fn handler(
    scope: &Scope<'_>,
    mode: DocsMode,
    method: &Method,
    name: &str,
    context: &str,
    imports: &mut Imports,
) -> Function {
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
    let params = typed(scope, method.params(), imports);
    let result = match method.result() {
        None => Expression::atom("None"),
        Some(ty) => {
            let result = typed(scope, ty, imports);
            optional(result, can_be_empty(scope, ty), false, imports)
        }
    };
    let parameters = [
        String::from("self"),
        format!("request: {}", params.flat()),
        format!("context: {context}"),
    ];
    let result = format!(" -> {}:", result.flat());
    let definition = listed(BODY, &format!("async def {name}"), &parameters, &result);
    let (header, body) = if method.optional {
        let wire = Expression::atom(literal::string(&method.name.wire));
        (definition, not_found(wire))
    } else {
        let mut header = vec![layout::indented(BODY, "@abstractmethod")];
        header.extend(definition);
        (header, Vec::new())
    };
    Function { header, doc: docstring(&text, FUNCTION).unwrap_or_default(), body }
}

/// The statement that says that a method is not handled.
fn not_found(wire: Expression) -> Vec<String> {
    let raise = String::from("raise RequestError.method_not_found");
    layout::statement(FUNCTION, &Expression::Call(raise, vec![(None, wire)]))
}

/// A handler may answer `None` where an empty object would do.
pub(super) fn can_be_empty(scope: &Scope<'_>, ty: &Type) -> bool {
    let Type::Named { name } = scope.protocol.resolve(ty) else { return false };
    match scope.def(name).map(|def| &def.kind) {
        Some(TypeKind::Record(record)) => {
            record.fields.iter().all(|field| !field.presence.is_required())
        }
        _ => false,
    }
}

/// The handlers of methods that the schema does not name.
fn extension_handlers(
    scope: &Scope<'_>,
    extensions: &ir::Extensions,
    context: &str,
    imports: &mut Imports,
) -> Vec<(&'static str, Function)> {
    let any = |ty: &Option<Type>, imports: &mut Imports| {
        typed(scope, ty.as_ref().unwrap_or(&Type::Any), imports)
    };
    let mut handlers = Vec::new();
    let mut add = |name: &'static str, params: Expression, result: Expression, text: &str| {
        let parameters = [
            String::from("self"),
            String::from("method: str"),
            format!("params: {}", params.flat()),
            format!("context: {context}"),
        ];
        let body = not_found(Expression::atom("method"));
        let header = listed(
            BODY,
            &format!("async def {name}"),
            &parameters,
            &format!(" -> {}:", result.flat()),
        );
        let doc = docstring(&lines(text, FUNCTION), FUNCTION).unwrap_or_default();
        handlers.push((name, Function { header, doc, body }));
    };
    if extensions.request.is_some() || extensions.result.is_some() {
        let params = any(&extensions.request, imports);
        let result = any(&extensions.result, imports);
        add(
            EXT_METHOD,
            params,
            result,
            "Handle a request that the schema does not name.\n\nOptional.",
        );
    }
    if extensions.notification.is_some() {
        let params = any(&extensions.notification, imports);
        let text = "Handle a notification that the schema does not name.\n\nOptional.";
        add(EXT_NOTIFICATION, params, Expression::atom("None"), text);
    }
    handlers
}

/// A type, with the import of what it names.
pub(super) fn typed(scope: &Scope<'_>, ty: &Type, imports: &mut Imports) -> Expression {
    for name in super::scope::named(ty) {
        if !matches!(scope.def(name).map(|def| &def.kind), Some(TypeKind::Enum(_))) {
            imports.own(".types", scope.class(name));
        }
    }
    scope.ty(ty, Reader::People, imports)
}
