//! Types that contain themselves by value.

use std::collections::HashMap;

use crate::ir::{Protocol, Type, TypeKind};

/// Types and what they refer to.
#[derive(Debug, Default)]
pub(super) struct Graph<'a> {
    numbers: HashMap<&'a str, usize>,
    names: Vec<&'a str>,
    edges: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The number of a type.
    pub(super) fn node(&mut self, name: &'a str) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.edges.push(Vec::new());
            self.names.len() - 1
        })
    }

    /// Says that one refers to the other.
    pub(super) fn edge(&mut self, from: usize, to: usize) {
        if let Some(edges) = self.edges.get_mut(from) {
            edges.push(to);
        }
    }
}

/// For each type that contains itself by value, which cycle it is in.
pub(super) fn by_value(protocol: &Protocol) -> HashMap<&str, usize> {
    let mut graph = Graph::new();
    for (wire, def) in &protocol.types {
        let node = graph.node(wire);
        let mut visit = |ty: &'_ Type| {
            if let Some((name, _)) = held(ty).and_then(|name| protocol.types.get_key_value(name)) {
                let target = graph.node(name);
                graph.edge(node, target);
            }
        };
        match &def.kind {
            TypeKind::Record(record) => record.fields.iter().for_each(|field| visit(&field.ty)),
            TypeKind::Union(union) => {
                union.shared.iter().for_each(|field| visit(&field.ty));
                union
                    .variants
                    .iter()
                    .filter_map(|variant| variant.payload.as_ref())
                    .for_each(visit);
            }
            TypeKind::Alias { target } => visit(target),
            TypeKind::Enum(_) => {}
        }
    }
    components(&graph)
}

/// The type that a value of this one holds directly, not on the heap.
fn held(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Nullable { inner } => held(inner),
        _ => None,
    }
}

/// Numbers the strongly connected components that have an edge inside (Tarjan's algorithm, without
/// recursion). Nodes of no cycle are left out.
pub(super) fn components<'a>(graph: &Graph<'a>) -> HashMap<&'a str, usize> {
    let count = graph.names.len();
    let mut search = Search {
        order: vec![usize::MAX; count],
        low: vec![usize::MAX; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        next: 0,
    };
    let mut found = HashMap::new();
    for root in 0..count {
        if search.order[root] == usize::MAX {
            search.explore(root, graph, &mut found);
        }
    }
    found
}

struct Search {
    order: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
}

impl Search {
    fn explore<'a>(&mut self, root: usize, graph: &Graph<'a>, found: &mut HashMap<&'a str, usize>) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = graph.edges[node].get(*edge) {
                *edge += 1;
                if self.order[target] == usize::MAX {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.on_stack[target] {
                    self.low[node] = self.low[node].min(self.order[target]);
                }
            } else {
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.low[*parent] = self.low[*parent].min(self.low[node]);
                }
                if self.low[node] == self.order[node] {
                    self.leave(node, graph, found);
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    /// Takes a whole component off the stack.
    fn leave<'a>(&mut self, root: usize, graph: &Graph<'a>, found: &mut HashMap<&'a str, usize>) {
        let start = self.stack.iter().rposition(|node| *node == root).unwrap_or(0);
        let component = self.stack.split_off(start);
        let is_cycle = component.len() > 1 || graph.edges[root].contains(&root);
        for node in component {
            self.on_stack[node] = false;
            if is_cycle {
                found.insert(graph.names[node], root);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Graph, components};

    #[test]
    fn only_cycles_are_found() {
        let mut graph = Graph::new();
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("e", "e")] {
            let (from, to) = (graph.node(from), graph.node(to));
            graph.edge(from, to);
        }
        let found = components(&graph);
        let mut names: Vec<_> = found.keys().copied().collect();
        names.sort_unstable();
        assert_eq!(names, ["b", "c", "e"]);
        assert_eq!(found["b"], found["c"]);
        assert_ne!(found["b"], found["e"]);
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let names: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        let mut graph = Graph::new();
        for pair in names.windows(2) {
            let (from, to) = (graph.node(&pair[0]), graph.node(&pair[1]));
            graph.edge(from, to);
        }
        assert!(components(&graph).is_empty());
    }
}
