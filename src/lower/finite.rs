//! Types that no finite value can have.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Field, Protocol, Selector, Type, TypeKind};

/// Reports every type of which no value can be built, because each would have to contain
/// another of its own kind.
pub(super) fn check(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    let users = users(protocol);
    let mut finite: HashMap<&str, bool> =
        protocol.types.keys().map(|name| (name.as_str(), false)).collect();
    let mut pending: Vec<&str> = protocol.types.keys().rev().map(String::as_str).collect();
    while let Some(name) = pending.pop() {
        let Some(def) = protocol.types.get(name) else { continue };
        if finite.get(name) == Some(&true) || !is_finite(&def.kind, &finite) {
            continue;
        }
        finite.insert(name, true);
        pending.extend(users.get(name).into_iter().flatten());
    }
    for (name, def) in &protocol.types {
        if finite.get(name.as_str()) == Some(&false) {
            diagnostics.push(
                Diagnostic::error(
                    "infinite-type",
                    format!("no value of `{name}` can be built: it would have to contain itself"),
                )
                .at(def.place.clone())
                .help("make the property that leads back to it optional, nullable or an array"),
            );
        }
    }
}

fn is_finite(kind: &TypeKind, finite: &HashMap<&str, bool>) -> bool {
    let fields = |fields: &[Field]| {
        fields.iter().all(|field| {
            !field.presence.is_required()
                || field.presence.is_nullable()
                || is_finite_type(&field.ty, finite)
        })
    };
    match kind {
        TypeKind::Record(record) => fields(&record.fields),
        TypeKind::Union(union) => {
            let payload = |payload: Option<&Type>| {
                payload.is_none_or(|payload| is_finite_type(payload, finite))
            };
            let mut variants = union.variants.iter();
            let any = variants.any(|variant| {
                // A fallback that is the union itself adds nothing.
                payload(variant.payload.as_ref())
                    || variant.selector == Selector::Untagged && variant.payload.is_none()
            });
            let open = union.open.as_ref().is_some_and(|open| payload(open.payload.as_ref()));
            fields(&union.shared) && (any || open || union.variants.is_empty())
        }
        TypeKind::Enum(_) => true,
        TypeKind::Alias { target } => is_finite_type(target, finite),
    }
}

fn is_finite_type(ty: &Type, finite: &HashMap<&str, bool>) -> bool {
    match ty {
        Type::Named { name } => finite.get(name.as_str()).copied().unwrap_or(true),
        Type::Array(array) => array.min_items.is_none() || is_finite_type(&array.items, finite),
        _ => true,
    }
}

/// For each type, the types whose definitions mention it.
fn users(protocol: &Protocol) -> HashMap<&str, Vec<&str>> {
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    for (user, def) in &protocol.types {
        let mut mention = |ty: &'_ Type| {
            if let Some((name, _)) =
                mentioned(ty).and_then(|name| protocol.types.get_key_value(name))
            {
                users.entry(name).or_default().push(user);
            }
        };
        match &def.kind {
            TypeKind::Record(record) => record.fields.iter().for_each(|field| mention(&field.ty)),
            TypeKind::Union(union) => {
                union.shared.iter().for_each(|field| mention(&field.ty));
                union
                    .variants
                    .iter()
                    .filter_map(|variant| variant.payload.as_ref())
                    .for_each(&mut mention);
                union.open.iter().filter_map(|open| open.payload.as_ref()).for_each(&mut mention);
            }
            TypeKind::Enum(_) => {}
            TypeKind::Alias { target } => mention(target),
        }
    }
    users
}

fn mentioned(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Array(array) => mentioned(&array.items),
        Type::Map(map) => mentioned(&map.values),
        Type::Nullable { inner } => mentioned(inner),
        _ => None,
    }
}
