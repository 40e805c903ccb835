//! Progress: an `x-status` that says how items end, tied to the notification that tells of them.

use super::named_fields;
use super::state::status::texts;
use super::state::thing;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{
    Collection, Field, Handler, Method, Name, Progress, Protocol, StateChange, Status, Type,
    TypeKind, Union,
};
use crate::schema::Document;

/// Gives notifications the items that they tell of from their start to their end.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    let mut found: Vec<(usize, Progress)> = Vec::new();
    for (item, schema) in &document.definitions {
        let Some(annotation) = &schema.annotations.status else { continue };
        let Some(told) = told(protocol, item) else { continue };
        let progress = carrier(protocol, item, &told)
            .and_then(|carrier| Ok((carrier.method, progress(protocol, item, &told, &carrier)?)));
        match progress {
            Ok(progress) => found.push(progress),
            Err(problem) => diagnostics.push(problem.at(annotation.location.clone())),
        }
    }
    for (index, progress) in found {
        if let Some(method) = protocol.methods.get_mut(index) {
            method.progress.push(progress);
        }
    }
}

/// How the items of a type end, and the unions of whose states they are.
struct Told<'a> {
    status: &'a Status,
    completed: &'a String,
    failed: &'a String,
    unions: Vec<(&'a str, &'a Union, &'a Collection)>,
}

/// A notification that carries a value of a union.
struct Carrier<'a> {
    method: usize,
    property: &'a Field,
    union: &'a str,
}

/// Finds the annotations of the items of a type, if these tell how an item ends.
fn told<'a>(protocol: &'a Protocol, item: &str) -> Option<Told<'a>> {
    let unions = protocol.types.iter().filter_map(|(name, def)| {
        let TypeKind::Union(union) = &def.kind else { return None };
        let mut collections = union.state.iter().flat_map(|state| &state.collections);
        Some((name.as_str(), union, collections.find(|it| it.item == item)?))
    });
    let unions: Vec<_> = unions.collect();
    let status = unions.first()?.2.status.as_ref()?;
    let (completed, failed) = (status.completed.as_ref()?, status.failed.as_ref()?);
    Some(Told { status, completed, failed, unions })
}

/// Finds the one notification by which items of a type can be told of.
fn carrier<'a>(
    protocol: &'a Protocol,
    item: &str,
    told: &Told<'_>,
) -> Result<Carrier<'a>, Diagnostic> {
    let mut carriers = Vec::new();
    for (index, method) in protocol.methods.iter().enumerate() {
        if method.is_request() || !matches!(method.handler, Handler::Side { .. }) {
            continue;
        }
        for property in named_fields(protocol, method.params()) {
            let Type::Named { name } = &property.ty else { continue };
            let is_told = told.unions.iter().any(|(union, ..)| union == name);
            if is_told && property.presence.is_required() && !property.presence.is_nullable() {
                carriers.push(Carrier { method: index, property, union: name });
            }
        }
    }
    let mut carriers = carriers.into_iter();
    match (carriers.next(), carriers.next()) {
        (Some(carrier), None) => Ok(carrier),
        (Some(one), Some(other)) => {
            let called = |carrier: &Carrier<'_>| {
                let method = protocol.methods.get(carrier.method);
                let method = method.map_or("", |method: &Method| &method.name.wire);
                format!("`{method}` in `{}`", carrier.property.name.wire)
            };
            let (one, other) = (called(&one), called(&other));
            let message = format!("a `{item}` could be told of by {one} and by {other}");
            Err(impossible(message))
        }
        (None, _) => {
            let message = format!("no notification of one side tells of a `{item}`");
            Err(error(message)
                .help("let the params of one have a required property of the union, or leave out `completed` and `failed`"))
        }
    }
}

fn progress(
    protocol: &Protocol,
    item: &str,
    told: &Told<'_>,
    carrier: &Carrier<'_>,
) -> Result<Progress, Diagnostic> {
    let Told { status, completed, failed, unions } = told;
    let own = unions.iter().find(|(name, ..)| *name == carrier.union);
    let Some((_, union, collection)) = own else {
        return Err(impossible(format!("nothing makes up a `{item}`")));
    };
    if !union.shared.is_empty() {
        let message = format!("`{}` has properties beside its variants", carrier.union);
        return Err(impossible(message));
    }
    let Some([key]) = collection.key.as_deref() else {
        return Err(impossible(format!("the `x-key` of `{item}` is no property of it")));
    };
    let payload_of = |tag: &str| {
        let payload = union.tagged().find(|(known, _)| *known == tag)?.1.payload.as_ref()?;
        match payload {
            Type::Named { name } => Some(name.as_str()),
            _ => None,
        }
    };
    let variants = || collection.variants.iter().filter(|it| it.change.is_put());
    let opens = variants().find(|it| payload_of(&it.tag) == Some(item));
    let changes = variants().find(|it| it.change == StateChange::Patch);
    let (Some(opens), Some(changes)) = (opens, changes) else {
        let what = if opens.is_none() { "opens" } else { "changes" };
        let message = format!("no variant of `{}` {what} a `{item}`", carrier.union);
        return Err(impossible(message));
    };
    let change = payload_of(&changes.tag).unwrap_or_default();
    let type_of = |name: &str| Type::Named { name: name.to_owned() };
    let (item_type, change_type) = (type_of(item), type_of(change));
    let opened = named_fields(protocol, &item_type);
    let patched = named_fields(protocol, &change_type);
    let values = [completed, failed, &&status.cancelled].map(|value| value.as_str());
    let (key, status_of) =
        (field(patched, key, change)?, field(patched, &status.property, change)?);
    if !matches!(protocol.resolve(&key.ty), Type::String(_)) {
        return Err(impossible(format!("the `x-key` of `{item}` is no string")));
    }
    let known = texts(protocol, &status_of.ty).unwrap_or(Some(Vec::new()));
    if let Some(value) =
        values.iter().find(|it| known.as_ref().is_some_and(|all| !all.contains(it)))
    {
        let message = format!("`{}` of a `{change}` is never `{value}`", status.property);
        return Err(impossible(message));
    }
    let mut others = patched.iter().filter(|it| it.presence.is_required());
    if let Some(other) = others.find(|it| it.name.wire != key.name.wire) {
        let message = format!("a `{change}` needs more than its key: `{}`", other.name.wire);
        return Err(impossible(message));
    }
    let with = with(protocol, item, opened, carrier)?;
    let thing = thing(protocol.types.get(item).map_or(&Name::new(item), |def| &def.name));
    let name = Name::new(format!("{} progress", thing.words.join(" ")));
    Ok(Progress {
        name,
        thing,
        property: carrier.property.name.clone(),
        with,
        union: carrier.union.to_owned(),
        opens: opens.tag.clone(),
        item: item.to_owned(),
        changes: changes.tag.clone(),
        change: change.to_owned(),
        key: key.name.clone(),
        status: status_of.name.clone(),
        started: status.started.clone(),
        completed: (*completed).clone(),
        failed: (*failed).clone(),
        cancelled: status.cancelled.clone(),
    })
}

/// The properties that the params need beside the union's. An item must have none of the same name:
/// functions take both.
fn with(
    protocol: &Protocol,
    item: &str,
    opened: &[Field],
    carrier: &Carrier<'_>,
) -> Result<Vec<Name>, Diagnostic> {
    let params = protocol.methods.get(carrier.method).map(Method::params);
    let fields = params.map_or(&[][..], |params| named_fields(protocol, params));
    let is_other = |field: &&Field| {
        field.presence.is_required() && field.name.wire != carrier.property.name.wire
    };
    let with: Vec<Name> = fields.iter().filter(is_other).map(|it| it.name.clone()).collect();
    let is_same = |one: &Name, other: &Name| one.wire == other.wire || one.words == other.words;
    let shared = with.iter().find(|name| opened.iter().any(|it| is_same(&it.name, name)));
    match shared {
        Some(name) => {
            let message = format!("a `{item}` and what tells of it both have a `{}`", name.wire);
            Err(impossible(message))
        }
        None => Ok(with),
    }
}

fn field<'a>(fields: &'a [Field], wire: &str, of: &str) -> Result<&'a Field, Diagnostic> {
    let found = fields.iter().find(|field| field.name.wire == wire);
    found.ok_or_else(|| impossible(format!("`{wire}` is no property of `{of}`")))
}

/// Says why there can be no class that tells of an item.
fn impossible(message: String) -> Diagnostic {
    error(message).help("leave out `completed` and `failed`, and send the notification itself")
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-key", message)
}
