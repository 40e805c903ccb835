//! Helpers of calls: `x-choice` and `x-file-access`, tied to the properties that they name.

use super::named_fields;
use super::properties::{Found, Properties, Wanted};
use super::state::status::texts;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Choice, FileAccess, Kind, Method, Name, Protocol, Type, Yes};
use crate::schema::{ChoiceAnnotation, Document, FileAnnotation, YesAnnotation};
use crate::source::Location;

/// Gives each annotated request its helpers, and checks that all they name is there.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let annotations = &schema.annotations;
        if let Some(annotation) = &annotations.choice {
            let words = ["x-choice", "misplaced-choice", "unknown-choice"];
            let at = (name.as_str(), &annotation.location);
            let found = find(protocol, at, words, |them| choice(&them, annotation));
            apply(protocol, found, diagnostics, |method, it| method.choice = Some(it));
        }
        if let Some(annotation) = &annotations.file {
            let words = ["x-file-access", "misplaced-file-access", "unknown-file-access"];
            let at = (name.as_str(), &annotation.location);
            let found = find(protocol, at, words, |them| file(&them, annotation));
            apply(protocol, found, diagnostics, |method, it| method.file = Some(it));
        }
    }
}

/// Finds the request with these params, and makes its helper.
fn find<T>(
    protocol: &Protocol,
    (name, location): (&str, &Location),
    [keyword, misplaced, code]: [&'static str; 3],
    make: impl FnOnce(Properties<'_>) -> Found<T>,
) -> Found<(usize, T)> {
    let mut methods = protocol.methods.iter().enumerate();
    let found = methods.find(|(_, method)| method.is_request_with(name));
    let helper = if let Some((index, method)) = found {
        make(Properties { protocol, method, keyword, code }).map(|helper| (index, helper))
    } else {
        let message = format!("`{name}` has an `{keyword}`, but is no request's params");
        Err(Diagnostic::error(misplaced, message).help("put it on the params of a request"))
    };
    helper.map_err(|problem| problem.at(location.clone()))
}

fn apply<T>(
    protocol: &mut Protocol,
    found: Found<(usize, T)>,
    diagnostics: &mut Diagnostics,
    put: impl FnOnce(&mut Method, T),
) {
    match found {
        Ok((index, made)) => {
            if let Some(method) = protocol.methods.get_mut(index) {
                put(method, made);
            }
        }
        Err(problem) => diagnostics.push(problem),
    }
}

fn choice(them: &Properties<'_>, annotation: &ChoiceAnnotation) -> Found<Choice> {
    let method = them.method;
    let options = them.required(method.params(), &annotation.options, Wanted::Objects)?;
    let Kind::Array(array) = them.protocol.resolved(&options.ty).kind else {
        return Err(them.wrong(&annotation.options, "an array of objects"));
    };
    let Type::Named { name: option } = array.items.as_ref() else {
        return Err(them.wrong(&annotation.options, "an array of objects with a definition"));
    };
    let id = them.required(&array.items, &annotation.id, Wanted::Text)?;
    let Some((outcome, chosen)) = annotation.chosen.split_once('.') else {
        let message =
            format!("`{}` has no `.`: `chosen` is a path of two properties", annotation.chosen);
        return Err(them.error(message).help(
            "name the result's property that holds a union, and that of the variant with the id: `outcome.id`",
        ));
    };
    let result = method.result().unwrap_or(&Type::Any);
    let outcome = them.field(result, outcome)?;
    if !outcome.presence.is_required() || outcome.presence.is_nullable() {
        return Err(them.wrong(&outcome.name.wire, "required, and not `null`"));
    }
    let (Type::Named { name: union }, Kind::Union(kind)) =
        (&outcome.ty, them.protocol.resolved(&outcome.ty).kind)
    else {
        return Err(them.wrong(&outcome.name.wire, "a union with a definition"));
    };
    if !kind.shared.is_empty() {
        return Err(them.wrong(&outcome.name.wire, "a union without properties of its own"));
    }
    let has_id =
        |ty: &&Type| named_fields(them.protocol, ty).iter().any(|it| it.name.wire == chosen);
    let named = kind.tagged().filter_map(|(tag, variant)| Some((tag, variant.payload.as_ref()?)));
    let mut named = named.filter(|(_, payload)| has_id(payload));
    let (Some((tag, payload)), None) = (named.next(), named.next()) else {
        let message = format!("not just one variant of `{union}` has a `{chosen}`");
        return Err(them.error(message).help("name a property that one variant has, and no other"));
    };
    let chosen = them.required(payload, chosen, Wanted::Text)?;
    if chosen.ty != id.ty {
        let expected = format!("of the type of `{}`", id.name.wire);
        return Err(them.wrong(&chosen.name.wire, &expected));
    }
    let yes = annotation.yes.as_ref().map(|it| yes(them, &array.items, it)).transpose()?;
    Ok(Choice {
        name: Name::new(&annotation.name),
        options: options.name.clone(),
        option: option.clone(),
        id: id.name.clone(),
        outcome: outcome.name.clone(),
        union: union.clone(),
        tag: tag.to_owned(),
        chosen: chosen.name.clone(),
        yes,
    })
}

fn yes<'a>(them: &Properties<'a>, option: &'a Type, annotation: &YesAnnotation) -> Found<Yes> {
    let field = them.field(option, &annotation.property)?;
    if !field.presence.is_required() || field.presence.is_nullable() {
        return Err(them.wrong(&field.name.wire, "required, and not `null`"));
    }
    let Ok(known) = texts(them.protocol, &field.ty) else {
        return Err(them.wrong(&field.name.wire, "a string"));
    };
    let is_unknown =
        |value: &&String| known.as_ref().is_some_and(|known| !known.contains(&value.as_str()));
    if let Some(value) = annotation.values.iter().find(is_unknown) {
        return Err(them
            .error(format!("`{}` is never `{value}`", field.name.wire))
            .help("name values that the property has"));
    }
    if annotation.values.is_empty() {
        return Err(them
            .error(String::from("no value means yes"))
            .help("name at least one, or leave out `yes`"));
    }
    Ok(Yes {
        name: Name::new(&annotation.name),
        property: field.name.clone(),
        values: annotation.values.clone(),
    })
}

fn file(them: &Properties<'_>, annotation: &FileAnnotation) -> Found<FileAccess> {
    let params = them.method.params();
    let result = them.method.result().unwrap_or(&Type::Any);
    let has = |ty: &Type| {
        named_fields(them.protocol, ty).iter().any(|it| it.name.wire == annotation.text)
    };
    let (writes, reads) = (has(params), has(result));
    if writes && reads {
        let message = format!("`{}` is in the params and in the result", annotation.text);
        return Err(them
            .error(message)
            .help("it is in the result to read a file, in the params to write one"));
    }
    let text =
        them.required(if writes { params } else { result }, &annotation.text, Wanted::Text)?;
    let line = them.optional(params, annotation.line.as_ref(), Wanted::Integer)?;
    let limit = them.optional(params, annotation.limit.as_ref(), Wanted::Integer)?;
    if writes && (line.is_some() || limit.is_some()) {
        let message = String::from("`line` and `limit` say what is read, and this one writes");
        return Err(them.error(message).help("leave them out"));
    }
    Ok(FileAccess {
        name: Name::new(&annotation.name),
        path: them.required(params, &annotation.path, Wanted::Text)?.name.clone(),
        text: text.name.clone(),
        writes,
        line: line.map(|it| it.name.clone()),
        limit: limit.map(|it| it.name.clone()),
    })
}
