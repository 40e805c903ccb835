//! State: `x-key`, `x-patch-of`, `x-status` and `x-value` on what the variants of a union carry,
//! `x-appends` and `x-removes` on the union.

pub(super) mod status;
mod update;
mod value;

use super::capabilities::dotted;
use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{
    Collection, Name, Protocol, State, StateChange, StateVariant, Type, TypeDef, TypeKind, Union,
};
use crate::schema::{Document, KeyAnnotation, SchemaObject};

/// Gives each union whose variants have keys the state that they make up.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        if let Some(problem) = check(protocol, document, name, schema) {
            diagnostics.push(problem.at(schema.location.clone()));
        }
        if let Some(Err(problem)) = status::status(protocol, name, schema) {
            diagnostics.push(problem);
        }
        if let Some(Err(problem)) = value::value(protocol, name, schema) {
            diagnostics.push(problem);
        }
    }
    let mut found = Vec::new();
    for (name, def) in &protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        let mut collections = collections(protocol, document, union);
        if let Some(schema) = document.definitions.get(name) {
            let union = (&*protocol, union);
            update::add(union, schema, &mut collections, diagnostics);
        }
        if collections.is_empty() {
            continue;
        }
        if let Some(problem) = value::doubled(document, &collections) {
            diagnostics.push(problem);
        }
        let state = State::name_of(&def.name);
        found.push((name.clone(), State { name: state, collections }));
    }
    for (name, state) in found {
        if let Some(TypeKind::Union(union)) = protocol.types.get_mut(&name).map(|def| &mut def.kind)
        {
            union.state = Some(state);
        }
    }
}

/// Finds an error in the annotations of a definition.
fn check(
    protocol: &Protocol,
    document: &Document,
    name: &str,
    schema: &SchemaObject,
) -> Option<Diagnostic> {
    let own = Type::Named { name: name.to_owned() };
    let error = |message: String| Diagnostic::error("unknown-key", message);
    let annotations = &schema.annotations;
    let is_union =
        |def: &TypeDef| matches!(&def.kind, TypeKind::Union(union) if union.tag().is_some());
    let has_changes = !annotations.appends.is_empty() || !annotations.removes.is_empty();
    if has_changes && !protocol.types.get(name).is_some_and(is_union) {
        let message = format!("`{name}` has an `x-appends` or `x-removes`, but is no union");
        return Some(error(message).help("they stand on a union whose variants have tags"));
    }
    if let Some(target) = &annotations.patch_of
        && !protocol.types.contains_key(target)
    {
        let near = nearest(target, protocol.types.keys().map(String::as_str));
        let message = format!("`x-patch-of` names `{target}`, which is no type");
        return Some(error(message).near(near, "name the type that is changed"));
    }
    if annotations.patch_of.is_some() && annotations.key.is_none() {
        return Some(
            error(format!("`{name}` has an `x-patch-of`, but no `x-key`"))
                .help("say with `x-key` which property tells what is changed, or `true`"),
        );
    }
    let Some(KeyAnnotation::Property(key)) = &annotations.key else { return None };
    let target = annotations.patch_of.clone().map(|name| Type::Named { name });
    for (ty, wire) in [Some(own), target.clone()].into_iter().flatten().zip([name, name]) {
        let fields = named_fields(protocol, &ty);
        let first = key.split('.').next();
        let mut required = fields.iter().filter(|field| field.presence.is_required());
        if !required.any(|field| Some(field.name.wire.as_str()) == first) {
            let near = nearest(key, fields.iter().map(|field| field.name.wire.as_str()));
            let message = format!("`{key}`, the `x-key` of `{wire}`, is no required property");
            return Some(error(message).near(near, "name a property that is always there"));
        }
    }
    let other = annotations.patch_of.as_ref().and_then(|it| document.definitions.get(it))?;
    (other.annotations.key != annotations.key).then(|| {
        error(format!("`{name}` and what it changes have different keys"))
            .help("give both the same `x-key`")
    })
}

fn collections(protocol: &Protocol, document: &Document, union: &Union) -> Vec<Collection> {
    let mut found: Vec<Collection> = Vec::new();
    for (tag, variant) in union.tagged() {
        let Some(Type::Named { name }) = &variant.payload else { continue };
        let Some(annotations) = document.definitions.get(name).map(|it| &it.annotations) else {
            continue;
        };
        let Some(key) = &annotations.key else { continue };
        let item = annotations.patch_of.as_ref().unwrap_or(name);
        let is_patch = annotations.patch_of.is_some();
        let change = StateVariant {
            tag: tag.to_owned(),
            key: match key {
                KeyAnnotation::Property(path) => Some(dotted(path)),
                KeyAnnotation::Single => None,
            },
            change: if is_patch { StateChange::Patch } else { StateChange::Replace },
        };
        if let Some(collection) = found.iter_mut().find(|it| it.item == *item) {
            collection.variants.push(change);
            continue;
        }
        let Some(def) = protocol.types.get(item) else { continue };
        let name = thing(&def.name);
        let key = change.key.clone();
        let name = if key.is_some() { plural(name) } else { name };
        let said = document.definitions.get(item);
        let status = said.and_then(|it| status::status(protocol, item, it));
        let value = said.and_then(|it| value::value(protocol, item, it));
        found.push(Collection {
            name,
            item: item.clone(),
            key,
            variants: vec![change],
            status: status.and_then(Result::ok),
            value: value.and_then(Result::ok),
        });
    }
    found
}

/// The name of what an update is about: `session info` of `SessionInfoUpdate`.
pub(super) fn thing(name: &Name) -> Name {
    let mut words = name.words.clone();
    if words.len() > 1 && words.last().is_some_and(|last| last == "update") {
        words.pop();
    }
    Name { wire: words.join(" "), words, is_chosen: false }
}

/// The name of several things: its last word in the plural, as English makes it.
fn plural(name: Name) -> Name {
    let mut words = name.words;
    if let Some(last) = words.last_mut() {
        let ending = |letters: &[char]| last.ends_with(letters);
        *last = match last.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            _ if ending(&['s', 'x', 'z']) || last.ends_with("ch") || last.ends_with("sh") => {
                format!("{last}es")
            }
            _ => format!("{last}s"),
        };
    }
    Name { wire: words.join(" "), words, is_chosen: false }
}
