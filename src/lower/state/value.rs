//! `x-value`: what a state can be asked for by itself.

use crate::diagnostic::{Diagnostic, nearest};
use crate::ir::{Collection, Name, Protocol, StateValue, Type};
use crate::lower::named_fields;
use crate::schema::{Document, KeyAnnotation, SchemaObject, ValueAnnotation};

/// The value of the items of a type, if an annotation says it and all that it names is there.
pub(super) fn value(
    protocol: &Protocol,
    item: &str,
    schema: &SchemaObject,
) -> Option<Result<StateValue, Diagnostic>> {
    let annotation = schema.annotations.value.as_ref()?;
    let key = schema.annotations.key.as_ref();
    let checked = check(protocol, item, key, annotation);
    Some(checked.map_err(|problem| problem.at(annotation.location.clone())))
}

fn check(
    protocol: &Protocol,
    item: &str,
    key: Option<&KeyAnnotation>,
    annotation: &ValueAnnotation,
) -> Result<StateValue, Diagnostic> {
    let ValueAnnotation { property, name, .. } = annotation;
    if !matches!(key, Some(KeyAnnotation::Single)) {
        let message = format!("`{item}` has an `x-value`, but no `x-key` that is true");
        return Err(error(message).help("it stands on what there is one of in a state"));
    }
    let ty = Type::Named { name: item.to_owned() };
    let mut required =
        named_fields(protocol, &ty).iter().filter(|field| field.presence.is_required());
    let Some(field) = required.clone().find(|field| field.name.wire == *property) else {
        let near = nearest(property, required.by_ref().map(|field| field.name.wire.as_str()));
        let message = format!("`{property}`, the `property` of `x-value`, is not required");
        return Err(error(message).near(near, "name a property that is always there"));
    };
    let name = name.as_ref().map_or_else(|| field.name.clone(), Name::new);
    Ok(StateValue { name, property: field.name.clone() })
}

/// Finds a value that is called as something else in a state is.
pub(super) fn doubled(document: &Document, collections: &[Collection]) -> Option<Diagnostic> {
    let values = collections.iter().filter_map(|it| Some((it, it.value.as_ref()?)));
    let mut taken: Vec<&[String]> = collections.iter().map(|it| &*it.name.words).collect();
    for (collection, value) in values {
        if taken.contains(&&*value.name.words) {
            let message = format!("a state has two things called `{}`", value.name.wire);
            let problem = error(message).help("give the `x-value` a `name` of its own");
            let schema = document.definitions.get(&collection.item)?;
            let location = schema.annotations.value.as_ref()?.location.clone();
            return Some(problem.at(location));
        }
        taken.push(&value.name.words);
    }
    None
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-key", message)
}
