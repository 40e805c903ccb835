//! Definitions that are written in another way and say the same.

use std::collections::BTreeSet;

use super::Comparer;
use super::finding::{ComparedLocation, End, Finding};
use super::prose::{self, ChangedText};
use crate::breaking::rules;
use crate::ir::Protocol;
use crate::source::{Json, Location, Member, Node, Span};

/// Keywords that are for people.
pub(super) const PROSE: [&str; 6] =
    ["title", "description", "examples", "$comment", "deprecated", "x-docs-ignore"];

/// Keywords that bind a definition to a method.
const BINDING: [&str; 2] = ["x-method", "x-side"];

/// Annotations that are told where they have their effect.
const TOLD: [&str; 10] = [
    "x-protocol-version",
    "x-capabilities",
    "x-capability",
    "x-key",
    "x-patch-of",
    "x-status",
    "x-value",
    "x-merge",
    "x-appends",
    "x-removes",
];

/// Rules that tell them, beside those of capabilities.
const TELLING: [&str; 2] = ["negotiation-changed", "state-changed"];

/// There is no place to point at.
pub(in crate::breaking) static NOWHERE: Location = Location {
    pointer: String::new(),
    span: Span { source: 0, start: 0, end: 0 },
    line: 0,
    column: 0,
};

/// The beginning of a schema.
pub(in crate::breaking) static ROOT: Location = Location {
    pointer: String::new(),
    span: Span { source: 0, start: 0, end: 1 },
    line: 1,
    column: 1,
};

impl<'a> Comparer<'a> {
    /// Compares the text of all definitions: the keywords that the model has no word for, and
    /// how it is written where nothing else was found.
    pub(super) fn rewrites(&mut self, old: &'a Node, new: &'a Node) {
        let (Some(before), Some(after)) = (definitions(old), definitions(new)) else { return };
        self.unmodelled(before, after);
        self.catalogues(before, after);
        let found: BTreeSet<&str> = self
            .findings
            .iter()
            .filter(|finding| finding.rule.id != rules::METHOD_BINDING_ANNOTATED.id)
            .flat_map(|finding| {
                [Some(finding.location.ty), finding.location.old.def, finding.location.new.def]
            })
            .flatten()
            .collect();
        let is_told = self.findings.iter().any(|finding| {
            finding.rule.id.starts_with("capabilit") || TELLING.contains(&finding.rule.id)
        });
        let without_told = [PROSE.as_slice(), &BINDING, &TOLD].concat();
        self.prose_elsewhere((old, before), (new, after));
        for (name, from) in before {
            let Some(to) = after.get(name) else { continue };
            let (from, to) = (&from.value, &to.value);
            if same(from, to, &[]) {
                continue;
            }
            let texts = prose::changed(name, from, to);
            let is_found = found.contains(name.as_str());
            let is_prose = same(from, to, &PROSE);
            // Whatever else has changed is told elsewhere; what is said of it is told here.
            if !texts.is_empty() || is_prose && !is_found {
                self.prose(name, texts);
            }
            if is_found || is_prose {
                continue;
            }
            // That a method is bound is told with the method.
            let without_binding = [PROSE.as_slice(), &BINDING].concat();
            if same(from, to, &without_binding) {
                continue;
            }
            // What is told of the protocol or of a union is told there.
            if is_told && same(from, to, &without_told) {
                continue;
            }
            let is_envelope = self.old.envelope.contains(name) && self.new.envelope.contains(name);
            let (rule, summary) = if !is_envelope {
                (&rules::STRUCTURE_ONLY, "the same values, described in another way")
            } else if form(from) != form(to) {
                (&rules::ENVELOPE_RESTRUCTURED, "messages are described in another way")
            } else if listed(from) == listed(to) {
                (&rules::STRUCTURE_ONLY, "the same payloads, listed in another way")
            } else {
                continue;
            };
            self.found(rule, &self.whole(name), summary);
        }
    }

    /// Reports what is said of the protocol, and of definitions that have another name now.
    fn prose_elsewhere(
        &mut self,
        (old, before): (&'a Node, &'a Members),
        (new, after): (&'a Node, &'a Members),
    ) {
        let title = &self.old.title.wire;
        let texts = prose::of_protocol(title, old, new);
        if !texts.is_empty() {
            let root = ComparedLocation::new(title, End::new(None, &ROOT), End::new(None, &ROOT));
            self.report(prosaic(&root, texts).located(None));
        }
        for (name, from) in before {
            let partner = self.pairing.to_new(name).filter(|partner| partner != name);
            let Some(to) = partner.and_then(|partner| after.get(partner)) else { continue };
            let texts = prose::changed(name, &from.value, &to.value);
            if !texts.is_empty() {
                let mut at = self.whole(name);
                at.new = partner.map_or(at.new, |partner| self.whole(partner).new);
                self.report(prosaic(&at, texts));
            }
        }
    }

    /// Reports what is said of a definition, with the descriptions that are others.
    fn prose(&mut self, name: &'a str, texts: Vec<ChangedText>) {
        let mut at = self.whole(name);
        for end in [&mut at.old, &mut at.new].into_iter().filter(|end| end.def.is_none()) {
            // A message union is no part of the model.
            end.location = &ROOT;
        }
        self.report(prosaic(&at, texts));
    }

    /// The site of a definition that both schemas have under one name.
    pub(super) fn whole(&self, name: &'a str) -> ComparedLocation<'a> {
        let end = |protocol: &'a Protocol| {
            let found = protocol.types.get_key_value(name);
            End::new(
                found.map(|(name, _)| name.as_str()),
                found.map_or(&NOWHERE, |(_, def)| &def.location),
            )
        };
        ComparedLocation::new(name, end(self.old), end(self.new))
    }
}

/// A finding of descriptions that are others.
fn prosaic<'a>(at: &ComparedLocation<'a>, texts: Vec<ChangedText>) -> Finding<'a> {
    let summary = match texts.len() {
        0 => String::from("only what is said about it has changed"),
        1 => String::from("a description has changed"),
        many => format!("{many} descriptions have changed"),
    };
    let finding = Finding::new(&rules::ANNOTATION_ONLY, at, summary);
    Finding { texts, ..finding }
}

/// The members of an object.
pub(super) type Members = indexmap::IndexMap<String, Member>;

fn definitions(root: &Node) -> Option<&Members> {
    root.get("$defs").or_else(|| root.get("definitions"))?.as_object()
}

/// Tells whether two schemas are the same but for these keywords.
pub(super) fn same(old: &Node, new: &Node, but: &[&str]) -> bool {
    match (&old.json, &new.json) {
        (Json::Object(from), Json::Object(to)) => {
            let is_kept = |key: &&String| !but.contains(&key.as_str());
            let kept = |members: &Members| members.keys().filter(is_kept).count();
            let is_same = |key: &String| match (&from[key].value, to.get(key)) {
                // Its keys are names, which may look like keywords.
                (a, Some(b)) if key == "properties" => same_members(a, &b.value, but),
                (a, b) => b.is_some_and(|b| same(a, &b.value, but)),
            };
            kept(from) == kept(to) && from.keys().filter(is_kept).all(is_same)
        }
        (Json::Array(from), Json::Array(to)) => {
            from.len() == to.len() && from.iter().zip(to).all(|(a, b)| same(a, b, but))
        }
        (Json::Object(_) | Json::Array(_), _) | (_, Json::Object(_) | Json::Array(_)) => false,
        _ => old.to_value() == new.to_value(),
    }
}

fn same_members(old: &Node, new: &Node, but: &[&str]) -> bool {
    match (old.as_object(), new.as_object()) {
        (Some(from), Some(to)) => {
            let is_same = |(key, a): (&String, &Member)| {
                to.get(key).is_some_and(|b| same(&a.value, &b.value, but))
            };
            from.len() == to.len() && from.iter().all(is_same)
        }
        _ => same(old, new, but),
    }
}

/// The form of a definition of the envelope: its properties, or that it only lists payloads.
fn form(node: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        let Some(members) = node.as_object() else { continue };
        for (key, member) in members {
            match key.as_str() {
                "properties" => {
                    let properties = member.value.as_object().into_iter().flatten();
                    found.extend(properties.map(|(name, _)| name.as_str()));
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
