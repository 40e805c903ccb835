//! The branches of `anyOf` and `oneOf`, told apart by a property whose value is a constant, so that
//! a value need not be held against all of them.

use std::collections::HashMap;

use serde_json::Value;

use crate::source::Node;

/// The fewest branches that are told apart: few are looked at one by one.
const FEWEST: usize = 8;

/// The branches of a choice.
pub(super) struct Branches<'a> {
    all: Vec<&'a Node>,
    tagged: Option<Tagged<'a>>,
}

/// Branches by the constant that they want as the value of a property, if it is there.
struct Tagged<'a> {
    property: &'a str,
    by_tag: HashMap<&'a str, Vec<&'a Node>>,
    /// Those that want no constant.
    others: Vec<&'a Node>,
}

impl<'a> Branches<'a> {
    /// `resolved` gives the schema that a branch refers to, or the branch.
    pub(super) fn new(said: &'a Node, resolved: impl Fn(&'a Node) -> &'a Node) -> Self {
        let all: Vec<&'a Node> = said.as_array().unwrap_or_default().iter().collect();
        let tagged = (all.len() >= FEWEST).then(|| Tagged::of(&all, resolved)).flatten();
        Self { all, tagged }
    }

    /// The branches that a value may satisfy. All others forbid it.
    pub(super) fn of(&self, value: &Value) -> impl Iterator<Item = &'a Node> {
        let told = self.tagged.as_ref().and_then(|tagged| {
            let tag = value.get(tagged.property)?.as_str()?;
            let own = tagged.by_tag.get(tag).map_or(&[][..], Vec::as_slice);
            Some((own, tagged.others.as_slice()))
        });
        let (own, others) = told.unwrap_or((&self.all, &[]));
        own.iter().chain(others).copied()
    }
}

impl<'a> Tagged<'a> {
    /// By the first property for which the first branch wants a constant.
    fn of(all: &[&'a Node], resolved: impl Fn(&'a Node) -> &'a Node) -> Option<Self> {
        let first = resolved(all.first()?).get("properties")?.as_object()?;
        let constant = |node: &'a Node| node.get("const").and_then(Node::as_str);
        let (property, _) = first.iter().find(|(_, member)| constant(&member.value).is_some())?;
        let mut found = Self { property, by_tag: HashMap::new(), others: Vec::new() };
        for branch in all {
            let property = resolved(branch).get("properties").and_then(|all| all.get(property));
            match property.and_then(constant) {
                Some(tag) => found.by_tag.entry(tag).or_default().push(branch),
                None => found.others.push(branch),
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Branches;
    use crate::source::{Node, SourceText, Sources, parse};

    fn constants(tags: &[&str]) -> Vec<Value> {
        tags.iter().map(|tag| json!({"properties": {"kind": {"const": tag}}})).collect()
    }

    /// The positions of the branches that a value may satisfy.
    fn may_satisfy(branches: Vec<Value>, value: &Value) -> Vec<usize> {
        let mut sources = Sources::default();
        let source = sources.add(SourceText::new("test.json", Value::from(branches).to_string()));
        let said = parse(&sources, source).0.expect("it is JSON");
        let all = said.as_array().expect("it is an array");
        let found = Branches::new(&said, |branch| branch);
        let position = |branch: &Node| all.iter().position(|each| std::ptr::eq(each, branch));
        found.of(value).filter_map(position).collect()
    }

    #[test]
    fn a_tag_leaves_the_branches_that_want_it_and_those_that_want_none() {
        let mut branches = constants(&["a", "b", "c", "b", "d", "e", "f"]);
        branches.push(json!({"type": "object"}));
        assert_eq!(may_satisfy(branches.clone(), &json!({"kind": "b"})), [1, 3, 7]);
        assert_eq!(may_satisfy(branches, &json!({"kind": "z"})), [7]);
    }

    #[test]
    fn what_has_no_tag_is_held_against_all() {
        let branches = constants(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        for value in [json!({}), json!({"kind": 1}), json!("b"), json!(null)] {
            assert_eq!(may_satisfy(branches.clone(), &value).len(), 8, "{value}");
        }
    }

    #[test]
    fn few_branches_are_not_told_apart() {
        let branches = constants(&["a", "b", "c"]);
        assert_eq!(may_satisfy(branches, &json!({"kind": "b"})), [0, 1, 2]);
    }
}
