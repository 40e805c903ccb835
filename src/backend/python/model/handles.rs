//! The classes of handles: a handle is the result of a request that opens something.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines};
use super::super::expression::Expression;
use super::super::imports::{Imports, Used};
use super::super::names;
use super::super::types::optional;
use super::calls::Params;
use super::fields::description;
use super::scope::Scope;
use super::variants::{Attribute, record};
use super::{BODY, FUNCTION};
use crate::backend::DocsMode;
use crate::ir::{Field, Method};

/// The class of what a request opens.
#[derive(Debug, Serialize)]
pub(crate) struct HandleClass {
    pub(crate) name: String,
    /// The class of the request's result, which it inherits.
    pub(crate) response: String,
    /// True if that class is a struct.
    is_struct: bool,
    /// The attributes of that class.
    attributes: Vec<String>,
    /// The id as an attribute of its own, if it can be read as `id`, too.
    pub(crate) short_id: Option<ShortId>,
    /// The attributes of the params that the other requests are given, too.
    with: Vec<String>,
    pub(crate) methods: Vec<HandleCall>,
    pub(crate) release: Option<HandleCall>,
    doc: String,
}

/// The id under the name that every handle has for it.
#[derive(Debug, Serialize)]
pub(crate) struct ShortId {
    /// The attribute that holds it.
    attribute: String,
    #[serde(rename = "type")]
    pub(crate) ty: Expression,
    doc: String,
}

/// A method of a handle.
#[derive(Debug, Serialize)]
pub(crate) struct HandleCall {
    pub(crate) name: String,
    /// The wire name of the method that it calls.
    #[serde(skip)]
    pub(crate) of: String,
    /// The method of the other end that it calls.
    call: String,
    /// The parameters of the function, and the arguments of the call: pairs of a name and a value.
    pub(crate) params: Params,
    given: Vec<[String; 2]>,
    pub(crate) result: Expression,
    doc: String,
}

/// The class of the handle that a method opens, if it opens one.
pub(super) fn handle(
    scope: &Scope<'_>,
    mode: DocsMode,
    method: &Method,
    used: &mut Used,
) -> Option<HandleClass> {
    let handle = method.handle.as_ref()?;
    let (name, result) = record(scope.protocol, method.result()?)?;
    let wire = inline(&method.name.wire);
    let released = if handle.release.is_some() {
        " `async with` gives it back, and so does `release`; what was given back is not given back again."
    } else {
        ""
    };
    let text = format!(
        "What `{wire}` opened, as it was answered.\n\nIts methods call what takes its id.{released}"
    );
    let mut build = |name: String, wire: &str| call(scope, mode, method, name, wire, used);
    let methods = handle.methods.iter();
    let methods = methods.filter_map(|it| build(names::function(&it.name), &it.method)).collect();
    let release = handle.release.as_ref().and_then(|it| build(String::from("release"), it));
    let has_short_id = handle.has_short_id(result.fields.iter().map(|field| &field.name));
    let mut held = result.fields.iter().filter(|_| has_short_id);
    let held = held.find(|field| field.name.wire == handle.id.wire);
    let short_id = held.map(|field| ShortId {
        attribute: names::attribute(&field.name),
        ty: short_id_type(scope, field, used),
        doc: docstring(&lines(&format!("Its `{}`.", inline(&field.name.wire)), FUNCTION), FUNCTION),
    });
    let class = if release.is_some() { "Releasable" } else { "Handle" };
    used.runtime.own("runtime/handles", class);
    Some(HandleClass {
        name: names::class(&handle.name),
        response: scope.class(name).to_owned(),
        is_struct: !scope.needs_wire_map(name, result),
        short_id,
        attributes: result.fields.iter().map(|field| names::attribute(&field.name)).collect(),
        with: handle.with.iter().map(names::attribute).collect(),
        methods,
        release,
        doc: docstring(&lines(&text, BODY), BODY),
    })
}

fn short_id_type(scope: &Scope<'_>, id: &Field, used: &mut Used) -> Expression {
    let ty = scope.typed(&id.ty, &mut used.annotations);
    optional(ty, id.presence.is_nullable(), false, &mut used.annotations)
}

/// A method that fills in what the handle knows.
fn call(
    scope: &Scope<'_>,
    mode: DocsMode,
    opener: &Method,
    name: String,
    wire: &str,
    used: &mut Used,
) -> Option<HandleCall> {
    let handle = opener.handle.as_ref()?;
    let method = scope.protocol.method_of(&opener.handler, wire)?;
    let (params, of) = record(scope.protocol, method.params())?;
    let mut given = Vec::new();
    let mut open = Vec::new();
    for attribute in of.fields.iter().map(Attribute::own) {
        let is = |name: &crate::ir::Name| name.wire == attribute.field.name.wire;
        if is(&handle.id) {
            let id = names::attribute(&handle.id);
            given.push([attribute.name, format!("self.{id}")]);
        } else if let Some(with) = handle.with.iter().find(|name| is(name)) {
            let key = Expression::string(&names::attribute(with));
            given.push([attribute.name, format!("self._given[{key}]")]);
        } else {
            open.push(attribute);
        }
    }
    let annotations = &mut used.annotations;
    let annotate = |field: &crate::ir::Field| scope.typed(&field.ty, annotations);
    let mut imports = Imports::default();
    let params =
        Params::of_fields(scope, scope.class(params), "params", &open, annotate, &mut imports);
    used.runtime.extend(imports);
    let taken = params.positional.iter().chain(&params.keywords);
    given.extend(taken.map(|it| [it.name.clone(), it.name.clone()]));
    let fallback = format!("Call `{}` of this one.", inline(wire));
    Some(HandleCall {
        name,
        of: wire.to_owned(),
        call: names::peer_method(method),
        params,
        given,
        result: method.result().map_or_else(
            || Expression::atom("None"),
            |result| scope.typed(result, &mut used.annotations),
        ),
        doc: docstring(&description(&method.docs, mode, &fallback, FUNCTION), FUNCTION),
    })
}
