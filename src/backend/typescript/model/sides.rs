//! Sides: their interfaces, their connections, and how others call them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::helpers::ChoiceModel;
use super::negotiation::NegotiationModel;
use super::progress::{ProgressModel, progress};
use crate::backend::names::check_function;
use crate::backend::sides;
use crate::backend::typescript::data;
use crate::backend::typescript::docs::{Comment, status};
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{key, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{Docs, Extensions, Findings, Method, Namespace, Side, Things, Type};
use crate::sdk;
use crate::source::Location;

/// A side of a connection.
pub(super) type SideModel = sides::SideModel<MethodModel>;

/// All sides.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct SidesModel {
    pub(super) sides: Vec<SideModel>,
    /// The rules of each side and of its connections, in the order of `sides`.
    rules: Vec<RulesModel>,
    /// The imports of interfaces, and those of connections.
    interface_imports: TypeImports,
    connection_imports: TypeImports,
    /// The interfaces and the contexts of all sides, sorted.
    interfaces: BTreeSet<String>,
    contexts: BTreeSet<String>,
    /// True if a handler may answer nothing, which a common lint rule has to be told about.
    allows_void: bool,
    /// True if some results come in pieces.
    pub(in crate::backend::typescript) has_streams: bool,
    /// How the two ends agree on a version, if the schema says so.
    pub(super) negotiation: Option<NegotiationModel>,
    /// Requests and notifications that the schema does not name.
    pub(super) ext_method: Option<ExtensionModel>,
    pub(super) ext_notification: Option<ExtensionModel>,
}

/// The rules of a side and of its connections.
#[derive(Debug, Serialize)]
struct RulesModel {
    /// The comment of its interface, and the tags that warn of it.
    doc: Vec<String>,
    status: Vec<String>,
    /// The comments of what the schema does not name: requests and notifications.
    ext_method: ExtensionDoc,
    ext_notification: ExtensionDoc,
    /// The rules of its connections, as an expression.
    rules: String,
}

/// The comments of a method that handles what the schema does not name, and of one that sends it.
#[derive(Debug, Serialize)]
struct ExtensionDoc {
    doc: Vec<String>,
    call_doc: Vec<String>,
}

/// Messages whose method the schema does not name.
#[derive(Debug, Serialize)]
pub(super) struct ExtensionModel {
    pub(super) types: MethodTypes,
    /// The type of what a handler answers.
    pub(super) answer: Option<Expr>,
    /// The codecs of its params and of its result.
    params: String,
    result: Option<String>,
}

/// A method of a side.
#[derive(Debug, Serialize)]
pub(super) struct MethodModel {
    #[serde(flatten)]
    pub(super) method: sides::MethodModel,
    /// Its wire name as a key.
    pub(super) wire_key: String,
    /// The method of the interface, and that by which others call it.
    pub(super) name: String,
    pub(super) call: String,
    doc: Vec<String>,
    call_doc: Vec<String>,
    pub(super) types: MethodTypes,
    /// True if nothing is an answer, too.
    pub(super) allows_void: bool,
    /// The codecs of its params and of its result.
    params: String,
    result: Option<String>,
    pub(super) pieces: Option<PiecesModel>,
    /// The class of the handle that it opens.
    pub(super) handle: Option<String>,
    /// The items that it tells of from start to end.
    pub(super) progress: Vec<ProgressModel>,
    /// The functions that give what was chosen.
    pub(super) choice: Option<ChoiceModel>,
}

/// The types of a method's params and result.
#[derive(Debug, Serialize)]
pub(super) struct MethodTypes {
    pub(super) params: Expr,
    pub(super) result: Option<Expr>,
}

/// The pieces in which a result comes.
#[derive(Debug, Serialize)]
pub(super) struct PiecesModel {
    doc: Vec<String>,
    /// The object that says how the pieces arrive.
    name: String,
    /// The type of a piece.
    #[serde(rename = "type")]
    pub(super) ty: Expr,
    /// The codec of the notification's params.
    params: String,
}

impl SidesModel {
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Self {
        let protocol = scope.protocol;
        let mut interfaces = TypeImports::default();
        let mut connections = TypeImports::default();
        let mut sides = Vec::new();
        for side in &protocol.sides {
            let handled = protocol.handled_by(&side.name.wire);
            let methods = handled.map(|method| {
                MethodModel::new((scope, side), method, &mut interfaces, &mut connections)
            });
            let methods = methods.collect();
            sides.push(SideModel::new(protocol, side, methods, names::side));
        }
        sides::keep_accessors_apart(sides.iter_mut(), |method: &MethodModel| {
            let progress = method.progress.iter().map(|it| it.function.clone());
            let choice = method.choice.iter().flat_map(ChoiceModel::functions).cloned();
            [method.call.clone()].into_iter().chain(progress).chain(choice).collect()
        });
        let extensions = protocol.extensions.as_ref();
        let ext_method = extensions.and_then(Extensions::requests).map(|(params, result)| {
            let answer = interfaces.expression(scope, result);
            interfaces.extension(scope, params);
            let extension = ExtensionModel::new(scope, params, Some(result), &mut connections);
            ExtensionModel { answer: Some(answer), ..extension }
        });
        let notification = extensions.and_then(|them| them.notification.as_ref());
        let ext_notification = notification.map(|params| {
            interfaces.extension(scope, params);
            ExtensionModel::new(scope, params, None, &mut connections)
        });
        let mut results = protocol.methods.iter().filter_map(Method::result);
        let model = Self {
            interfaces: sides.iter().map(|side| side.names.name.clone()).collect(),
            contexts: sides.iter().map(|side| side.names.context.clone()).collect(),
            allows_void: results.any(|result| may_be_empty(scope, result)),
            has_streams: protocol.has_streams(),
            negotiation: NegotiationModel::new(scope),
            rules: protocol.sides.iter().map(|side| RulesModel::new(scope, side)).collect(),
            interface_imports: interfaces,
            connection_imports: connections,
            ext_method,
            ext_notification,
            sides,
        };
        for (side, of) in model.sides.iter().zip(&protocol.sides) {
            model.claim(scope, side, of, diagnostics);
        }
        model
    }

    /// Tells whether there are no sides.
    pub(in crate::backend::typescript) fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Claims the names of an interface's methods.
    fn claim(&self, scope: Scope<'_>, model: &SideModel, side: &Side, diagnostics: &mut Findings) {
        let mut members = Namespace::new(
            Things::Functions,
            format!("methods of `{}` in TypeScript", model.names.name),
        );
        let handled = scope.protocol.handled_by(&side.name.wire);
        for (model, method) in model.methods.iter().zip(handled) {
            let plain = method.function().camel();
            // What calls it has members of its own beside.
            let spelled = names::peer_method(method);
            check_function(method, (&plain, &spelled), "TypeScript", diagnostics);
            let streamed = model.pieces.as_ref().map(|_| format!("{}Streamed", model.name));
            for name in [Some(&model.name), streamed.as_ref()].into_iter().flatten() {
                members.claim(name, &method.name.wire, &method.location, diagnostics);
            }
            for progress in &model.progress {
                let of = &progress.name;
                members.claim(&progress.function, of, &Location::default(), diagnostics);
            }
            for function in model.choice.iter().flat_map(ChoiceModel::functions) {
                members.claim(function, &method.name.wire, &Location::default(), diagnostics);
            }
        }
        let extensions = [
            (names::EXT_METHOD, &self.ext_method),
            (names::EXT_NOTIFICATION, &self.ext_notification),
        ];
        for (name, _) in extensions.iter().filter(|(_, extension)| extension.is_some()) {
            members.claim(name, name, &Location::default(), diagnostics);
        }
    }
}

impl RulesModel {
    fn new(scope: Scope<'_>, side: &Side) -> Self {
        let name = names::side(side).name;
        let doc = Comment::new(&side.docs, scope.docs)
            .paragraph(&format!("What a handler of the `{name}` side answers."));
        Self {
            doc: doc.block(0),
            status: status(&side.docs),
            ext_method: ExtensionDoc::new(scope, &side.extensions.request, "request"),
            ext_notification: ExtensionDoc::new(
                scope,
                &side.extensions.notification,
                "notification",
            ),
            rules: data::expression(&sdk::rules(&scope.protocol.connection_rules(side)), 4),
        }
    }
}

impl ExtensionDoc {
    fn new(scope: Scope<'_>, docs: &Docs, kind: &str) -> Self {
        let comment = |line: &str| Comment::new(docs, scope.docs).paragraph(line).block(2);
        Self {
            doc: comment(&format!("Handles a {kind} whose method the schema does not name.")),
            call_doc: comment(&format!(
                "Sends a {kind} whose method the schema does not name. It begins with `_`."
            )),
        }
    }
}

impl ExtensionModel {
    fn new(
        scope: Scope<'_>,
        params: &Type,
        result: Option<&Type>,
        imports: &mut TypeImports,
    ) -> Self {
        let types = MethodTypes {
            params: imports.extension(scope, params),
            result: result.map(|result| imports.extension(scope, result)),
        };
        let params = imports.extension_codec(scope, params);
        let result = result.map(|result| imports.extension_codec(scope, result));
        Self { types, answer: None, params, result }
    }
}

/// The paragraph for handlers of notifications: the messages that follow wait for them.
const HOLDS_BACK: &str = "What comes after it waits until this has ended: begin slow work without\n\
                          waiting for it, or name the method in the option `concurrent`.";

impl MethodModel {
    fn new(
        (scope, side): (Scope<'_>, &Side),
        method: &Method,
        interfaces: &mut TypeImports,
        connections: &mut TypeImports,
    ) -> Self {
        let wire = &method.name.wire;
        let comment = |fact: String, needs: &str, is_handled: bool| {
            let comment = Comment::new(&method.docs, scope.docs).paragraph(&fact);
            let holds_back = is_handled && !method.is_request();
            let comment = if holds_back { comment.paragraph(HOLDS_BACK) } else { comment };
            let comment = match &method.capability {
                Some(path) => comment.paragraph(&format!("{needs} `{}`.", path.join("."))),
                None => comment,
            };
            comment.block(2)
        };
        let (kind, verb) =
            if method.is_request() { ("request", "Calls") } else { ("notification", "Sends") };
        let result = method.result();
        connections.expression(scope, method.params());
        // What is opened is called by the class that has its calls.
        if let Some(result) = result.filter(|_| method.handle.is_none()) {
            connections.expression(scope, result);
        }
        Self {
            method: sides::MethodModel::new(method, literal),
            wire_key: key(wire),
            name: names::method(method),
            call: names::peer_method(method),
            doc: comment(
                format!("Handles the {kind} `{wire}`."),
                "Called only with the capability",
                true,
            ),
            call_doc: comment(
                format!("{verb} `{wire}`."),
                "Fails if the other end lacks the capability",
                false,
            ),
            types: MethodTypes {
                params: interfaces.expression(scope, method.params()),
                result: result.map(|result| interfaces.expression(scope, result)),
            },
            allows_void: result.is_some_and(|result| may_be_empty(scope, result)),
            params: connections.codec(scope, method.params()),
            result: result.map(|result| connections.codec(scope, result)),
            pieces: PiecesModel::new(scope, method, connections),
            handle: method.handle.as_ref().map(names::handle),
            progress: progress(scope, side, method, connections),
            choice: ChoiceModel::new(scope, method, connections),
        }
    }
}

impl PiecesModel {
    fn new(scope: Scope<'_>, method: &Method, imports: &mut TypeImports) -> Option<Self> {
        let stream = method.stream.as_ref()?;
        let piece = scope.protocol.stream_delta(stream)?;
        let notification = scope.protocol.stream_notification(stream)?;
        let wire = &method.name.wire;
        let comment = Comment::about(format!("Calls `{wire}`, and gives its result in pieces."))
            .paragraph("The token that marks them is put into the params.");
        Some(Self {
            doc: comment.status(&method.docs).block(2),
            name: names::stream(method),
            ty: imports.expression(scope, piece),
            params: imports.codec(scope, notification.params()),
        })
    }
}

/// Tells whether a result need not say anything, so that a handler may return nothing.
fn may_be_empty(scope: Scope<'_>, result: &Type) -> bool {
    let protocol = scope.protocol;
    matches!(protocol.resolve(result), Type::Map(_) | Type::Null)
        || protocol.required_fields(result).is_some_and(|mut fields| fields.next().is_none())
}
