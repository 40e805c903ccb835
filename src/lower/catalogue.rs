//! Catalogues: `x-catalogue`, resolved to the request that it stands on.

use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Catalogue, CatalogueEntry, Field, Handler, Method, Presence, Protocol, Type};
use crate::schema::{CatalogueAnnotation, Document};

/// Checks `x-catalogue`, and gives the protocol the entries of the catalogue, if one was read.
pub(super) fn resolve(
    protocol: &mut Protocol,
    document: &Document,
    entries: &[CatalogueEntry],
    diagnostics: &mut Diagnostics,
) {
    let annotated = document.definitions.iter();
    let mut annotated =
        annotated.filter_map(|(name, schema)| Some((name, schema.annotations.catalogue.as_ref()?)));
    let Some((name, annotation)) = annotated.next() else { return };
    for (other, further) in annotated {
        diagnostics.push(
            Diagnostic::error(
                "misplaced-catalogue",
                format!("`{name}` and `{other}` both have an `x-catalogue`"),
            )
            .at(further.location.clone())
            .related(annotation.location.clone(), "the other one")
            .help("a protocol has one request that calls catalogue entries"),
        );
    }
    let Some(method) = protocol.methods.iter().find(|method| method.is_request_with(name)) else {
        diagnostics.push(
            Diagnostic::error(
                "misplaced-catalogue",
                format!("`{name}` has an `x-catalogue`, but is not the params of a request"),
            )
            .at(annotation.location.clone())
            .help("it stands on the params of the request that calls catalogue entries"),
        );
        return;
    };
    if let Err(problem) = check(protocol, method, annotation) {
        diagnostics.push(problem.at(annotation.location.clone()));
        return;
    }
    if entries.is_empty() {
        return;
    }
    protocol.catalogue = Some(Catalogue {
        method: method.name.wire.clone(),
        name_in: annotation.name_in.clone(),
        input_in: annotation.input_in.clone(),
        output_in: annotation.output_in.clone(),
        entries: entries.to_vec(),
    });
}

/// Tells whether the request can be called with a name and an input alone, and answers with an
/// output.
fn check(
    protocol: &Protocol,
    method: &Method,
    annotation: &CatalogueAnnotation,
) -> Result<(), Diagnostic> {
    let wire = &method.name.wire;
    let CatalogueAnnotation { list, name_in, input_in, output_in, .. } = annotation;
    if !protocol.methods.iter().any(|method| method.is_request() && method.name.wire == *list) {
        return Err(unknown(&format!("`{list}`, the `list` of `x-catalogue`, is no request")));
    }
    if !matches!(method.handler, Handler::Side { .. }) {
        return Err(unknown(&format!(
            "`{wire}`, on which `x-catalogue` stands, is of no one side"
        )));
    }
    let params = named_fields(protocol, method.params());
    let result = method.result().map_or(&[][..], |result| named_fields(protocol, result));
    let is_required = |fields: &[Field], wire: &str, is_meant: fn(&Type) -> bool| {
        let mut fields = fields.iter().filter(|field| field.presence == Presence::Required);
        fields.any(|field| field.name.wire == wire && is_meant(&field.ty))
    };
    if !is_required(params, name_in, |ty| matches!(ty, Type::String(_))) {
        return Err(unknown(&format!("`{name_in}` is no required string of `{wire}`")));
    }
    for (fields, name, location) in [(params, input_in, ""), (result, output_in, "the result of ")]
    {
        if !is_required(fields, name, |ty| *ty == Type::Any) {
            let message =
                format!("`{name}` is not required, or not any JSON, in {location}`{wire}`");
            return Err(unknown(&message));
        }
    }
    let is_other = |field: &&Field| {
        field.presence.is_required() && ![name_in, input_in].contains(&&field.name.wire)
    };
    match params.iter().find(is_other) {
        None => Ok(()),
        Some(other) => Err(unknown(&format!(
            "`{}` is required in `{wire}`, but `x-catalogue` does not say what it is",
            other.name.wire
        ))),
    }
}

fn unknown(message: &str) -> Diagnostic {
    Diagnostic::error("unknown-catalogue", message).help(
        "`list` is a request; `nameIn` a required string of the params, `inputIn` any JSON that \
         is required there, `outputIn` in the result, and nothing else is required",
    )
}
