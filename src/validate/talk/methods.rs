//! Methods by name, kind and direction.

use crate::diagnostic::nearest;
use crate::ir::{Handler, Method, Protocol, Type};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// The outcome of looking up a method.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'a> {
    /// A method.
    Method(&'a Method),
    /// A method that is handled by another side than the one that gets the call.
    WrongWay(&'a Method),
    /// A request for a notification, or the other way round.
    WrongKind(&'a Method),
    /// A method that the schema leaves to extensions, with the type of its params.
    Extension(&'a Type),
    /// No method has the name.
    Unknown,
}

impl<'a> Found<'a> {
    /// The method.
    pub(super) fn method(self) -> Option<&'a Method> {
        match self {
            Self::Method(method) | Self::WrongWay(method) | Self::WrongKind(method) => Some(method),
            Self::Extension(_) | Self::Unknown => None,
        }
    }

    /// The type of the params.
    pub(super) fn params(self) -> Option<&'a Type> {
        match self {
            Self::Extension(params) => Some(params),
            found => found.method().map(Method::params),
        }
    }
}

/// Looks up the method of a call from one side to another, as far as the sides are known.
pub(super) fn find<'a>(
    protocol: &'a Protocol,
    name: &str,
    is_request: bool,
    [from, to]: [Option<&str>; 2],
) -> Found<'a> {
    let is_alone = protocol.sides.len() == 1;
    let is_own = |method: &Method| match &method.handler {
        Handler::Side { name } => {
            let is_senders = from == Some(name.as_str()) && !is_alone;
            is_senders || to.is_some_and(|to| to != name.as_str())
        }
        Handler::Either | Handler::Protocol => false,
    };
    let named: Vec<&Method> = protocol.named(name).collect();
    let find = |kind: bool, own: bool| {
        let mut fitting = named.iter().copied();
        fitting.find(|it| (it.is_request() == is_request) == kind && is_own(it) == own)
    };
    if let Some(method) = find(true, false) {
        return Found::Method(method);
    }
    if let Some(method) = find(false, false) {
        return Found::WrongKind(method);
    }
    if let Some(method) = find(true, true).or_else(|| find(false, true)) {
        return Found::WrongWay(method);
    }
    let extensions = protocol.extensions.as_ref();
    let extension = extensions
        .and_then(|of| if is_request { of.request.as_ref() } else { of.notification.as_ref() });
    extension.map_or(Found::Unknown, Found::Extension)
}

/// Reports what is wrong with the method of a call.
pub(super) fn tell(
    found: &Found<'_>,
    protocol: &Protocol,
    name: &str,
    at: &At<'_>,
    findings: &mut Findings<'_>,
) {
    let span = at.node.get("method").map(|method| method.span);
    let spot = |method: Option<&Method>| Spot {
        span,
        pointer: "/method".to_owned(),
        path: "method".to_owned(),
        schema: method.map(|method| method.location.clone()),
    };
    let near = || {
        let names = protocol.methods.iter().map(|method| method.name.wire.as_str());
        nearest(name, names).map(|near| format!("; did you mean `{near}`?"))
    };
    match found {
        Found::Method(_) => {}
        Found::WrongWay(method) => {
            let side = match &method.handler {
                Handler::Side { name } => name.as_str(),
                Handler::Either | Handler::Protocol => "either side",
            };
            let message = format!("`{name}` does not go there: `{side}` handles it");
            findings.add(&rules::WRONG_DIRECTION, at, spot(Some(method)), message);
        }
        Found::WrongKind(method) => {
            let message = if method.is_request() {
                format!("`{name}` is a request, but has no id")
            } else {
                format!("`{name}` is a notification, but has an id")
            };
            findings.add(&rules::WRONG_KIND, at, spot(Some(method)), message);
        }
        Found::Extension(_) => {
            let (rule, message) = if let Some(near) = near() {
                (&rules::UNKNOWN_METHOD, format!("the schema has no method `{name}`{near}"))
            } else {
                (&rules::EXTENSION_METHOD, format!("the schema leaves `{name}` to extensions"))
            };
            findings.add(rule, at, spot(None), message);
        }
        Found::Unknown => {
            let message =
                format!("the schema has no method `{name}`{}", near().unwrap_or_default());
            findings.add(&rules::UNKNOWN_METHOD, at, spot(None), message);
        }
    }
}
