//! `x-status`: what says whether an item of a state still goes on.

use crate::diagnostic::{Diagnostic, nearest};
use crate::ir::{EnumBase, Protocol, Status, Type, TypeKind};
use crate::lower::named_fields;
use crate::schema::{KeyAnnotation, SchemaObject, StatusAnnotation};

/// The status of the items of a type, if an annotation says it and all that it names is there.
pub(super) fn status(
    protocol: &Protocol,
    item: &str,
    schema: &SchemaObject,
) -> Option<Result<Status, Diagnostic>> {
    let annotation = schema.annotations.status.as_ref()?;
    let key = schema.annotations.key.as_ref();
    let checked = check(protocol, item, key, annotation);
    Some(checked.map_err(|problem| problem.at(annotation.location.clone())))
}

fn check(
    protocol: &Protocol,
    item: &str,
    key: Option<&KeyAnnotation>,
    annotation: &StatusAnnotation,
) -> Result<Status, Diagnostic> {
    let StatusAnnotation { property, open, cancelled, started, completed, failed, .. } = annotation;
    if !matches!(key, Some(KeyAnnotation::Property(_))) {
        let message = format!("`{item}` has an `x-status`, but no `x-key` with a property");
        return Err(error(message).help("it stands on what there can be several of in a state"));
    }
    let ty = Type::Named { name: item.to_owned() };
    let fields = named_fields(protocol, &ty);
    let Some(field) = fields.iter().find(|field| field.name.wire == *property) else {
        let near = nearest(property, fields.iter().map(|field| field.name.wire.as_str()));
        let message = format!("`{property}`, the `property` of `x-status`, is none of `{item}`");
        return Err(error(message).near(near, "name a property that says how far it has come"));
    };
    let known = texts(protocol, &field.ty).map_err(|()| {
        let message = format!("`{property}`, the `property` of `x-status`, is no string");
        error(message).help("name a property that holds a string or an enum of strings")
    })?;
    let ends = || [cancelled].into_iter().chain(completed).chain(failed);
    for value in open.iter().chain(ends()).chain(started) {
        if known.as_ref().is_some_and(|known| !known.contains(&value.as_str())) {
            let near = nearest(value, known.into_iter().flatten());
            let message = format!("`x-status` names `{value}`, which `{property}` never is");
            return Err(error(message).near(near, "name values of the property"));
        }
    }
    let said = ["cancelled", "completed", "failed"];
    let values = [Some(cancelled), completed.as_ref(), failed.as_ref()];
    for (said, value) in said.into_iter().zip(values) {
        if let Some(value) = value.filter(|value| open.contains(value)) {
            let message = format!("`{value}` of `x-status` is both open and {said}");
            return Err(error(message).help(format!("what is {said} does not go on")));
        }
    }
    if let Some(started) = started.as_ref().filter(|value| !open.contains(value)) {
        let message = format!("`{started}` of `x-status` is started, but not open");
        return Err(error(message).help("name one of the values of `open`"));
    }
    let is_whole = completed.is_some() == failed.is_some();
    if !is_whole || (started.is_some() && completed.is_none()) {
        let message = "`x-status` says only in part how an item ends".to_owned();
        return Err(error(message).help("give both `completed` and `failed`, or none of the two"));
    }
    Ok(Status {
        property: property.clone(),
        open: open.clone(),
        cancelled: cancelled.clone(),
        started: started.clone(),
        completed: completed.clone(),
        failed: failed.clone(),
    })
}

/// The strings that a type lists, if it lists them. An error where it is no string.
pub(in crate::lower) fn texts<'a>(
    protocol: &'a Protocol,
    ty: &'a Type,
) -> Result<Option<Vec<&'a str>>, ()> {
    let ty = protocol.resolve(ty);
    let def = match ty {
        Type::String(_) => return Ok(None),
        Type::Named { name } => protocol.types.get(name).map(|def| &def.kind),
        _ => None,
    };
    match def {
        Some(TypeKind::Enum(listed)) if listed.base == EnumBase::String => {
            Ok(Some(listed.values.iter().filter_map(|it| it.value.as_str()).collect()))
        }
        _ => Err(()),
    }
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-key", message)
}
