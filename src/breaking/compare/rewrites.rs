//! Definitions that are written in another way and say the same.

use std::collections::BTreeSet;

use super::Comparer;
use super::draft::{Draft, End, Site};
use crate::breaking::rules;
use crate::source::{Json, Node, Place};

/// Keywords that are for people.
const PROSE: [&str; 6] =
    ["title", "description", "examples", "$comment", "deprecated", "x-docs-ignore"];

/// Keywords that bind a definition to a method.
const BINDING: [&str; 2] = ["x-method", "x-side"];

/// There is no place to point at.
pub(super) static NOWHERE: Place = Place {
    pointer: String::new(),
    span: crate::source::Span { source: 0, start: 0, end: 0 },
    line: 0,
    column: 0,
};

impl<'a> Comparer<'a> {
    /// Compares the text of all definitions in which nothing else was found.
    pub(super) fn rewrites(&mut self, old: &'a Node, new: &'a Node) {
        let found: BTreeSet<&str> = self
            .drafts
            .iter()
            .filter(|draft| draft.rule.id != rules::METHOD_BINDING_ANNOTATED.id)
            .map(|draft| draft.site.ty)
            .collect();
        let (Some(before), Some(after)) = (definitions(old), definitions(new)) else { return };
        for (name, from) in before {
            let Some(to) = after.get(name) else { continue };
            let (from, to) = (&from.value, &to.value);
            if found.contains(name.as_str()) || same(from, to, &[]) {
                continue;
            }
            // That a method is bound is told with the method.
            let without_binding = [PROSE.as_slice(), &BINDING].concat();
            if !same(from, to, &PROSE) && same(from, to, &without_binding) {
                continue;
            }
            let is_envelope = self.old.envelope.contains(name) && self.new.envelope.contains(name);
            let (rule, summary) = if same(from, to, &PROSE) {
                (&rules::ANNOTATION_ONLY, "only what is said about it has changed")
            } else if !is_envelope {
                (&rules::STRUCTURE_ONLY, "the same values, described in another way")
            } else if form(from) != form(to) {
                (&rules::ENVELOPE_RESTRUCTURED, "messages are described in another way")
            } else if listed(from) == listed(to) {
                (&rules::STRUCTURE_ONLY, "the same payloads, listed in another way")
            } else {
                continue;
            };
            let def = |protocol: &'a crate::ir::Protocol| {
                protocol.types.get_key_value(name).map(|(name, _)| name.as_str())
            };
            let place = |protocol: &'a crate::ir::Protocol| {
                protocol.types.get(name).map_or(&NOWHERE, |def| &def.place)
            };
            let ends =
                (End::of(def(self.old), place(self.old)), End::of(def(self.new), place(self.new)));
            let site = Site::new(name, ends.0, ends.1);
            self.report(Draft::new(rule, &site, summary));
        }
    }
}

type Members = indexmap::IndexMap<String, crate::source::Member>;

fn definitions(root: &Node) -> Option<&Members> {
    root.get("$defs").or_else(|| root.get("definitions"))?.as_object()
}

/// Whether two schemas are the same but for these keywords.
fn same(old: &Node, new: &Node, but: &[&str]) -> bool {
    match (&old.json, &new.json) {
        (Json::Object(from), Json::Object(to)) => {
            let kept = |members: &Members| members.keys().filter(|key| is_kept(key, but)).count();
            kept(from) == kept(to)
                && from.iter().filter(|(key, _)| is_kept(key, but)).all(|(key, a)| {
                    to.get(key).is_some_and(|b| match key.as_str() {
                        // Its keys are names, which may look like keywords.
                        "properties" => same_members(&a.value, &b.value, but),
                        _ => same(&a.value, &b.value, but),
                    })
                })
        }
        (Json::Array(from), Json::Array(to)) => {
            from.len() == to.len() && from.iter().zip(to).all(|(a, b)| same(a, b, but))
        }
        (Json::Object(_) | Json::Array(_), _) | (_, Json::Object(_) | Json::Array(_)) => false,
        _ => old.to_value() == new.to_value(),
    }
}

fn is_kept(key: &str, but: &[&str]) -> bool {
    !but.contains(&key)
}

fn same_members(old: &Node, new: &Node, but: &[&str]) -> bool {
    match (old.as_object(), new.as_object()) {
        (Some(from), Some(to)) => {
            from.len() == to.len()
                && from
                    .iter()
                    .all(|(key, a)| to.get(key).is_some_and(|b| same(&a.value, &b.value, but)))
        }
        _ => same(old, new, but),
    }
}

/// How a definition of the envelope is built: its properties, or that it only lists payloads.
fn form(node: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        let Some(members) = node.as_object() else { continue };
        for (key, member) in members {
            match key.as_str() {
                "properties" => {
                    let properties = member.value.as_object();
                    found.extend(
                        properties.into_iter().flat_map(|all| all.keys()).map(String::as_str),
                    );
                }
                "anyOf" | "oneOf" | "allOf" => {
                    pending.extend(member.value.as_array().into_iter().flatten());
                }
                _ => {}
            }
        }
    }
    found
}

/// The definitions that a definition of the envelope refers to.
fn listed(node: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match &node.json {
            Json::Object(members) => {
                found.extend(node.get("$ref").and_then(Node::as_str));
                pending.extend(members.values().map(|member| &member.value));
            }
            Json::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    found
}
