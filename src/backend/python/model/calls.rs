//! The methods by which a side is called from the other end.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines, sentence};
use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::names;
use super::super::types::optional;
use super::defaults::Default;
use super::fields::description;
use super::scope::Scope;
use super::variants::Attribute;
use super::{FUNCTION, Parameter};
use crate::backend::DocsMode;
use crate::ir::{Method, Record, Type, TypeKind};

/// The imports of the module of connections.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Whatever is named in annotations.
    pub(super) annotations: Imports,
    /// The imports that are needed when the module runs.
    pub(super) runtime: Imports,
}

/// A method that calls one of the protocol.
#[derive(Debug, Serialize)]
pub(crate) struct Call {
    pub(crate) name: String,
    #[serde(skip)]
    pub(crate) wire: String,
    /// Its entry in the class of the side's methods.
    pub(crate) method: String,
    pub(crate) is_request: bool,
    pub(crate) params: Params,
    pub(crate) result: Expression,
    pub(crate) doc: String,
    /// The method that gives the result in pieces, where it comes in some.
    pub(crate) streamed: Option<StreamedCall>,
}

/// A method that calls one whose result comes in pieces. It has the same parameters.
#[derive(Debug, Serialize)]
pub(crate) struct StreamedCall {
    pub(crate) name: String,
    pub(crate) doc: String,
}

/// The params of a method, made of a call's arguments.
#[derive(Debug, Serialize)]
pub(crate) struct Params {
    /// Parameters by position.
    pub(crate) required: Vec<Parameter>,
    /// Parameters by keyword.
    pub(crate) optional: Vec<Parameter>,
    /// The class that is made of them. Without one, the only parameter is the params.
    pub(crate) class: Option<String>,
    /// The attributes that the class is given.
    pub(crate) arguments: Vec<String>,
    /// The attributes that are set afterwards, if they were given: those whose default is a fresh
    /// value each time.
    pub(crate) later: Vec<String>,
    /// The variable for the params.
    pub(crate) variable: &'static str,
}

/// A method that sends what the schema does not name.
#[derive(Debug, Serialize)]
pub(crate) struct ExtensionCall {
    pub(crate) params: Expression,
    pub(crate) result: Expression,
}

/// Decides how another side calls a method.
pub(super) fn call(scope: &Scope<'_>, mode: DocsMode, method: &Method, used: &mut Used) -> Call {
    let wire = inline(&method.name.wire);
    let fact = format!("{} `{wire}`.", if method.is_request() { "Call" } else { "Send" });
    let mut text = description(&method.docs, mode, &fact, FUNCTION);
    let mut facts = Vec::new();
    if text.as_slice() != [fact.as_str()] {
        facts.push(format!("{} `{wire}`.", if method.is_request() { "Calls" } else { "Sends" }));
    }
    let params = params(scope, method.params(), used);
    if let Some(class) = &params.class
        && !(params.required.is_empty() && params.optional.is_empty())
    {
        facts.push(format!("The parameters are the attributes of `{class}`."));
    }
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
        Some(result) => scope.typed(result, &mut used.annotations),
        None => Expression::atom("None"),
    };
    let name = names::peer_method(method);
    let streamed = method.stream.as_ref().map(|_| streamed(method, &wire, &name));
    Call {
        name,
        wire: method.name.wire.clone(),
        method: names::function(&method.name),
        is_request: method.is_request(),
        params,
        result,
        doc: docstring(&text, FUNCTION),
        streamed,
    }
}

fn streamed(method: &Method, wire: &str, whole: &str) -> StreamedCall {
    let text = format!(
        "Call `{wire}`, and give its result in pieces.\n\nThe token that marks them is put into the params. The parameters are those of `{whole}`."
    );
    StreamedCall { name: names::streamed(method), doc: sentence(&text, FUNCTION) }
}

/// Decides how extension messages are sent.
pub(super) fn extension(
    scope: &Scope<'_>,
    params: &Type,
    result: Option<&Type>,
    used: &mut Used,
) -> ExtensionCall {
    let params = scope.typed(params, &mut used.annotations);
    let result = match result {
        Some(result) => scope.typed(result, &mut used.annotations),
        None => Expression::atom("None"),
    };
    ExtensionCall { params, result }
}

fn params(scope: &Scope<'_>, ty: &Type, used: &mut Used) -> Params {
    if let Type::Named { name } = ty
        && let Some(TypeKind::Record(record)) = scope.kind(name)
    {
        let class = scope.class(name).to_owned();
        used.runtime.own(".types", &class);
        return of_fields(scope, class, record, used);
    }
    let annotation = scope.typed(ty, &mut used.annotations);
    Params {
        required: vec![Parameter::new("params", annotation)],
        optional: Vec::new(),
        class: None,
        arguments: Vec::new(),
        later: Vec::new(),
        variable: "params",
    }
}

/// The fields of params as parameters: those that are required by position, others by keyword.
fn of_fields(scope: &Scope<'_>, class: String, record: &Record, used: &mut Used) -> Params {
    let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
    let is_taken = attributes.iter().any(|attribute| attribute.name == "params");
    let (mut required, mut others) = (Vec::new(), Vec::new());
    let (mut arguments, mut later) = (Vec::new(), Vec::new());
    for Attribute { name, field, .. } in attributes {
        let mut absent = Imports::default();
        let default = scope.absent(field, &mut absent);
        let ty = scope.typed(&field.ty, &mut used.annotations);
        let mut parameter = |default: Option<Expression>, is_optional| {
            let is_nullable = field.presence.is_nullable();
            let ty = optional(ty.clone(), is_nullable, is_optional, &mut used.annotations);
            Parameter { name: name.clone(), ty, default, wire: field.name.wire.clone() }
        };
        match default {
            None => required.push(parameter(None, false)),
            Some(Default::Shared(value @ Expression::Atom(_))) => {
                others.push(parameter(Some(value), !field.is_always_present()));
                used.runtime.extend(absent);
            }
            Some(_) => {
                others.push(parameter(Some(Expression::atom("UNSET")), true));
                used.runtime.msgspec("UNSET");
                later.push(name);
                continue;
            }
        }
        arguments.push(name);
    }
    let variable = if is_taken { "params_" } else { "params" };
    Params { required, optional: others, class: Some(class), arguments, later, variable }
}
