//! `if`, `then` and `else`, where it is known how the condition turns out.

use super::SchemaObject;
use super::reader::Reader;
use crate::source::Node;

impl Reader<'_> {
    /// Takes a condition that is always met, or never, for what it then leads to. `then` and `else`
    /// say nothing without one.
    pub(super) fn conditions(&mut self, schema: &mut SchemaObject, node: &Node) {
        let leads = ["then", "else"].map(|keyword| node.get(keyword));
        let branch = match (node.get("if").map(always), leads) {
            (None, _) => None,
            (Some(None), _) => return,
            (Some(Some(is_met)), [then, other]) => {
                if is_met {
                    then.map(|it| ("then", it))
                } else {
                    other.map(|it| ("else", it))
                }
            }
        };
        schema.unmodelled.retain(|(keyword, _)| !CONDITIONS.contains(&keyword.as_str()));
        if let Some((keyword, branch)) = branch {
            let member = self.inside(keyword, |reader| reader.schema(branch));
            schema.all_of.push(member);
        }
    }
}

const CONDITIONS: [&str; 3] = ["if", "then", "else"];

/// Which way a condition always turns out, if it says nothing of values.
fn always(condition: &Node) -> Option<bool> {
    let is_empty = condition.as_object().is_some_and(indexmap::IndexMap::is_empty);
    condition.as_bool().or(is_empty.then_some(true))
}
