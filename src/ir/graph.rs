//! Graphs of what refers to what, each node a number.

/// Numbers the cycles of a graph: for each node that it is in one, which (Kosaraju's algorithm).
pub(crate) fn cycles(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for to in targets {
            back[*to].push(from);
        }
    }
    let mut cycles = vec![None; edges.len()];
    let mut seen = vec![false; edges.len()];
    for root in after_targets(edges).into_iter().rev() {
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

/// All nodes, each after those that it leads to, but for those that lead back to it.
pub(crate) fn after_targets(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for node in 0..edges.len() {
        visit(node, edges, &mut seen, &mut order);
    }
    order
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
