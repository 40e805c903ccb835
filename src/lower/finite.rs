//! Types that no finite value can have, and types that only stand for themselves.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Finite, Protocol, Type, TypeDef, TypeKind, cycles};

/// Reports every type of which no value can be built, because each would have to contain
/// another of its own kind, and every type that is one of its own alternatives. Tells whether there
/// is one of the latter.
pub(super) fn is_cyclic(protocol: &Protocol, diagnostics: &mut Diagnostics) -> bool {
    let finite = Finite::new(protocol);
    let cyclic = cyclic(protocol);
    let mut reported = HashSet::new();
    for (name, def) in &protocol.types {
        if !finite.is_finite(name) {
            diagnostics.push(
                Diagnostic::error(
                    "infinite-type",
                    format!(
                        "no value of `{}` can be built: it would have to contain itself",
                        label(protocol, name)
                    ),
                )
                .at(def.location.clone())
                .help("make the property that leads back to it optional, nullable or an array"),
            );
        } else if cyclic.contains_key(name.as_str())
            && !reported.contains(name.as_str())
            && let Some(way) = way_back(protocol, name, &cyclic)
            && !way.iter().any(|name| reported.contains(name))
        {
            let names: Vec<String> =
                way.iter().chain([&name.as_str()]).map(|name| label(protocol, name)).collect();
            let (name, names) = (label(protocol, name), names.join("` → `"));
            diagnostics.push(
                Diagnostic::error(
                    "cyclic-ref",
                    format!("`{name}` is one of its own alternatives: `{names}`"),
                )
                .at(def.location.clone())
                .help(if way.iter().any(|name| has_members(protocol, name)) {
                    "move the properties that both have into a definition of their own, and refer \
                     to that from both"
                } else {
                    "leave the alternative out: it adds no value that the others do not take"
                }),
            );
            reported.extend(way);
        }
    }
    !reported.is_empty()
}

/// Names a definition as the schema does: one that is written within another has no name there, but a
/// place.
pub(super) fn label(protocol: &Protocol, name: &str) -> String {
    let inline = protocol.type_def(name).filter(|def| def.inline);
    inline.map_or_else(|| name.to_owned(), |def| format!("#{}", def.location.pointer))
}

/// Tells whether a definition has properties beside its alternatives, a tag included.
fn has_members(protocol: &Protocol, name: &str) -> bool {
    let kind = protocol.type_def(name).map(|def| &def.kind);
    matches!(kind, Some(TypeKind::Union(union)) if union.tag().is_some() || !union.shared.is_empty())
}

/// The definitions that each definition stands for or has as alternatives, by their numbers.
fn alternative_edges(protocol: &Protocol) -> Vec<Vec<usize>> {
    let number = |name: &str| protocol.types.get_index_of(name);
    let edges = |def| alternatives(def).into_iter().filter_map(number).collect();
    protocol.types.values().map(edges).collect()
}

/// For each definition that leads to itself without a property or an item between, which cycle it is
/// in.
fn cyclic(protocol: &Protocol) -> HashMap<&str, usize> {
    let names = protocol.types.keys().map(String::as_str);
    let cycles = names.zip(cycles(&alternative_edges(protocol)));
    cycles.filter_map(|(name, cycle)| Some((name, cycle?))).collect()
}

/// The definitions by which one leads to itself without a property or an item between. All of them
/// are in its cycle.
fn way_back<'a>(
    protocol: &'a Protocol,
    name: &'a str,
    cyclic: &HashMap<&str, usize>,
) -> Option<Vec<&'a str>> {
    let is_in_cycle = |other: &&str| cyclic.get(other) == cyclic.get(name);
    let mut seen = HashSet::from([name]);
    let mut steps: Vec<(&str, usize)> = vec![(name, 0)];
    let mut next = 0;
    while let Some((current, _)) = steps.get(next).copied() {
        let others = protocol.type_def(current).into_iter().flat_map(alternatives);
        for other in others.filter(is_in_cycle) {
            if other == name {
                let mut way = Vec::new();
                let mut at = next;
                while let Some((step, before)) = steps.get(at).filter(|_| at > 0) {
                    way.push(*step);
                    at = *before;
                }
                way.push(name);
                way.reverse();
                return Some(way);
            }
            if seen.insert(other) {
                steps.push((other, next));
            }
        }
        next += 1;
    }
    None
}

/// The definitions whose values are values of this one.
fn alternatives(def: &TypeDef) -> Vec<&str> {
    match &def.kind {
        TypeKind::Record(_) | TypeKind::Enum(_) | TypeKind::Tuple(_) => Vec::new(),
        TypeKind::Alias { target: ty } => target(ty).into_iter().collect(),
        // A tag, or properties beside the variants, are those of the same value.
        TypeKind::Union(union) => {
            let payloads = union.variants.iter().map(|variant| &variant.payload);
            let unknown = union.open.iter().map(|open| &open.payload);
            payloads.chain(unknown).flatten().filter_map(target).collect()
        }
    }
}

/// The definition that a type is, `null` set aside.
fn target(ty: &Type) -> Option<&str> {
    match ty {
        Type::Nullable { inner } => target(inner),
        Type::Named { name } => Some(name),
        _ => None,
    }
}
