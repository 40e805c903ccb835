//! Types that have floating-point numbers somewhere, so that Rust has no `Eq` for them.

use std::collections::{HashMap, HashSet};

use crate::ir::{Protocol, Type};

/// The names of all types whose values can have a floating-point number in them.
pub(super) fn with_floats(protocol: &Protocol) -> HashSet<&str> {
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut found: HashSet<&str> = HashSet::new();
    for (wire, def) in &protocol.types {
        for (_, ty) in def.kind.parts(|_| true) {
            if let Some(name) = ty.named() {
                users.entry(name).or_default().push(wire);
            } else if is_of_numbers(ty) {
                found.insert(wire);
            }
        }
    }
    let mut next: Vec<&str> = found.iter().copied().collect();
    while let Some(name) = next.pop() {
        let users = users.get(name).into_iter().flatten();
        next.extend(users.filter(|user| found.insert(user)));
    }
    found
}

/// Tells whether a type is a number that need not be whole, or an array, a map or the like of them.
fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Number(_) => true,
        Type::Array(array) => is_of_numbers(&array.items),
        Type::Map(map) => is_of_numbers(&map.values),
        Type::Nullable { inner } => is_of_numbers(inner),
        _ => false,
    }
}
