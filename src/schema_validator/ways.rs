//! The ways in which a validator comes to look at one value: it tries what a schema says of a value
//! once for each way to it, so that a small schema can ask for more than any machine does.

use std::collections::HashMap;

use serde_json::Value;

use crate::ir::{after_targets, cycles};
use crate::source::Node;

/// The most ways to one value with which a definition is judged.
const MOST: u64 = 100_000;

/// The most ways to all errors of a value, with which they are told one by one.
const MOST_TO_ERRORS: u64 = 1_000_000;

/// The most schemas, one within the other, that are looked at: each takes a part of the stack.
const DEEPEST: u64 = 2_000;

/// The numbers of ways in a schema.
#[derive(Debug)]
pub(super) struct Ways {
    of: HashMap<String, Count>,
    /// The most ways by which a definition leads back to itself, each with a part of the value.
    /// Verdicts are remembered on the way, but errors are not.
    back: u64,
}

/// A definition, and where references to it lead.
struct Definitions<'a> {
    nodes: Vec<&'a Node>,
    /// The positions of definitions, by what follows `#` in a reference.
    positions: HashMap<&'a str, usize>,
    cycles: Vec<Option<usize>>,
    known: Vec<Option<Count>>,
}

/// The ways from a part of a schema.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// To one part of a value.
    ways: u64,
    /// Back to the definition.
    back: u64,
    /// The longest chain of schemas that are about the same part of a value, from here.
    chain: u64,
    /// The longest such chain anywhere.
    longest: u64,
}

impl Ways {
    /// Counts the ways from definitions: each has a name, what follows `#` in references to it, and
    /// its schema.
    pub(super) fn new(definitions: &[(&str, Vec<String>, &Node)]) -> Self {
        let all = definitions.iter().enumerate();
        let positions: HashMap<&str, usize> = all
            .flat_map(|(at, (_, fragments, _))| fragments.iter().map(move |it| (it.as_str(), at)))
            .collect();
        let nodes: Vec<&Node> = definitions.iter().map(|(.., node)| *node).collect();
        let edges: Vec<Vec<usize>> = nodes.iter().map(|node| targets(node, &positions)).collect();
        let known = vec![None; nodes.len()];
        let mut graph = Definitions { nodes, positions, cycles: cycles(&edges), known };
        for at in after_targets(&edges) {
            graph.known[at] = Some(graph.count(graph.nodes[at], at));
        }
        let counts: Vec<Count> = graph.known.into_iter().map(Option::unwrap_or_default).collect();
        let back = counts.iter().map(|count| count.back).max().unwrap_or_default();
        let of = definitions.iter().zip(counts);
        Self { of: of.map(|((name, ..), count)| ((*name).to_owned(), count)).collect(), back }
    }

    /// Tells whether a definition can be asked whether it takes a value.
    pub(super) fn allow(&self, definition: &str, value: &Value) -> bool {
        let levels = u64::from(depth(value)) + 1;
        self.of.get(definition).is_some_and(|count| {
            count.ways <= MOST && count.longest.saturating_mul(levels) <= DEEPEST
        })
    }

    /// Tells whether a definition can be asked for each error in a value.
    pub(super) fn allow_errors(&self, definition: &str, value: &Value) -> bool {
        let ways = self.of.get(definition).map_or(u64::MAX, |count| count.ways);
        let times = self.back.max(1).saturating_pow(depth(value));
        ways.saturating_mul(times) <= MOST_TO_ERRORS
    }
}

impl Definitions<'_> {
    /// Counts the ways from a schema in a definition.
    fn count(&self, node: &Node, within: usize) -> Count {
        let mut here = Count::default();
        let mut below = Count { ways: 1, ..Count::default() };
        for (keyword, member) in node.as_object().into_iter().flatten() {
            let said = &member.value;
            let inner = || schemas(said).map(|inner| self.count(inner, within));
            match keyword.as_str() {
                "$ref" | "$dynamicRef" | "$recursiveRef" => {
                    here = here.and(self.referred(said, within));
                }
                "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => {
                    here = inner().fold(here, Count::and);
                }
                "not" | "if" | "then" | "else" => here = here.and(self.count(said, within)),
                // One part of a value is one of them.
                "properties" | "prefixItems" => {
                    below = below.and(inner().fold(Count::default(), Count::or));
                }
                "patternProperties" => below = inner().fold(below, Count::and),
                "items" if said.as_array().is_some() => {
                    below = below.and(inner().fold(Count::default(), Count::or));
                }
                "items"
                | "additionalItems"
                | "contains"
                | "additionalProperties"
                | "propertyNames" => below = below.and(self.count(said, within)),
                // What has been looked at by then is found out by looking again.
                "unevaluatedProperties" | "unevaluatedItems" => {
                    here = here.and(here);
                    below = below.and(self.count(said, within));
                }
                _ => {}
            }
        }
        let all = here.and(below);
        let chain = here.chain + 1;
        Count { chain, longest: all.longest.max(chain), ..all }
    }

    /// Counts the ways from where a reference leads. What is no definition is not followed: there
    /// may be any number.
    fn referred(&self, reference: &Node, within: usize) -> Count {
        let Some(at) = position(reference, &self.positions) else {
            return Count { ways: u64::MAX, ..Count::default() };
        };
        let is_back = self.cycles[at].is_some() && self.cycles[at] == self.cycles[within];
        match self.known[at] {
            None => Count { ways: 1, back: 1, ..Count::default() },
            Some(count) if is_back => count,
            Some(count) => Count { back: 0, ..count },
        }
    }
}

impl Count {
    /// Both: each is a way of its own.
    fn and(self, other: Self) -> Self {
        Self {
            ways: self.ways.saturating_add(other.ways),
            back: self.back.saturating_add(other.back),
            ..self.or(other)
        }
    }

    /// One or the other.
    fn or(self, other: Self) -> Self {
        Self {
            ways: self.ways.max(other.ways),
            back: self.back.max(other.back),
            chain: self.chain.max(other.chain),
            longest: self.longest.max(other.longest),
        }
    }
}

/// The schemas in a list, or in an object by name.
fn schemas(said: &Node) -> impl Iterator<Item = &Node> {
    let members = said.as_object().into_iter().flatten().map(|(_, member)| &member.value);
    said.as_array().unwrap_or_default().iter().chain(members)
}

fn position(reference: &Node, positions: &HashMap<&str, usize>) -> Option<usize> {
    positions.get(reference.as_str()?.strip_prefix('#')?).copied()
}

/// The definitions that a part of a schema refers to.
fn targets(node: &Node, positions: &HashMap<&str, usize>) -> Vec<usize> {
    let reference = ["$ref", "$dynamicRef", "$recursiveRef"].iter().filter_map(|it| node.get(it));
    let own = reference.filter_map(|it| position(it, positions));
    own.chain(schemas(node).flat_map(|inner| targets(inner, positions))).collect()
}

/// The levels of a value.
fn depth(value: &Value) -> u32 {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}
