//! Shorthands: `x-shorthand`, tied to the variant that it names.

use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Protocol, Shorthand, Type, TypeKind, Union};
use crate::schema::Document;

/// Gives each annotated union its shorthand.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let Some(tag) = &schema.annotations.shorthand else { continue };
        let found = match protocol.types.get(name).map(|def| &def.kind) {
            Some(TypeKind::Union(union)) => shorthand(protocol, union, tag),
            _ => Err(error(format!("`{name}` has an `x-shorthand`, but is no union"))
                .help("it stands on a union whose variants have tags")),
        };
        match (found, protocol.types.get_mut(name).map(|def| &mut def.kind)) {
            (Ok(found), Some(TypeKind::Union(union))) => union.shorthand = Some(found),
            (Err(problem), _) => diagnostics.push(problem.at(schema.location.clone())),
            _ => {}
        }
    }
}

fn shorthand(protocol: &Protocol, union: &Union, tag: &str) -> Result<Shorthand, Diagnostic> {
    let Some((_, variant)) = union.tagged().find(|(value, _)| *value == tag) else {
        let near = nearest(tag, union.tagged().map(|(value, _)| value));
        let message = format!("`x-shorthand` names `{tag}`, which is the tag of no variant");
        return Err(error(message).near(near, "name the tag of a variant"));
    };
    let fields = variant.payload.as_ref().map_or(&[][..], |ty| named_fields(protocol, ty));
    let mut required =
        fields.iter().chain(&union.shared).filter(|field| field.presence.is_required());
    match (required.next(), required.next()) {
        (Some(field), None) if is_scalar(protocol.resolve(&field.ty)) => {
            Ok(Shorthand { variant: tag.to_owned(), field: field.name.wire.clone() })
        }
        _ => Err(error(format!("`{tag}` does not need just one value"))
            .help("a shorthand is for a variant with one required property: a string, a number or a boolean")),
    }
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::String(_) | Type::Integer(_) | Type::Number(_) | Type::Boolean)
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-shorthand", message)
}
