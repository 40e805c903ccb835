//! A schema of one's own, added to that of a protocol.

use indexmap::IndexMap;

use super::annotations::is_annotation;
use super::dialect::DEFINITIONS;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Json, Location, Member, Node, Sources, push_segment};

/// Keywords of a root that say nothing about values.
const DESCRIPTIVE: [&str; 5] = ["$schema", "$id", "$comment", "title", "description"];

/// Adds the definitions of a schema to another's.
///
/// A definition that both have is reported, unless it is the same in both. What else stands in the
/// root of `extension`, and is more than a description, is reported, too.
pub(super) fn extend(
    root: &mut Node,
    extension: Node,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    let Json::Object(members) = extension.json else { return };
    for (keyword, member) in members {
        if DESCRIPTIVE.contains(&keyword.as_str()) {
            continue;
        }
        let location = sources.location(format!("/{keyword}"), member.key);
        match member.value.json {
            Json::Object(added) if DEFINITIONS.contains(&keyword.as_str()) => {
                define(root, &keyword, added, sources, diagnostics);
            }
            _ => diagnostics.push(unused(&keyword, location)),
        }
    }
}

fn define(
    root: &mut Node,
    keyword: &str,
    added: IndexMap<String, Member>,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    let span = root.span;
    let Json::Object(members) = &mut root.json else { return };
    // References name either keyword; a schema has just one of them.
    let own = DEFINITIONS.into_iter().find(|keyword| members.contains_key(*keyword));
    let empty = || Member { key: span, value: Node { span, json: Json::Object(IndexMap::new()) } };
    let definitions = members.entry(own.unwrap_or("$defs").to_owned()).or_insert_with(empty);
    let Json::Object(definitions) = &mut definitions.value.json else { return };
    for (name, member) in added {
        let mut pointer = format!("/{keyword}");
        push_segment(&mut pointer, &name);
        match definitions.get(&name) {
            Some(other) if other.value.to_value() != member.value.to_value() => {
                let mut theirs = format!("/{}", own.unwrap_or("$defs"));
                push_segment(&mut theirs, &name);
                diagnostics.push(
                    Diagnostic::error("duplicate-definition", format!("`{name}` is defined twice"))
                        .at(sources.location(pointer, member.key))
                        .related(sources.location(theirs, other.key), "the other one")
                        .help("give one of them another name; an overlay changes what is there"),
                );
            }
            Some(_) => {}
            None => drop(definitions.insert(name, member)),
        }
    }
}

fn unused(keyword: &str, location: Location) -> Diagnostic {
    let help = if is_annotation(keyword) {
        "what is said of the protocol as a whole goes into an overlay"
    } else {
        "only definitions are added to a protocol; refer to them by `#/$defs/NAME`"
    };
    let message = format!("`{keyword}` of a further schema has no effect");
    Diagnostic::warning("unused-keyword", message).at(location).help(help)
}
