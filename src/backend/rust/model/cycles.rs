//! Types that contain themselves.

use std::collections::HashMap;

use crate::ir::{Protocol, Type, TypeKind, cycles};

/// For each type that contains itself by value, which cycle it is in.
pub(super) fn by_value(protocol: &Protocol) -> HashMap<&str, usize> {
    within(protocol, |kind| {
        let types: Vec<&Type> = match kind {
            TypeKind::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
            TypeKind::Union(union) => {
                let payloads = union.variants.iter().filter_map(|it| it.payload.as_ref());
                union.shared.iter().map(|field| &field.ty).chain(payloads).collect()
            }
            TypeKind::Tuple(tuple) => tuple.items.iter().map(|item| &item.ty).collect(),
            TypeKind::Alias { target } => vec![target],
            TypeKind::Enum(_) => Vec::new(),
        };
        types.into_iter().filter_map(held).collect()
    })
}

/// For each alias that refers to itself, directly or through other aliases, which cycle it is in.
/// (What an alias holds is an array or a map by then: lowering rejects chains of nothing but
/// aliases.)
pub(super) fn of_aliases(protocol: &Protocol) -> HashMap<&str, usize> {
    within(protocol, |kind| match kind {
        TypeKind::Alias { target } => target.named().into_iter().collect(),
        // A tuple that leads back to itself is a type of its own.
        TypeKind::Record(_) | TypeKind::Union(_) | TypeKind::Enum(_) | TypeKind::Tuple(_) => {
            Vec::new()
        }
    })
}

/// The type that a value of this one holds directly, not on the heap.
fn held(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Nullable { inner } => held(inner),
        _ => None,
    }
}

/// Numbers the cycles of what definitions refer to. Those of no cycle are left out.
fn within(protocol: &Protocol, references: fn(&TypeKind) -> Vec<&str>) -> HashMap<&str, usize> {
    let number = |name: &str| protocol.types.get_index_of(name);
    let edges = |kind| references(kind).into_iter().filter_map(number).collect();
    let edges: Vec<Vec<usize>> = protocol.types.values().map(|def| edges(&def.kind)).collect();
    let names = protocol.types.keys().map(String::as_str);
    names.zip(cycles(&edges)).filter_map(|(name, cycle)| Some((name, cycle?))).collect()
}
