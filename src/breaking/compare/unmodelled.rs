//! Keywords that restrict values in a way that the model has no word for, compared by their text.

use std::collections::BTreeMap;

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use super::rewrites::{Members, PROSE, same};
use crate::breaking::rules;
use crate::source::Node;

impl<'a> Comparer<'a> {
    /// Reports the parts that are written in another way and of which the model does not say all,
    /// in place of what the model says of them.
    pub(super) fn unmodelled(&mut self, before: &'a Members, after: &'a Members) {
        let mut parts: BTreeMap<&'a str, bool> = BTreeMap::new();
        for part in self.old.unmodelled.iter().chain(&self.new.unmodelled) {
            *parts.entry(part.path.as_str()).or_default() |= part.is_any;
        }
        for (path, is_any) in parts {
            let (ty, path) = path.split_once('.').unwrap_or((path, ""));
            let Some(((ty, from), (_, to))) = before.get_key_value(ty).zip(after.get_key_value(ty))
            else {
                continue;
            };
            // What comes or goes is told as such.
            let Some((old, new)) = inner(&from.value, path).zip(inner(&to.value, path)) else {
                continue;
            };
            if same(old, new, &PROSE) {
                continue;
            }
            if is_any {
                self.findings.retain(|finding| !is_about_values(finding, ty, path));
            }
            let summary = "is written in another way, of which the model does not say all";
            self.found(&rules::NOT_JUDGED, &self.part(ty, path), summary);
        }
    }

    /// The site of a property in a definition that both schemas have under one name.
    fn part(&self, name: &'a str, path: &str) -> ComparedLocation<'a> {
        let mut at = self.whole(name);
        path.clone_into(&mut at.path);
        let first = path.split(['.', '[']).next().filter(|first| !first.is_empty());
        at.focus = first.map(str::to_owned);
        at
    }
}

/// Tells whether a finding is about the values at a place, or about something in them.
fn is_about_values(finding: &Finding<'_>, ty: &str, path: &str) -> bool {
    const ABOUT_VALUES: [&str; 9] = [
        "type-w",
        "type-n",
        "type-c",
        "any-",
        "object-",
        "scalar-",
        "enum-",
        "union-",
        "constraint-",
    ];
    let at = &finding.location;
    let id = finding.rule.id;
    let is_inside =
        |rest: &str| rest.starts_with(['.', '[', '{', '<']) || path.is_empty() && !rest.is_empty();
    at.ty == ty
        && at.path.strip_prefix(path).is_some_and(|rest| {
            is_inside(rest)
                || rest.is_empty() && ABOUT_VALUES.iter().any(|start| id.starts_with(start))
        })
}

/// The schema of a property below another, `item` for those of an array.
fn inner<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    let mut node = node;
    for segment in path.split('.').filter(|segment| !segment.is_empty()) {
        let property = node.get("properties").and_then(|all| all.get(segment));
        node = match property {
            Some(property) => property,
            None if segment == "item" => node.get("items")?,
            None => return None,
        };
    }
    Some(node)
}
