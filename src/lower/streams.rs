//! Requests whose results come in pieces: `x-stream`, tied to the notification it names.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Field, Handler, Kind, Method, Protocol, Stream, Type};
use crate::schema::{Document, StreamAnnotation};

/// Gives each annotated request its stream, and checks that all it names is there.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let Some(annotation) = &schema.annotations.stream else { continue };
        let mut methods = protocol.methods.iter();
        let Some(index) = methods.position(|method| method.is_request_with(name)) else {
            diagnostics.push(
                Diagnostic::error(
                    "misplaced-stream",
                    format!("`{name}` has an `x-stream`, but is not the params of a request"),
                )
                .at(annotation.location.clone())
                .help("it stands on the params of the request whose result comes in pieces"),
            );
            continue;
        };
        let stream = protocol.methods.get(index).map(|method| stream(protocol, method, annotation));
        match (stream, protocol.methods.get_mut(index)) {
            (Some(Ok(stream)), Some(method)) => method.stream = Some(stream),
            (Some(Err(problem)), _) => diagnostics.push(problem.at(annotation.location.clone())),
            _ => {}
        }
    }
}

fn stream(
    protocol: &Protocol,
    request: &Method,
    annotation: &StreamAnnotation,
) -> Result<Stream, Diagnostic> {
    let notification = notification(protocol, request, &annotation.notification)?;
    let told = notification.params();
    let echoed = field(protocol, told, &annotation.token_in, "tokenIn", &annotation.notification)?;
    takes_text(protocol, &echoed.ty, "tokenIn", &annotation.token_in)?;
    field(protocol, told, &annotation.delta, "delta", &annotation.notification)?;
    let wire = &request.name.wire;
    if let Some(result) = request.result() {
        field(protocol, result, &annotation.result, "result", &format!("the result of {wire}"))?;
    }
    let mut location = Some(request.params());
    let token: Vec<String> = annotation.token.split('.').map(str::to_owned).collect();
    for segment in &token {
        let Some(ty) = location else { break };
        location = match protocol.resolve(ty) {
            // Anything may stand below.
            Type::Any => None,
            Type::Map(map) => Some(&map.values),
            ty => {
                Some(&field(protocol, ty, segment, "token", &format!("the params of {wire}"))?.ty)
            }
        };
    }
    if let Some(ty) = location {
        takes_text(protocol, ty, "token", &annotation.token)?;
    }
    Ok(Stream {
        notification: annotation.notification.clone(),
        token,
        token_in: annotation.token_in.clone(),
        delta: annotation.delta.clone(),
        result: annotation.result.clone(),
    })
}

/// The notification of this name that goes the other way than the request.
fn notification<'a>(
    protocol: &'a Protocol,
    request: &Method,
    wire: &str,
) -> Result<&'a Method, Diagnostic> {
    let mut named = protocol
        .methods
        .iter()
        .filter(|method| method.name.wire == wire && !method.is_request())
        .peekable();
    if named.peek().is_none() {
        let message = format!("`x-stream` names `{wire}`, which is no notification");
        let known = protocol.methods.iter().filter(|method| !method.is_request());
        let near = nearest(wire, known.map(|method| method.name.wire.as_str()));
        return Err(Diagnostic::error("unknown-stream", message)
            .near(near, "`notification` is the `x-method` of a notification"));
    }
    let goes_back = |method: &&Method| match (&method.handler, &request.handler) {
        (Handler::Side { name }, Handler::Side { name: other }) => {
            name != other || protocol.sides.len() == 1
        }
        (Handler::Protocol, _) | (_, Handler::Protocol) => false,
        _ => true,
    };
    named.find(goes_back).ok_or_else(|| {
        let message = format!("`{wire}` is not told to whoever calls `{}`", request.name.wire);
        Diagnostic::error("unknown-stream", message)
            .help("the notification's `x-side` is the side that calls the request")
    })
}

/// A property that the annotation names.
fn field<'a>(
    protocol: &'a Protocol,
    owner: &'a Type,
    wire: &str,
    member: &str,
    owner_name: &str,
) -> Result<&'a Field, Diagnostic> {
    let fields = protocol.fields(owner);
    fields.iter().find(|field| field.name.wire == wire).ok_or_else(|| {
        let message =
            format!("`{wire}`, the `{member}` of `x-stream`, is no property of {owner_name}");
        let near = nearest(wire, fields.iter().map(|field| field.name.wire.as_str()));
        Diagnostic::error("unknown-stream", message)
            .near(near, "the members of `x-stream` name properties that the types have")
    })
}

/// Tokens are strings: those of one connection are told apart by them.
fn takes_text(protocol: &Protocol, ty: &Type, member: &str, path: &str) -> Result<(), Diagnostic> {
    let is_text = |ty: &Type| matches!(protocol.resolve(ty), Type::Any | Type::String(_));
    let takes = is_text(ty)
        || matches!(protocol.resolved(ty).kind, Kind::Union(union)
            if union.untagged().any(|variant| variant.payload.as_ref().is_some_and(is_text)));
    if takes {
        return Ok(());
    }
    let message = format!("`{path}`, the `{member}` of `x-stream`, cannot be a string");
    Err(Diagnostic::error("unknown-stream", message)
        .help("tokens are strings; give the property a type that allows any"))
}
