//! Messages that cancel requests: `x-cancels`, tied to the requests it names.

use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Cancels, Field, Method, Protocol, Type};
use crate::schema::{CancelsAnnotation, Document};

/// Gives each annotated method what it cancels, and checks that all it names is there.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let annotations = &schema.annotations.cancels;
        let Some(first) = annotations.first() else { continue };
        let mut methods = protocol.methods.iter();
        let is_it = |method: &Method| matches!(method.params(), Type::Named { name: params } if params == name);
        let Some(index) = methods.position(is_it) else {
            let message = format!("`{name}` has `x-cancels`, but is not the params of a method");
            diagnostics.push(
                Diagnostic::error("misplaced-cancels", message)
                    .at(first.location.clone())
                    .help("it stands on the params of the method that cancels requests"),
            );
            continue;
        };
        let mut cancels = Vec::new();
        for annotation in annotations {
            let method = protocol.methods.get(index);
            match method.map(|method| cancelled(protocol, method, annotation)) {
                Some(Ok(found)) => cancels.push(found),
                Some(Err(problem)) => diagnostics.push(problem.at(annotation.location.clone())),
                None => {}
            }
        }
        if let Some(method) = protocol.methods.get_mut(index) {
            method.cancels = cancels;
        }
    }
}

fn cancelled(
    protocol: &Protocol,
    method: &Method,
    annotation: &CancelsAnnotation,
) -> Result<Cancels, Diagnostic> {
    let CancelsAnnotation { request: wire, key, result, .. } = annotation;
    let Some(request) = protocol.request(wire) else {
        let requests = protocol.methods.iter().filter(|method| method.is_request());
        let near = nearest(wire, requests.map(|method| method.name.wire.as_str()));
        let message = format!("`x-cancels` names `{wire}`, which is no request");
        return Err(Diagnostic::error("unknown-cancels", message)
            .near(near, "`request` is the `x-method` of a request"));
    };
    for holder in [method, request] {
        let fields = named_fields(protocol, holder.params());
        if !fields.iter().any(|field: &Field| field.name.wire == *key) {
            let message = format!(
                "`{key}`, the `key` of `x-cancels`, is no property of the params of `{}`",
                holder.name.wire
            );
            let near = nearest(key, fields.iter().map(|field| field.name.wire.as_str()));
            return Err(Diagnostic::error("unknown-cancels", message)
                .near(near, "`key` is a property that the params of both methods have"));
        }
    }
    Ok(Cancels { request: wire.clone(), key: key.clone(), result: result.clone() })
}
