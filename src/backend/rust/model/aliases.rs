//! Aliases that refer to themselves.

use std::collections::HashSet;

use super::cycles::{Graph, components};
use crate::ir::{Protocol, Type, TypeKind};

/// The aliases that refer to themselves, directly or through other aliases. (What an alias holds
/// is an array or a map by then: lowering rejects chains of nothing but aliases.)
pub(super) fn recursive(protocol: &Protocol) -> HashSet<&str> {
    let mut graph = Graph::new();
    for (wire, def) in &protocol.types {
        if let TypeKind::Alias { target } = &def.kind {
            let node = graph.node(wire);
            edges(target, &mut |name| {
                let is_alias = protocol
                    .types
                    .get_key_value(name)
                    .filter(|(_, def)| matches!(def.kind, TypeKind::Alias { .. }));
                if let Some((name, _)) = is_alias {
                    let target = graph.node(name);
                    graph.edge(node, target);
                }
            });
        }
    }
    components(&graph).into_keys().collect()
}

fn edges(ty: &Type, visit: &mut impl FnMut(&str)) {
    match ty {
        Type::Array(array) => edges(&array.items, visit),
        Type::Map(map) => edges(&map.values, visit),
        Type::Nullable { inner } => edges(inner, visit),
        Type::Named { name } => visit(name),
        _ => {}
    }
}
