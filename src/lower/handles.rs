//! Handles: `x-handle`, tied to the methods that it names.

use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Field, Handle, HandleMethod, Method, Name, Protocol};
use crate::schema::{Document, HandleAnnotation};

/// Gives each annotated request its handle, and checks that all it names is there.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let Some(annotation) = &schema.annotations.handle else { continue };
        let mut methods = protocol.methods.iter();
        let index = methods.position(|method| method.is_request_with(name));
        let opener = index.and_then(|index| protocol.methods.get(index));
        let handle = opener.map_or_else(
            || {
                let message = format!("`{name}` has an `x-handle`, but is no request's params");
                Err(Diagnostic::error("misplaced-handle", message)
                    .help("it stands on the params of the request that opens the thing"))
            },
            |method| handle(protocol, method, annotation),
        );
        match (handle, index.and_then(|index| protocol.methods.get_mut(index))) {
            (Ok(handle), Some(method)) => method.handle = Some(handle),
            (Err(problem), _) => diagnostics.push(problem.at(annotation.location.clone())),
            (Ok(_), None) => {}
        }
    }
}

fn handle(
    protocol: &Protocol,
    opener: &Method,
    annotation: &HandleAnnotation,
) -> Result<Handle, Diagnostic> {
    let wire = &opener.name.wire;
    if protocol.types.contains_key(&annotation.name) {
        let message = format!("`{}`, the `name` of `x-handle`, is a type", annotation.name);
        return Err(error(message).help("give the class a name of its own"));
    }
    let result = opener.result().map_or(&[][..], |result| named_fields(protocol, result));
    let given = format!("the result of `{wire}`");
    let id = required(result, &annotation.id, "id", &given)?;
    let mut shared = vec![id];
    let params = named_fields(protocol, opener.params());
    for with in &annotation.with {
        shared.push(required(params, with, "with", &format!("the params of `{wire}`"))?);
    }
    let named = annotation.methods.keys().chain(&annotation.release);
    for called in named {
        let Some(method) = protocol.method_of(&opener.handler, called) else {
            let known = protocol.methods_of(&opener.handler);
            let near = nearest(called, known.map(|it| it.name.wire.as_str()));
            let message = format!("`x-handle` names `{called}`, which is no method of that side");
            return Err(error(message).near(near, "name methods that the same side handles"));
        };
        let fields = named_fields(protocol, method.params());
        for field in &shared {
            let found =
                required(fields, &field.name.wire, "id", &format!("the params of `{called}`"))?;
            if found.ty != field.ty {
                let message = format!(
                    "`{}` is of another type in `{called}` than in `{wire}`",
                    field.name.wire
                );
                return Err(error(message).help("what the handle knows has one type everywhere"));
            }
        }
    }
    let methods = annotation
        .methods
        .iter()
        .map(|(method, name)| HandleMethod { name: Name::new(name), method: method.clone() });
    Ok(Handle {
        name: Name::new(&annotation.name),
        id: id.name.clone(),
        with: shared.iter().skip(1).map(|field| field.name.clone()).collect(),
        methods: methods.collect(),
        release: annotation.release.clone(),
    })
}

fn required<'a>(
    fields: &'a [Field],
    wire: &str,
    member: &str,
    owner: &str,
) -> Result<&'a Field, Diagnostic> {
    let mut required = fields.iter().filter(|field| field.presence.is_required());
    required.clone().find(|field| field.name.wire == wire).ok_or_else(|| {
        let near = nearest(wire, required.by_ref().map(|field| field.name.wire.as_str()));
        let message =
            format!("`{wire}`, the `{member}` of `x-handle`, is no required property of {owner}");
        error(message).near(near, "name properties that are required wherever the handle calls")
    })
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-handle", message)
}
