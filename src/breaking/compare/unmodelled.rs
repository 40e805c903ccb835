//! Keywords that restrict values in a way that the model has no word for, compared by their text.

use std::collections::{BTreeMap, BTreeSet};

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use super::rewrites::{Members, PROSE, same};
use crate::breaking::rules;
use crate::breaking::verdict::{Verdict, Wire};
use crate::schema::UNENFORCED;
use crate::source::{Json, Node};

/// Keywords with what they say.
type Said = BTreeSet<(String, String)>;

impl<'a> Comparer<'a> {
    /// Compares the keywords that the model has no word for, property by property. Where one comes,
    /// a receiver that looks at it may refuse what used to be valid; where one goes, an old one may.
    pub(super) fn unmodelled(&mut self, before: &'a Members, after: &'a Members) {
        self.not_judged(before, after);
        for (name, from) in before {
            let Some(to) = after.get(name) else { continue };
            let (was, is) = (found(&from.value), found(&to.value));
            for path in paths(&was, &is) {
                let at = self.part(name, path);
                self.unenforced(&at, &said(was.get(path)), &said(is.get(path)));
            }
        }
    }

    /// Reports the parts that are written in another way and of which the model does not say all,
    /// in place of what the model says of them.
    fn not_judged(&mut self, before: &'a Members, after: &'a Members) {
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

    fn unenforced(&mut self, at: &ComparedLocation<'a>, old: &Said, new: &Said) {
        let (goes, comes) = (!old.is_subset(new), !new.is_subset(old));
        let risk = |at_all| if at_all { Verdict::Risk } else { Verdict::Ok };
        let wire = Wire { old_to_new: risk(comes), new_to_old: risk(goes) };
        let summary = format!("{}; generated receivers do not look at it", change(old, new));
        self.report(Finding::new(&rules::NOT_JUDGED, at, summary).wire(wire));
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

/// The paths at which two schemas do not say the same.
fn paths<'k>(old: &'k BTreeMap<String, Said>, new: &'k BTreeMap<String, Said>) -> Vec<&'k String> {
    let mut all: Vec<&String> = old.keys().chain(new.keys()).collect();
    all.sort();
    all.dedup();
    all.retain(|path| old.get(*path) != new.get(*path));
    all
}

fn said(at: Option<&Said>) -> Said {
    at.cloned().unwrap_or_default()
}

/// Says which keywords come and which go.
fn change(old: &Said, new: &Said) -> String {
    let words = |some: &Said, others: &Said| {
        let own = some.difference(others).map(|(key, value)| format!("`{key}`: {value}"));
        own.collect::<Vec<_>>().join(", ")
    };
    match (words(old, new), words(new, old)) {
        (gone, come) if gone.is_empty() => format!("now says {come}"),
        (gone, come) if come.is_empty() => format!("no longer says {gone}"),
        (gone, come) => format!("says {come} instead of {gone}"),
    }
}

/// The keywords of a definition that decoders do not look at, with what they say, by the
/// properties that they are about.
fn found(node: &Node) -> BTreeMap<String, Said> {
    let mut found: BTreeMap<String, Said> = BTreeMap::new();
    let mut pending = vec![(String::new(), node)];
    while let Some((path, node)) = pending.pop() {
        let members = match &node.json {
            Json::Object(members) => members,
            Json::Array(items) => {
                pending.extend(items.iter().map(|item| (path.clone(), item)));
                continue;
            }
            _ => continue,
        };
        for (key, member) in members {
            match key.as_str() {
                // Of these the model knows one.
                keyword if UNENFORCED.contains(&keyword) && keyword != "uniqueItems" => {
                    let value = member.value.to_value().to_string();
                    found.entry(path.clone()).or_default().insert((key.clone(), value));
                }
                // Its keys are names, which may look like keywords.
                "properties" => {
                    let properties = member.value.as_object().into_iter().flatten();
                    pending.extend(properties.map(|(name, property)| {
                        let dot = if path.is_empty() { "" } else { "." };
                        (format!("{path}{dot}{name}"), &property.value)
                    }));
                }
                "prefixItems" => {
                    let items = member.value.as_array().unwrap_or_default().iter().enumerate();
                    pending.extend(items.map(|(at, item)| (format!("{path}[{at}]"), item)));
                }
                "items" => pending.push((format!("{path}[]"), &member.value)),
                "default" | "examples" | "const" | "enum" => {}
                _ => pending.push((path.clone(), &member.value)),
            }
        }
    }
    found
}
