//! The tuples that are Rust's own: `(A, B)`.

use std::collections::{HashMap, HashSet};

use crate::backend::rust::types::MachineInteger;
use crate::ir::{Protocol, Type, TypeKind, after_targets, cycles};

/// The most items of a tuple of Rust's own, those of tuples in it included: for longer ones its
/// traits are not implemented.
const MOST: usize = 12;

/// The tuples that are Rust's own: those that always have the same items, not too many, of which a
/// type of Rust says all, and that do not lead back to themselves.
pub(super) fn plain<'a>(
    protocol: &'a Protocol,
    by_value: &HashMap<&str, usize>,
    wrapped: &HashMap<&str, usize>,
) -> HashSet<&'a str> {
    let number = |ty: &Type| ty.named().and_then(|name| protocol.types.get_index_of(name));
    let targets = |kind: &TypeKind| match kind {
        TypeKind::Alias { target } => number(target).into_iter().collect(),
        TypeKind::Tuple(tuple) => tuple.types().filter_map(number).collect(),
        TypeKind::Record(_) | TypeKind::Union(_) | TypeKind::Enum(_) => Vec::new(),
    };
    let edges: Vec<Vec<usize>> = protocol.types.values().map(|def| targets(&def.kind)).collect();
    let cycles = cycles(&edges);
    let mut plain = HashSet::new();
    let mut counts = vec![1; edges.len()];
    for index in after_targets(&edges) {
        let Some((name, def)) = protocol.types.get_index(index) else { continue };
        let count = |ty: &Type| number(ty).and_then(|at| counts.get(at)).copied().unwrap_or(1);
        let count = match &def.kind {
            TypeKind::Alias { target } => count(target),
            TypeKind::Tuple(tuple) => {
                let count = tuple.types().map(count).sum();
                let has_bounds = tuple.types().any(|ty| has_bounds(protocol, wrapped, ty));
                let is_cyclic = cycles.get(index).is_none_or(Option::is_some);
                let is_endless = is_cyclic || by_value.contains_key(name.as_str());
                if !tuple.is_exact() || count > MOST || is_endless || has_bounds {
                    continue;
                }
                plain.insert(name.as_str());
                count
            }
            TypeKind::Record(_) | TypeKind::Union(_) | TypeKind::Enum(_) => continue,
        };
        if let Some(known) = counts.get_mut(index) {
            *known = count;
        }
    }
    plain
}

/// Tells whether there is more to say of a value than its type in Rust does: a bound or a constant.
/// `wrapped`: the aliases that are types of their own, which say it themselves.
fn has_bounds(protocol: &Protocol, wrapped: &HashMap<&str, usize>, ty: &Type) -> bool {
    match ty {
        Type::Any | Type::Null | Type::Boolean => false,
        Type::Integer(integer) => integer.range() != MachineInteger::new(integer).range,
        Type::Number(number) => number.minimum.is_some() || number.maximum.is_some(),
        Type::String(string) => string.is_bounded(),
        Type::Literal { .. } => true,
        Type::Array(array) => {
            array.min_items.is_some()
                || array.max_items.is_some()
                || has_bounds(protocol, wrapped, &array.items)
        }
        Type::Map(map) => has_bounds(protocol, wrapped, &map.values),
        Type::Nullable { inner } => has_bounds(protocol, wrapped, inner),
        Type::Named { name } => match protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Alias { target }) => {
                let is_scalar =
                    matches!(target, Type::String(_) | Type::Integer(_) | Type::Number(_));
                !is_scalar
                    && !wrapped.contains_key(name.as_str())
                    && has_bounds(protocol, wrapped, target)
            }
            _ => false,
        },
    }
}
