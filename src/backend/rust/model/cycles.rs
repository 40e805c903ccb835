//! Types that contain themselves.

use std::collections::HashMap;

use crate::ir::{Protocol, Type, TypeKind};

/// For each type that contains itself by value, which cycle it is in.
pub(super) fn by_value(protocol: &Protocol) -> HashMap<&str, usize> {
    within(protocol, |kind| {
        let types: Vec<&Type> = match kind {
            TypeKind::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
            TypeKind::Union(union) => {
                let payloads = union.variants.iter().filter_map(|it| it.payload.as_ref());
                union.shared.iter().map(|field| &field.ty).chain(payloads).collect()
            }
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
        TypeKind::Record(_) | TypeKind::Union(_) | TypeKind::Enum(_) => Vec::new(),
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

/// Numbers the cycles of a graph: for each node that it is in one, which (Kosaraju's algorithm).
fn cycles(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for to in targets {
            back[*to].push(from);
        }
    }
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for node in 0..edges.len() {
        visit(node, edges, &mut seen, &mut order);
    }
    let mut cycles = vec![None; edges.len()];
    seen.fill(false);
    for root in order.into_iter().rev() {
        let mut component = Vec::new();
        visit(root, &back, &mut seen, &mut component);
        if component.len() > 1 || edges[root].contains(&root) {
            for node in component {
                cycles[node] = Some(root);
            }
        }
    }
    cycles
}

/// Goes from a node to all that were not seen, and adds each after those that it leads to. A chain
/// can be as long as the schema, so that this keeps its own stack.
fn visit(start: usize, edges: &[Vec<usize>], seen: &mut [bool], done: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, edges[start].iter())];
    while let Some((node, targets)) = path.last_mut() {
        if let Some(next) = targets.find(|target| !seen[**target]) {
            seen[*next] = true;
            path.push((*next, edges[*next].iter()));
        } else {
            done.push(*node);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn only_cycles_are_found() {
        let found = cycles(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        assert!(found[0].is_none() && found[3].is_none());
        assert!(found[1].is_some() && found[1] == found[2]);
        assert!(found[4].is_some() && found[4] != found[1]);
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let chain: Vec<Vec<usize>> = (1..100_000).map(|next| vec![next]).chain([vec![]]).collect();
        assert!(cycles(&chain).iter().all(Option::is_none));
    }
}
