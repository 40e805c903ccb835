//! Compares the descriptions in two schemas.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::source::{Json, Node};

/// A description that was changed, added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedText {
    /// The definition that it is in.
    #[serde(rename = "type")]
    pub ty: String,
    /// The location in the definition, as in `Change::path`. Empty for the definition as a whole.
    pub path: String,
    /// The text in the old schema.
    pub old: Option<String>,
    /// The text in the new schema.
    pub new: Option<String>,
}

/// The descriptions of the protocol and of its sides that are not the same in both schemas.
pub(super) fn of_protocol(title: &str, old: &Node, new: &Node) -> Vec<ChangedText> {
    let text = |node: Option<&Node>| Some(node?.get("description")?.as_str()?.to_owned());
    let sides = |root: &Node| -> Texts {
        let sides = root.get("x-sides").and_then(Node::as_object).into_iter().flatten();
        let path = |name: &String| format!("x-sides.{name}");
        sides.map(|(name, side)| (path(name), text(Some(&side.value)))).collect()
    };
    let (mut before, mut after) = (sides(old), sides(new));
    before.insert(String::new(), text(Some(old)));
    after.insert(String::new(), text(Some(new)));
    differing(title, before, &after)
}

/// The descriptions in a definition that are not the same in both schemas. Those of parts that
/// only one of them has are no news.
pub(super) fn changed(ty: &str, old: &Node, new: &Node) -> Vec<ChangedText> {
    differing(ty, texts(old), &texts(new))
}

/// Texts by place.
type Texts = BTreeMap<String, Option<String>>;

fn differing(ty: &str, before: Texts, after: &Texts) -> Vec<ChangedText> {
    let mut found = Vec::new();
    for (path, was) in before {
        let Some(is) = after.get(&path).filter(|is| **is != was) else { continue };
        found.push(ChangedText { ty: ty.to_owned(), path, old: was, new: is.clone() });
    }
    found
}

/// The description of each part of a definition.
fn texts(node: &Node) -> Texts {
    let mut found = BTreeMap::new();
    let mut pending = vec![(String::new(), node)];
    while let Some((path, node)) = pending.pop() {
        let Json::Object(members) = &node.json else { continue };
        let own = node.get("description").and_then(Node::as_str).map(str::to_owned);
        let known = found.entry(path.clone()).or_insert(None);
        *known = known.take().or(own);
        for (key, member) in members {
            match (key.as_str(), &member.value.json) {
                ("properties", Json::Object(properties)) => {
                    let dot = if path.is_empty() { "" } else { "." };
                    pending.extend(
                        properties.iter().map(|(name, property)| {
                            (format!("{path}{dot}{name}"), &property.value)
                        }),
                    );
                }
                ("prefixItems" | "items", Json::Array(items)) => {
                    let items = items.iter().enumerate();
                    pending.extend(items.map(|(at, item)| (format!("{path}[{at}]"), item)));
                }
                ("items", _) => pending.push((format!("{path}[]"), &member.value)),
                ("additionalProperties", Json::Object(_)) => {
                    pending.push((format!("{path}{{}}"), &member.value));
                }
                ("allOf", Json::Array(parts)) => {
                    pending.extend(parts.iter().map(|part| (path.clone(), part)));
                }
                ("anyOf" | "oneOf", Json::Array(branches)) => {
                    let labelled = branches.iter().enumerate();
                    pending
                        .extend(labelled.map(|(at, branch)| {
                            (format!("{path}<{}>", label(branch, at)), branch)
                        }));
                }
                _ => {}
            }
        }
    }
    found
}

/// The label of a branch: what tells it from others, wherever it stands.
fn label(branch: &Node, at: usize) -> String {
    let constants = branch.get("properties").and_then(Node::as_object);
    let mut constants = constants.into_iter().flatten().filter_map(|(name, property)| {
        Some(format!("{name}={}", property.value.get("const")?.as_str()?))
    });
    let constant = branch.get("const").map(|constant| constant.to_value().to_string());
    let text = |keyword| branch.get(keyword).and_then(Node::as_str).map(str::to_owned);
    let named = constants.next().or(constant).or_else(|| text("title")).or_else(|| text("$ref"));
    named.unwrap_or_else(|| at.to_string())
}
