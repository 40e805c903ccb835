//! The methods of a side, as `interfaces.py` and `connections.py` have them.

use serde::Serialize;

use super::super::docs::{docstring, inline, sentence, with_facts};
use super::super::expression::Expression;
use super::super::imports::{Imports, Used};
use super::super::types::optional;
use super::super::{literals, names};
use super::calls::Params;
use super::fields::description;
use super::handles::{self, HandleClass};
use super::helpers::{self, ChoiceFunctions, FileFunction};
use super::progress::{self, ProgressClass};
use super::scope::Scope;
use super::{FUNCTION, status};
use crate::backend::DocsMode;
use crate::backend::sides::MethodModel;
use crate::ir::{Docs, Method, Type, TypeKind};

/// The paragraph for handlers of notifications: the messages that follow wait for them.
const HOW_OTHERS_WAIT: &str = "What comes after it waits until this ends: start a task for slow work, or name the method in `ConnectionOptions.concurrent`.";

/// A method that a side handles, and that others call.
#[derive(Debug, Serialize)]
pub(crate) struct SideMethod {
    #[serde(flatten)]
    pub(crate) method: MethodModel,
    /// The names in Python of the handler, of the call, and of the call that gives the result in
    /// pieces, where it comes in some.
    pub(crate) name: String,
    pub(crate) call: String,
    pub(crate) streamed: Option<String>,
    doc: String,
    /// The decorators with which a call warns.
    decorators: Vec<Expression>,
    call_doc: String,
    streamed_doc: String,
    /// The parameters of the call, and the type of the params.
    pub(crate) params: Params,
    pub(crate) request: Expression,
    /// The type of its result, and of what a handler may answer.
    pub(crate) result: Expression,
    pub(crate) answer: Expression,
    /// The codecs of its params, and of its result for a request.
    params_codec: String,
    /// The codec of the notification that brings the pieces of its result.
    piece_codec: Option<String>,
    result_codec: Option<String>,
    /// The class of the result, if it has just one.
    result_type: Option<String>,
    /// True if an empty object is a result.
    is_empty: bool,
    /// The class of the handle that it opens, if it opens one.
    pub(crate) handle: Option<HandleClass>,
    /// The classes of what it tells of from the start to the end.
    pub(crate) progress: Vec<ProgressClass>,
    /// The functions beside the call.
    pub(crate) choice: Option<ChoiceFunctions>,
    pub(crate) file: Option<FileFunction>,
}

impl SideMethod {
    pub(super) fn new(
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
        let waits = (!is_request).then(|| String::from(HOW_OTHERS_WAIT));
        let doc = documentation(
            &method.docs,
            mode,
            [format!("Handle `{wire}`."), format!("Handles `{wire}`.")],
            is_optional.into_iter().chain(called).chain(waits),
        );
        let params = Params::new(scope, method.params(), connections);
        let takes = params.class.as_ref().filter(|_| !params.is_empty());
        let takes = takes.map(|class| format!("The parameters are the attributes of `{class}`."));
        let raises = needed.map(|path| {
            format!("Raises `NotSupportedError` if the other end lacks the capability `{path}`.")
        });
        let [call, calls] = if is_request { ["Call", "Calls"] } else { ["Send", "Sends"] };
        let call_doc = documentation(
            &method.docs,
            mode,
            [format!("{call} `{wire}`."), format!("{calls} `{wire}`.")],
            takes.into_iter().chain(raises),
        );
        let name = names::peer_method(method);
        let streamed_text = format!(
            "Call `{wire}`, and give its result in pieces.\n\nThe token that marks them is put into the params. The parameters are those of `{name}`."
        );
        let result = expression(scope, method.result(), &mut connections.annotations);
        let result_type = method.result().and_then(|result| record(scope, result));
        if let Some(class) = result_type {
            connections.runtime.own("types", class);
        }
        let is_empty = method.result().is_some_and(|result| can_be_empty(scope, result));
        interfaces.annotations.extend(types(scope, [Some(method.params()), method.result()]));
        Self {
            method: MethodModel::new(method, literals::string),
            name: names::function(method.function()),
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
            piece_codec: method
                .stream
                .as_ref()
                .and_then(|stream| scope.protocol.stream_notification(stream))
                .map(|notification| codec(scope, notification.params())),
            result_codec: method.result().map(|result| codec(scope, result)),
            result_type: result_type.map(String::from),
            is_empty,
            handle: handles::handle(scope, mode, method, connections),
            progress: progress::progress(scope, method, connections),
            choice: helpers::choice(scope, method, connections),
            file: helpers::file(scope, method, connections),
        }
    }

    pub(super) fn call_names(&self) -> Vec<&String> {
        let progress = self.progress.iter().map(|it| &it.function);
        let yes = self.choice.iter().filter_map(|it| it.yes.as_ref()).map(|it| &it.name);
        let helpers = self.choice.iter().map(|it| &it.name).chain(yes);
        let helpers = helpers.chain(self.file.iter().map(|it| &it.name));
        let own = [&self.call].into_iter().chain(&self.streamed);
        own.chain(progress).chain(helpers).collect()
    }
}

/// A docstring for a method: what the schema says of it, and facts. Without a description it is
/// said what the method does (`instead`), else that is one of the facts (`first`).
pub(super) fn documentation(
    docs: &Docs,
    mode: DocsMode,
    [instead, first]: [String; 2],
    facts: impl IntoIterator<Item = String>,
) -> String {
    let text = description(docs, mode, &instead, FUNCTION);
    let is_described = text.as_slice() != [instead];
    let facts: Vec<String> = is_described.then_some(first).into_iter().chain(facts).collect();
    docstring(&with_facts(text, &facts, FUNCTION), FUNCTION)
}

/// The class of a type, if its values have just one.
fn record<'s>(scope: &'s Scope<'_>, ty: &Type) -> Option<&'s str> {
    let Type::Named { name } = ty else { return None };
    matches!(scope.kind(name), Some(TypeKind::Record(_))).then(|| scope.class(name))
}

/// Tells whether a handler may answer `None`, because an empty object would do.
fn can_be_empty(scope: &Scope<'_>, ty: &Type) -> bool {
    scope.protocol.required_fields(ty).is_some_and(|mut fields| fields.next().is_none())
}

/// The imports of types.
pub(super) fn types(scope: &Scope<'_>, types: [Option<&Type>; 2]) -> Imports {
    let mut imports = Imports::default();
    for ty in types.into_iter().flatten() {
        scope.typed(ty, &mut imports);
    }
    imports
}

/// The type of a result, if there is one.
pub(super) fn expression(
    scope: &Scope<'_>,
    result: Option<&Type>,
    imports: &mut Imports,
) -> Expression {
    result.map_or_else(|| Expression::atom("None"), |result| scope.typed(result, imports))
}

/// The codec of values of a type.
pub(super) fn codec(scope: &Scope<'_>, ty: &Type) -> String {
    match ty {
        Type::Named { name } => format!("codecs.{}", names::codec(scope.class(name))),
        Type::Null => String::from("_rpc.NONE"),
        _ => String::from("_rpc.RAW"),
    }
}
