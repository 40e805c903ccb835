//! The methods by which a side is called from the other end.

use super::declarations::{BODY, FUNCTION};
use super::defaults::Default;
use super::doc::{docstring, inline, lines};
use super::fields::description;
use super::imports::Imports;
use super::layout::{self, Expression, listed};
use super::methods::typed;
use super::model::Function;
use super::names;
use super::scope::Scope;
use super::types::{Reader, optional};
use super::variants::Attribute;
use crate::backend::DocsMode;
use crate::ir::{Method, Record, Type, TypeKind};

/// What the modules of calls import.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Whatever is named in annotations.
    pub(super) annotations: Imports,
    /// What is needed when the module runs.
    pub(super) runtime: Imports,
}

/// How the params of a method are made of a call's arguments.
struct Params {
    parameters: Vec<String>,
    /// Statements before the call.
    statements: Vec<String>,
    /// The params.
    value: Expression,
    /// A sentence about the parameters.
    about: Option<String>,
}

/// The method by which another side calls `method`, an entry of the class `table`.
pub(super) fn call(
    scope: &Scope<'_>,
    mode: DocsMode,
    method: &Method,
    table: &str,
    used: &mut Used,
) -> Function {
    let name = names::peer_method(method);
    let wire = inline(&method.name.wire);
    let fact = format!("{} `{wire}`.", if method.is_request() { "Call" } else { "Send" });
    let mut text = description(&method.docs, mode, &fact, FUNCTION);
    let mut facts = Vec::new();
    if text.as_slice() != [fact.as_str()] {
        facts.push(format!("{} `{wire}`.", if method.is_request() { "Calls" } else { "Sends" }));
    }
    let params = params(scope, method.params(), used);
    facts.extend(params.about);
    if let Some(capability) = &method.capability {
        let path = inline(&capability.join("."));
        facts.push(format!(
            "Raises `NotSupportedError` if the other end lacks the capability `{path}`."
        ));
    }
    if !facts.is_empty() {
        text.push(String::new());
        text.extend(lines(&facts.join(" "), FUNCTION));
    }
    let result = match method.result() {
        Some(result) => typed(scope, result, &mut used.annotations),
        None => Expression::atom("None"),
    };
    let (function, keyword) =
        if method.is_request() { ("call", "return await ") } else { ("notify", "await ") };
    let target = format!("{table}.{}", names::function(&method.name));
    let arguments = [Expression::atom("self._link"), Expression::atom(target), params.value];
    let mut body = params.statements;
    let sent = Expression::Call(
        format!("{keyword}_rpc.{function}"),
        arguments.into_iter().map(|argument| (None, argument)).collect(),
    );
    body.extend(layout::statement(FUNCTION, &sent));
    Function {
        header: header("async def", &name, params.parameters, &result),
        doc: docstring(&text, FUNCTION).unwrap_or_default(),
        body,
    }
}

/// The method by which another side calls `method` and gets its result in pieces, if it comes in
/// some.
pub(super) fn streamed(
    scope: &Scope<'_>,
    method: &Method,
    table: &str,
    used: &mut Used,
) -> Option<Function> {
    method.stream.as_ref()?;
    let result = typed(scope, method.result()?, &mut used.annotations);
    let wire = inline(&method.name.wire);
    let about = format!(
        "The token that marks them is put into the params. The parameters are those of `{}`.",
        names::peer_method(method)
    );
    let mut text = lines(&format!("Call `{wire}`, and give its result in pieces."), FUNCTION);
    text.push(String::new());
    text.extend(lines(&about, FUNCTION));
    let params = params(scope, method.params(), used);
    let target = format!("{table}.{}", names::function(&method.name));
    let arguments = [Expression::atom("self._link"), Expression::atom(target), params.value];
    let called = Expression::Call(
        String::from("return _streams.call"),
        arguments.into_iter().map(|argument| (None, argument)).collect(),
    );
    let mut body = params.statements;
    body.extend(layout::statement(FUNCTION, &called));
    let result = Expression::Index("_streams.StreamedCall", vec![result]);
    Some(Function {
        header: header("def", &names::streamed(method), params.parameters, &result),
        doc: docstring(&text, FUNCTION).unwrap_or_default(),
        body,
    })
}

/// The method by which extension messages are sent.
pub(super) fn extension(
    scope: &Scope<'_>,
    name: &str,
    target: &str,
    params: &Type,
    result: Option<&Type>,
    used: &mut Used,
) -> Function {
    let params = typed(scope, params, &mut used.annotations);
    let parameters = vec![String::from("method: str"), format!("params: {}", params.flat())];
    let (what, function, keyword) = match result {
        Some(_) => ("Send a request", "call", "return await "),
        None => ("Send a notification", "notify", "await "),
    };
    let result = match result {
        Some(result) => typed(scope, result, &mut used.annotations),
        None => Expression::atom("None"),
    };
    let text = format!("{what} whose method the schema does not name. It begins with `_`.");
    let sent = format!("{keyword}_rpc.{function}");
    let arguments =
        [String::from("self._link"), format!("{target}.named(method)"), String::from("params")];
    Function {
        header: header("async def", name, parameters, &result),
        doc: docstring(&lines(&text, FUNCTION), FUNCTION).unwrap_or_default(),
        body: listed(FUNCTION, &sent, &arguments, ""),
    }
}

fn header(keyword: &str, name: &str, parameters: Vec<String>, result: &Expression) -> Vec<String> {
    let parameters: Vec<String> = std::iter::once(String::from("self")).chain(parameters).collect();
    let result = format!(" -> {}:", result.flat());
    listed(BODY, &format!("{keyword} {name}"), &parameters, &result)
}

fn params(scope: &Scope<'_>, ty: &Type, used: &mut Used) -> Params {
    if let Type::Named { name } = ty
        && let Some(TypeKind::Record(record)) = scope.def(name).map(|def| &def.kind)
    {
        let class = scope.class(name).to_owned();
        used.runtime.own(".types", &class);
        return of_fields(scope, class, record, used);
    }
    let annotation = typed(scope, ty, &mut used.annotations);
    Params {
        parameters: vec![format!("params: {}", annotation.flat())],
        statements: Vec::new(),
        value: Expression::atom("params"),
        about: None,
    }
}

/// The fields of params as parameters: those that are required by position, others by keyword.
fn of_fields(scope: &Scope<'_>, class: String, record: &Record, used: &mut Used) -> Params {
    let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
    let about = (!attributes.is_empty())
        .then(|| format!("The parameters are the attributes of `{class}`."));
    let is_taken = attributes.iter().any(|attribute| attribute.name == "params");
    let variable = if is_taken { "params_" } else { "params" };
    let (mut required, mut others) = (Vec::new(), Vec::new());
    let mut arguments = Vec::new();
    let mut later = Vec::new();
    for Attribute { name, field, .. } in &attributes {
        let mut absent = Imports::default();
        let default = scope.absent(field, &mut absent);
        let is_nullable = field.presence.is_nullable();
        let ty = parameter_type(scope, &field.ty, &mut used.annotations);
        match default {
            None => {
                let ty = optional(ty, is_nullable, false, &mut used.annotations);
                required.push(format!("{name}: {}", ty.flat()));
            }
            Some(Default::Shared(Expression::Atom(value))) => {
                used.runtime.extend(absent);
                let is_optional = !field.is_always_present();
                let ty = optional(ty, is_nullable, is_optional, &mut used.annotations);
                others.push(format!("{name}: {} = {value}", ty.flat()));
            }
            Some(_) => {
                used.runtime.msgspec("UNSET");
                let ty = optional(ty, is_nullable, true, &mut used.annotations);
                others.push(format!("{name}: {} = UNSET", ty.flat()));
                later.push(name);
                continue;
            }
        }
        arguments.push((name.clone(), Expression::atom(name.clone())));
    }
    let made = Expression::call(class, arguments);
    let mut parameters = required;
    if !others.is_empty() {
        parameters.push(String::from("*"));
        parameters.extend(others);
    }
    if later.is_empty() {
        return Params { parameters, statements: Vec::new(), value: made, about };
    }
    let mut statements = layout::assignment(FUNCTION, variable, None, Some(&made));
    for name in later {
        statements.push(layout::indented(FUNCTION, &format!("if {name} is not UNSET:")));
        let target = format!("{variable}.{name}");
        let value = Expression::atom(name.clone());
        statements.extend(layout::assignment(FUNCTION + 4, &target, None, Some(&value)));
    }
    Params { parameters, statements, value: Expression::atom(variable), about }
}

fn parameter_type(scope: &Scope<'_>, ty: &Type, imports: &mut Imports) -> Expression {
    typed(scope, ty, imports);
    scope.ty(ty, Reader::People, imports)
}
