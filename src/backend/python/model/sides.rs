//! The contents of `interfaces.py` and `connections.py`: what each side handles, its connection,
//! and how others call it.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines, sentence, with_facts};
use super::super::expression::Expression;
use super::super::imports::{Imports, ModuleImports, Used};
use super::super::types::optional;
use super::super::{literals, names};
use super::calls::Params;
use super::fields::description;
use super::handles::HandleClass;
use super::remote;
use super::rules::{self, Argument};
use super::scope::Scope;
use super::{BODY, Exports, FUNCTION, handles, status};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::backend::sides::{MethodModel, SideModel, keep_accessors_apart};
use crate::diagnostic::Diagnostics;
use crate::ir::{Extensions, Method, Side, Type, TypeKind};
use crate::source::Location;

/// The method that handles and sends extension requests.
pub(crate) const EXT_METHOD: &str = "ext_method";

/// The method that handles and sends extension notifications.
pub(crate) const EXT_NOTIFICATION: &str = "ext_notification";

/// The methods that handle what nothing else is for.
pub(crate) const UNKNOWN_METHOD: &str = "unknown_method";
pub(crate) const UNKNOWN_NOTIFICATION: &str = "unknown_notification";

/// How to define what a side does.
const HOW_TO_HANDLE: &str = "Subclass it and define the methods. One that is optional and not defined is answered with *method not found*.";

/// `interfaces.py` and `connections.py`
#[derive(Debug, Serialize)]
pub(crate) struct SidesModule {
    pub(crate) sides: Vec<SideClasses>,
    interface_imports: ModuleImports,
    connection_imports: ModuleImports,
    /// The type of the version that both ends agree on, where they do.
    agreed_version: Option<&'static str>,
    /// True if some results come in pieces.
    pub(crate) has_streams: bool,
    /// Requests and notifications that the schema does not name.
    pub(crate) ext_method: Option<Extension>,
    pub(crate) ext_notification: Option<Extension>,
}

/// The classes of a side.
#[derive(Debug, Serialize)]
pub(crate) struct SideClasses {
    #[serde(flatten)]
    pub(crate) side: SideModel<SideMethod>,
    /// Its name as text.
    wire: String,
    /// The constant that says what it handles.
    constant: String,
    doc: String,
    /// What its connection has to know besides: arguments by keyword.
    rules: Vec<Argument>,
    /// True if a subclass has to define methods.
    pub(crate) is_abstract: bool,
    /// True if others connect to it over HTTP or WebSockets.
    is_served: bool,
}

/// A method that a side handles, and that others call.
#[derive(Debug, Serialize)]
pub(crate) struct SideMethod {
    #[serde(flatten)]
    pub(crate) method: MethodModel,
    /// The method that handles it, that which calls it, and that which gives its result in pieces,
    /// where it comes in some.
    pub(crate) name: String,
    pub(crate) call: String,
    pub(crate) streamed: Option<String>,
    doc: String,
    /// Those that have a call warn.
    decorators: Vec<Expression>,
    call_doc: String,
    streamed_doc: String,
    /// What it is called with, and the type of that.
    pub(crate) params: Params,
    pub(crate) request: Expression,
    /// The type of its result, and of what a handler may answer.
    pub(crate) result: Expression,
    pub(crate) answer: Expression,
    /// The codecs of its params, and of its result for a request.
    params_codec: String,
    result_codec: Option<String>,
    /// The class of the result, if it has just one.
    result_type: Option<String>,
    /// True if an empty object is a result.
    is_empty: bool,
    /// The class of what it opens, if that is a handle.
    pub(crate) handle: Option<HandleClass>,
    /// What its payloads must not hold unless the other end allows it: arguments by keyword.
    gates: Vec<Argument>,
}

/// Messages that the schema does not name.
#[derive(Debug, Serialize)]
pub(crate) struct Extension {
    pub(crate) params: Expression,
    pub(crate) result: Expression,
    /// The codecs of the params, and of the result for a request.
    codecs: Vec<String>,
}

/// Decides the contents of both modules, and claims the names of interfaces.
pub(super) fn sides_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> SidesModule {
    let protocol = scope.protocol;
    let (mut interfaces, mut connections) = (Used::default(), Used::default());
    let them = protocol.extensions.as_ref();
    let mut extension = |params: &Type, result: Option<&Type>| {
        interfaces.annotations.extend(types(scope, [Some(params), result]));
        connections.annotations.extend(types(scope, [Some(params), result]));
        Extension {
            params: scope.typed(params, &mut Imports::default()),
            result: expression(scope, result, &mut Imports::default()),
            codecs: [Some(params), result]
                .into_iter()
                .flatten()
                .map(|ty| codec(scope, ty))
                .collect(),
        }
    };
    let ext_method = them.and_then(Extensions::requests);
    let ext_method = ext_method.map(|(params, result)| extension(params, Some(result)));
    let ext_notification = them.and_then(|them| them.notification.as_ref());
    let ext_notification = ext_notification.map(|params| extension(params, None));
    let mut sides = Vec::new();
    for side in &protocol.sides {
        let handled = protocol.handled_by(&side.name.wire);
        let methods: Vec<_> = handled
            .map(|method| SideMethod::new(scope, mode, method, &mut interfaces, &mut connections))
            .collect();
        let is_abstract = methods.iter().any(|method| !method.method.is_optional);
        if is_abstract {
            interfaces.runtime.standard("abc", "ABC");
            interfaces.runtime.standard("abc", "abstractmethod");
        }
        interfaces.runtime.own(".errors", "RequestError");
        interfaces.annotations.typing("Any");
        let wire = inline(&side.name.wire);
        let mut text = description(&side.docs, mode, &format!("What `{wire}` handles."), BODY);
        text.push(String::new());
        text.extend(lines(HOW_TO_HANDLE, BODY));
        let of = SideModel::new(protocol, side, methods, names::side, literals::string);
        interfaces.annotations.own(".connections", &of.names.context);
        connections.runtime.own(".interfaces", &of.names.name);
        if of.base.is_some() {
            connections.runtime.standard("contextlib", "asynccontextmanager");
            connections.annotations.collections("AsyncGenerator");
            connections.annotations.collections("Mapping");
            connections.annotations.standard("os", "PathLike");
        }
        let is_served = of.base.is_some() && remote::is_served(protocol, side);
        if is_served {
            connections.annotations.own(".", "remote as _remote");
        }
        sides.push(SideClasses {
            constant: format!("_{}", side.name.screaming()),
            doc: docstring(&text, BODY),
            rules: rules::of_side(protocol, side),
            side: of,
            wire,
            is_abstract,
            is_served,
        });
    }
    keep_accessors_apart(sides.iter_mut().map(|it| &mut it.side), |it| {
        it.call_names().into_iter().cloned().collect()
    });
    connections.annotations.typing("Final");
    connections.annotations.collections("Callable");
    connections.runtime.typing("TYPE_CHECKING");
    connections.runtime.own(".", "rpc as _rpc");
    connections.runtime.own(".", "codecs");
    let has_streams = protocol.has_streams();
    if has_streams {
        connections.runtime.own(".", "streams as _streams");
    }
    let module = SidesModule {
        sides,
        interface_imports: interfaces.finish(),
        connection_imports: connections.finish(),
        agreed_version: protocol.negotiation.as_ref().map(|negotiation| {
            if negotiation.versions.iter().all(serde_json::Value::is_string) {
                "str"
            } else {
                "int"
            }
        }),
        has_streams,
        ext_method,
        ext_notification,
    };
    for (side, model) in protocol.sides.iter().zip(&module.sides) {
        let name = &model.side.names.name;
        exports.claim(name, &side.name.wire, &location_of(scope, side), diagnostics);
        exports.interfaces.push(name.clone());
        let unknown = [UNKNOWN_METHOD, UNKNOWN_NOTIFICATION];
        let own = model.side.methods.iter().map(|it| vec![&it.name]).collect();
        module.claim((scope, side), name, &unknown, own, diagnostics);
    }
    module
}

impl SidesModule {
    /// Claims the names of connections.
    pub(super) fn claim_connections(
        &self,
        scope: &Scope<'_>,
        exports: &mut Exports,
        diagnostics: &mut Diagnostics,
    ) {
        for (side, model) in scope.protocol.sides.iter().zip(&self.sides) {
            let calls = model.side.methods.iter().map(SideMethod::call_names).collect();
            self.claim((scope, side), &model.side.names.peer, &[], calls, diagnostics);
        }
        for (side, model) in scope.protocol.sides.iter().zip(&self.sides) {
            let location = location_of(scope, side);
            for name in model.connection_names() {
                exports.claim(&name, &side.name.wire, &location, diagnostics);
                exports.connections.push(name);
            }
        }
    }

    /// Tells whether some requests open a handle.
    pub(crate) fn has_handles(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.side.methods).any(|it| it.handle.is_some())
    }

    /// Claims the names of a class's methods: `names` are those of each method of the side.
    fn claim(
        &self,
        (scope, side): (&Scope<'_>, &Side),
        class: &str,
        own: &[&str],
        names: Vec<Vec<&String>>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut namespace = Namespace::new(format!("methods of `{class}` in Python"));
        let handled = scope.protocol.handled_by(&side.name.wire);
        for (names, method) in names.into_iter().zip(handled) {
            for name in names {
                namespace.claim(name, &method.name.wire, &method.location, diagnostics);
            }
        }
        for name in self.extensions().map(|(name, _)| name).chain(own.iter().copied()) {
            namespace.claim(name, name, &Location::default(), diagnostics);
        }
    }

    /// The messages that the schema does not name, by their methods.
    pub(crate) fn extensions(&self) -> impl Iterator<Item = (&'static str, &Extension)> {
        let requests = self.ext_method.iter().map(|extension| (EXT_METHOD, extension));
        requests.chain(self.ext_notification.iter().map(|extension| (EXT_NOTIFICATION, extension)))
    }
}

impl SideClasses {
    /// The functions for connections over HTTP and WebSockets: who connects, and who serves.
    pub(crate) fn served_names(&self) -> impl Iterator<Item = String> + use<> {
        let variable = &self.side.names.variable;
        let served =
            self.is_served.then(|| [format!("connect_{variable}"), format!("{variable}_app")]);
        served.into_iter().flatten()
    }

    /// The classes and functions of `connections.py`.
    fn connection_names(&self) -> impl Iterator<Item = String> {
        let names = &self.side.names;
        let own = [
            format!("{}Methods", names.name),
            names.peer.clone(),
            names.context.clone(),
            names.connection.clone(),
            format!("run_{}", names.variable),
        ];
        let handles =
            self.side.methods.iter().filter_map(|it| Some(it.handle.as_ref()?.name.clone()));
        let spawn = self.side.base.as_ref().map(|_| format!("spawn_{}", names.variable));
        own.into_iter().chain(spawn).chain(self.served_names()).chain(handles)
    }
}

impl SideMethod {
    fn new(
        scope: &Scope<'_>,
        mode: DocsMode,
        method: &Method,
        interfaces: &mut Used,
        connections: &mut Used,
    ) -> Self {
        let wire = inline(&method.name.wire);
        let capability = method.capability.as_ref().map(|path| inline(&path.join(".")));
        let is_request = method.is_request();
        let is_optional = method.optional.then(|| String::from("Optional."));
        let needed = capability.as_ref();
        let called = needed.map(|path| format!("Called if the capability `{path}` is there."));
        let doc = documentation(
            method,
            mode,
            format!("Handle `{wire}`."),
            format!("Handles `{wire}`."),
            is_optional.into_iter().chain(called),
        );
        let params = Params::new(scope, method.params(), connections);
        let takes = params.class.as_ref().filter(|_| !params.is_empty());
        let takes = takes.map(|class| format!("The parameters are the attributes of `{class}`."));
        let raises = needed.map(|path| {
            format!("Raises `NotSupportedError` if the other end lacks the capability `{path}`.")
        });
        let [call, calls] = if is_request { ["Call", "Calls"] } else { ["Send", "Sends"] };
        let call_doc = documentation(
            method,
            mode,
            format!("{call} `{wire}`."),
            format!("{calls} `{wire}`."),
            takes.into_iter().chain(raises),
        );
        let name = names::peer_method(method);
        let streamed_text = format!(
            "Call `{wire}`, and give its result in pieces.\n\nThe token that marks them is put into the params. The parameters are those of `{name}`."
        );
        let result = expression(scope, method.result(), &mut connections.annotations);
        let result_type = method.result().and_then(|result| record(scope, result));
        if let Some(class) = result_type {
            connections.runtime.own(".types", class);
        }
        let is_empty = method.result().is_some_and(|result| can_be_empty(scope, result));
        interfaces.annotations.extend(types(scope, [Some(method.params()), method.result()]));
        Self {
            method: MethodModel::new(method, literals::string),
            name: names::function(&method.name),
            streamed: method.stream.as_ref().map(|_| names::streamed(method)),
            decorators: status::decorators(&name, &method.docs, &mut connections.runtime),
            call: name,
            doc,
            call_doc,
            streamed_doc: sentence(&streamed_text, FUNCTION),
            params,
            request: scope.typed(method.params(), &mut Imports::default()),
            answer: optional(result.clone(), is_empty, false, &mut Imports::default()),
            result,
            params_codec: codec(scope, method.params()),
            result_codec: method.result().map(|result| codec(scope, result)),
            result_type: result_type.map(String::from),
            is_empty,
            handle: handles::handle(scope, mode, method, connections),
            gates: rules::gates(scope, method),
        }
    }

    fn call_names(&self) -> Vec<&String> {
        [&self.call].into_iter().chain(&self.streamed).collect()
    }
}

/// A docstring for a method: what the schema says of it, and facts. Without a description it is
/// said what the method does, else that is one of the facts.
fn documentation(
    method: &Method,
    mode: DocsMode,
    instead: String,
    first: String,
    facts: impl Iterator<Item = String>,
) -> String {
    let text = description(&method.docs, mode, &instead, FUNCTION);
    let is_described = text.as_slice() != [instead];
    let facts: Vec<String> = is_described.then_some(first).into_iter().chain(facts).collect();
    docstring(&with_facts(text, &facts, FUNCTION), FUNCTION)
}

/// The imports of types.
fn types(scope: &Scope<'_>, types: [Option<&Type>; 2]) -> Imports {
    let mut imports = Imports::default();
    for ty in types.into_iter().flatten() {
        scope.typed(ty, &mut imports);
    }
    imports
}

/// The type of a result, if there is one.
fn expression(scope: &Scope<'_>, result: Option<&Type>, imports: &mut Imports) -> Expression {
    result.map_or_else(|| Expression::atom("None"), |result| scope.typed(result, imports))
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

/// Tells whether a handler may answer `None`, because an empty object would do.
fn can_be_empty(scope: &Scope<'_>, ty: &Type) -> bool {
    scope.protocol.required_fields(ty).is_some_and(|mut fields| fields.next().is_none())
}

/// Finds the first location at which the schema names a side.
fn location_of(scope: &Scope<'_>, side: &Side) -> Location {
    let mut handled = scope.protocol.handled_by(&side.name.wire);
    handled.next().map_or_else(Location::default, |method| method.location.clone())
}
