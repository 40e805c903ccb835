//! The objects that say how methods are called and handled.

use super::connections::Used;
use super::names;
use super::text::literal;
use super::types::Scope;
use crate::backend::doc::{Doc, bracketed, concat, group_if, indent, text};
use crate::ir::{Extensions, Method, Stream, Type};

/// The method of an interface that handles extension requests.
pub(super) const EXT_METHOD: &str = "extMethod";

/// The method of an interface that handles extension notifications.
pub(super) const EXT_NOTIFICATION: &str = "extNotification";

/// `const NAME = { … } as const;`, an entry for each method.
pub(super) fn methods(
    scope: Scope<'_>,
    name: &str,
    methods: &[&Method],
    used: &mut Used,
) -> String {
    let entries = methods.iter().map(|method| {
        let handler = names::method(method);
        let mut members = vec![
            ("name", text(literal(&method.name.wire))),
            ("handler", text(literal(&handler))),
            ("params", codec(scope, method.params(), used)),
        ];
        if let Some(result) = method.result() {
            members.push(("result", codec(scope, result, used)));
            if scope.may_be_empty(result) {
                members.push(("empty", text("true")));
            }
        }
        if method.lifecycle {
            members.push(("lifecycle", text("true")));
        }
        if let Some(capability) = &method.capability {
            members.push(("capability", array(capability)));
        }
        concat([text(format!("{handler}: ")), object(members)])
    });
    constant(name, entries.collect())
}

/// `const NAME = { … } as const;`: where the pieces of a result come from.
pub(super) fn stream(
    scope: Scope<'_>,
    name: &str,
    stream: &Stream,
    notification: &Method,
    used: &mut Used,
) -> String {
    let entries = vec![
        entry("notification", text(literal(&stream.notification))),
        entry("params", codec(scope, notification.params(), used)),
        entry("token", array(&stream.token)),
        entry("tokenIn", text(literal(&stream.token_in))),
        entry("delta", text(literal(&stream.delta))),
        entry("result", text(literal(&stream.result))),
    ];
    constant(name, entries)
}

/// How extension messages are called and handled.
pub(super) fn extensions(scope: Scope<'_>, of: &Extensions, used: &mut Used) -> String {
    let mut any = |ty: &Type| {
        if *scope.protocol.resolve(ty) == Type::Any {
            text("rpc.rawObject")
        } else {
            codec(scope, ty, used)
        }
    };
    let mut statements = Vec::new();
    if let Some(params) = &of.request {
        let params = any(params);
        let result = any(of.result.as_ref().unwrap_or(&Type::Any));
        statements.push(extension(EXT_METHOD, params, Some(result)));
    }
    if let Some(params) = &of.notification {
        statements.push(extension(EXT_NOTIFICATION, any(params), None));
    }
    statements.join("\n\n")
}

fn extension(handler: &str, params: Doc, result: Option<Doc>) -> String {
    let named = [("name", text("\"\"")), ("handler", text(literal(handler))), ("params", params)];
    let members = named.into_iter().chain(result.map(|result| ("result", result)));
    constant(handler, members.map(|(key, value)| entry(key, value)).collect())
}

fn codec(scope: Scope<'_>, ty: &Type, used: &mut Used) -> Doc {
    let Type::Named { name } = ty else { return text("rpc.raw") };
    let codec = names::codec(scope.names.of(name));
    used.codecs.insert(codec.clone());
    text(codec)
}

fn constant(name: &str, entries: Vec<Doc>) -> String {
    let object = if entries.is_empty() { text("{}") } else { expanded(entries) };
    super::PRETTIER.print(
        &concat([text(format!("const {name} = ")), object, text(" as const;")]),
        0,
        0,
    )
}

fn object(members: Vec<(&str, Doc)>) -> Doc {
    expanded(members.into_iter().map(|(key, value)| entry(key, value)).collect())
}

/// An object with a line for each property.
fn expanded(entries: Vec<Doc>) -> Doc {
    let lines = entries.into_iter().flat_map(|entry| [Doc::HardLine, entry, text(",")]);
    group_if(concat([text("{"), indent(concat(lines)), Doc::HardLine, text("}")]), true)
}

fn entry(key: &str, value: Doc) -> Doc {
    concat([text(format!("{key}: ")), value])
}

fn array(values: &[String]) -> Doc {
    bracketed("[", values.iter().map(|value| text(literal(value))), "]")
}
