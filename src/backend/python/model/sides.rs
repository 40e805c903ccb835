//! The contents of `interfaces.py` and `connections.py`: what each side handles, its connection,
//! and how others call it.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines};
use super::super::expression::Expression;
use super::super::imports::{Imports, ModuleImports, Used};
use super::super::{data, literals, names};
use super::fields::description;
use super::remote;
use super::scope::Scope;
use super::side_method::{SideMethod, codec, documentation, expression, types};
use super::{BODY, Exports};
use crate::backend::DocsMode;
use crate::backend::names::check_function;
use crate::backend::sides::{SideModel, keep_accessors_apart};
use crate::ir::{Docs, Extensions, Findings, Namespace, Side, Things, Type};
use crate::sdk;
use crate::source::Location;

/// The method that handles and sends extension requests.
pub(crate) const EXT_METHOD: &str = "ext_method";

/// The method that handles and sends extension notifications.
pub(crate) const EXT_NOTIFICATION: &str = "ext_notification";

/// The methods that handle requests and notifications that no other method handles.
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
    pub(crate) agreed_version: Option<&'static str>,
    /// The ending of the name of `connections.py`, behind the package's, as a literal.
    ending: String,
    pub(crate) rpc: RpcModule,
    /// What `connections.py` imports when somebody connects to a server, or is one.
    remote_module: String,
    /// True if some results come in pieces.
    pub(crate) has_streams: bool,
    /// Requests and notifications that the schema does not name.
    pub(crate) ext_method: Option<Extension>,
    pub(crate) ext_notification: Option<Extension>,
}

/// `rpc.py`
#[derive(Debug, Serialize)]
pub(crate) struct RpcModule {
    /// The module that it stands for.
    module: String,
    /// True if that is not in the package.
    is_apart: bool,
}

/// The classes of a side.
#[derive(Debug, Serialize)]
pub(crate) struct SideClasses {
    #[serde(flatten)]
    pub(crate) side: SideModel<SideMethod>,
    /// Its name as text.
    wire: String,
    /// The constant that describes what it handles, for its connections.
    constant: String,
    doc: String,
    /// The rules of its connections.
    rules: Expression,
    /// The docstrings of what the schema does not name: requests and notifications.
    ext_method: ExtensionDoc,
    ext_notification: ExtensionDoc,
    /// True if a subclass has to define methods.
    pub(crate) is_abstract: bool,
    /// True if others connect to it over HTTP or a `WebSocket`.
    is_served: bool,
}

/// The docstrings of a method that handles what the schema does not name, and of one that sends it.
#[derive(Debug, Serialize)]
struct ExtensionDoc {
    doc: String,
    call_doc: String,
}

impl ExtensionDoc {
    fn new(docs: &Docs, mode: DocsMode, kind: &str, waits: Option<&str>) -> Self {
        let which = format!("a {kind} whose method the schema does not name.");
        let begins = "It begins with `_`.";
        Self {
            doc: documentation(
                docs,
                mode,
                [format!("Handle {which}"), format!("Handles {which}")],
                ["Optional."].into_iter().chain(waits).map(String::from),
            ),
            call_doc: documentation(
                docs,
                mode,
                [format!("Send {which}"), format!("Sends {which}")],
                [begins.to_owned()],
            ),
        }
    }
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
    diagnostics: &mut Findings,
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
    let used = (&mut interfaces, &mut connections);
    let mut sides = side_classes(scope, mode, used);
    keep_accessors_apart(sides.iter_mut().map(|it| &mut it.side), |it| {
        it.call_names().into_iter().cloned().collect()
    });
    connections.annotations.typing("Final");
    connections.annotations.collections("Callable");
    connections.runtime.module("interfaces", "_interfaces");
    connections.runtime.module("runtime/rpc", "_rpc");
    connections.runtime.module("codecs", "codecs");
    let has_streams = protocol.has_streams();
    if has_streams {
        connections.runtime.module("runtime/streams", "_streams");
    }
    connections.runtime.module("runtime/rpc/rules", "_rules");
    connections.runtime.own("errors", "RequestError");
    let module = SidesModule {
        sides,
        interface_imports: interfaces.finish(scope.modules, "interfaces"),
        connection_imports: connections.finish(scope.modules, "connections"),
        agreed_version: protocol.negotiation.as_ref().map(|negotiation| {
            if negotiation.versions.iter().all(serde_json::Value::is_string) {
                "str"
            } else {
                "int"
            }
        }),
        ending: literals::string(&format!(".{}", scope.modules.dotted("connections"))),
        rpc: RpcModule {
            module: scope.modules.import("rpc", "runtime/rpc"),
            is_apart: scope.modules.is_runtime_apart,
        },
        remote_module: scope.modules.import("connections", "remote"),
        has_streams,
        ext_method,
        ext_notification,
    };
    for (side, model) in protocol.sides.iter().zip(&module.sides) {
        let name = &model.side.names.name;
        exports.claim(name, &side.name.wire, &location_of(scope, side), diagnostics);
        exports.interfaces.push(name.clone());
        let unknown = [UNKNOWN_METHOD, UNKNOWN_NOTIFICATION];
        let handled = protocol.handled_by(&side.name.wire);
        for (method, model) in handled.zip(&model.side.methods) {
            let plain = method.function().snake();
            check_function(method, (&plain, &model.call), "Python", diagnostics);
        }
        let own = model.side.methods.iter().map(|it| vec![&it.name]).collect();
        module.claim((scope, side), name, &unknown, own, diagnostics);
    }
    module
}

/// Decides the classes of each side.
fn side_classes(
    scope: &Scope<'_>,
    mode: DocsMode,
    (interfaces, connections): (&mut Used, &mut Used),
) -> Vec<SideClasses> {
    let protocol = scope.protocol;
    let mut sides = Vec::new();
    for side in &protocol.sides {
        let handled = protocol.handled_by(&side.name.wire);
        let methods: Vec<_> = handled
            .map(|method| SideMethod::new(scope, mode, method, interfaces, connections))
            .collect();
        let is_abstract = methods.iter().any(|method| !method.method.is_optional);
        if is_abstract {
            interfaces.runtime.standard("abc", "ABC");
            interfaces.runtime.standard("abc", "abstractmethod");
        }
        interfaces.runtime.own("errors", "RequestError");
        interfaces.annotations.typing("Any");
        let wire = inline(&side.name.wire);
        let mut text = description(&side.docs, mode, &format!("What `{wire}` handles."), BODY);
        text.push(String::new());
        text.extend(lines(HOW_TO_HANDLE, BODY));
        let of = SideModel::new(protocol, side, methods, names::side);
        interfaces.annotations.own("connections", &of.names.context);
        connections.runtime.own("interfaces", &of.names.name);
        if of.base.is_some() {
            import_for_base(connections);
        }
        let is_served = of.base.is_some() && remote::serve(protocol, side, connections);
        sides.push(SideClasses {
            constant: format!("_{}", side.name.screaming()),
            doc: docstring(&text, BODY),
            rules: data::expression(&sdk::rules(&protocol.connection_rules(side)), "_rules."),
            ext_method: ExtensionDoc::new(&side.extensions.request, mode, "request", None),
            ext_notification: ExtensionDoc::new(
                &side.extensions.notification,
                mode,
                "notification",
                Some("What comes after it waits until this ends."),
            ),
            side: of,
            wire,
            is_abstract,
            is_served,
        });
    }
    sides
}

/// Imports what a side's own connections take.
fn import_for_base(connections: &mut Used) {
    connections.runtime.standard("contextlib", "asynccontextmanager");
    connections.annotations.collections("AsyncGenerator");
    connections.annotations.collections("Mapping");
    connections.annotations.standard("os", "PathLike");
}

impl SidesModule {
    /// Claims the names of connections.
    pub(super) fn claim_connections(
        &self,
        scope: &Scope<'_>,
        exports: &mut Exports,
        diagnostics: &mut Findings,
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
            // These are chosen: what the package has by them is not renamed.
            for name in model.opened_names() {
                exports.claim(&name, &name, &Location::default(), diagnostics);
                exports.connections.push(name);
            }
        }
    }

    /// Tells whether some requests open a handle.
    pub(crate) fn has_handles(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.side.methods).any(|it| it.handle.is_some())
    }

    /// Tells whether some notifications tell of something from its start to its end.
    pub(crate) fn has_progress(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.side.methods).any(|it| !it.progress.is_empty())
    }

    /// Tells whether some calls have functions beside them.
    pub(crate) fn has_helpers(&self) -> bool {
        let mut methods = self.sides.iter().flat_map(|side| &side.side.methods);
        methods.any(|it| it.choice.is_some() || it.file.is_some())
    }

    /// Claims the names of a class's methods: `names` are those of each method of the side.
    fn claim(
        &self,
        (scope, side): (&Scope<'_>, &Side),
        class: &str,
        own: &[&str],
        names: Vec<Vec<&String>>,
        diagnostics: &mut Findings,
    ) {
        let mut namespace =
            Namespace::new(Things::Functions, format!("methods of `{class}` in Python"));
        let handled = scope.protocol.handled_by(&side.name.wire);
        for (names, method) in names.into_iter().zip(handled) {
            // What stands beside the call itself is not renamed.
            let locations = std::iter::once(method.location.clone());
            let locations = locations.chain(std::iter::repeat(Location::default()));
            for (name, location) in names.into_iter().zip(locations) {
                namespace.claim(name, &method.name.wire, &location, diagnostics);
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
    /// The functions for connections over HTTP or a `WebSocket`: who connects, and who serves.
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
        let spawn = self.side.base.as_ref().map(|_| format!("spawn_{}", names.variable));
        own.into_iter().chain(spawn).chain(self.served_names())
    }

    /// The classes of `connections.py` for what requests open, and for what notifications tell of.
    fn opened_names(&self) -> impl Iterator<Item = String> {
        let methods = self.side.methods.iter();
        let handles = methods.clone().filter_map(|it| Some(it.handle.as_ref()?.name.clone()));
        handles.chain(methods.flat_map(|it| &it.progress).map(|it| it.name.clone()))
    }
}

/// Finds the first location at which the schema names a side.
fn location_of(scope: &Scope<'_>, side: &Side) -> Location {
    let mut handled = scope.protocol.handled_by(&side.name.wire);
    handled.next().map_or_else(Location::default, |method| method.location.clone())
}
