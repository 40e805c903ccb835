//! Declarations of generated Rust, which is as rustfmt leaves it.

use super::Rust;
use crate::backend::Options;
use crate::backend::api::{Api, DeclarationKind};
use crate::backend::printed::{self, Item, Member, MemberKind, is_comment, joined, leading_name};
use crate::ir::Protocol;

/// The public declarations of the crate.
pub(super) fn api(protocol: &Protocol, options: &Options) -> Api {
    printed::api(&Rust, protocol, options, ".rs", items, |names, item| {
        let head = item.head.last().map(String::as_str).unwrap_or_default();
        let kind = if head.starts_with("pub trait ") {
            DeclarationKind::Handler
        } else if head.starts_with("pub enum ") {
            DeclarationKind::Choice { exhaustive: !item.head.contains(&NON_EXHAUSTIVE.to_owned()) }
        } else if head.starts_with("impl ") {
            DeclarationKind::Caller
        } else if head.starts_with("pub const ") {
            DeclarationKind::Constants
        } else if head.starts_with("pub type ") {
            DeclarationKind::Alias
        } else if head.starts_with("pub struct ") && head.ends_with(");") {
            DeclarationKind::Newtype
        } else {
            DeclarationKind::Record
        };
        let ty = match kind {
            DeclarationKind::Newtype => head.split_once('(').map(|(_, ty)| ty),
            DeclarationKind::Alias => head.split_once(" = ").map(|(_, ty)| ty),
            _ => None,
        };
        let ty = ty.unwrap_or_default().trim_end_matches([')', ';']).to_owned();
        let derives = item.head.iter().find_map(|line| line.strip_prefix("#[derive("));
        let derives = derives.unwrap_or_default().trim_end_matches(")]").split(", ");
        let bases = derives.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        names.declare(item, kind, ty, bases)
    })
}

const NON_EXHAUSTIVE: &str = "#[non_exhaustive]";

/// The public declarations of a file. What an `impl` declares belongs to its type.
fn items(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut attributes: Vec<String> = Vec::new();
    let mut lines = text.lines().filter(|line| !is_comment(line)).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("#[") {
            let mut attribute = vec![line];
            while !attribute.last().is_some_and(|line| line.ends_with(']')) {
                let Some(next) = lines.next() else { break };
                attribute.push(next);
            }
            attributes.push(joined(attribute));
            continue;
        }
        let attributes = std::mem::take(&mut attributes);
        if line.is_empty() || line.starts_with([' ', '}', ')']) {
            continue;
        }
        let mut block = vec![line];
        while !is_whole(&block) {
            let Some(next) = lines.next() else { break };
            block.push(next);
        }
        if let Some(rest) = line.strip_prefix("impl ") {
            implementation(rest, &block, &mut items);
        } else if let Some(rest) = line.strip_prefix("pub ") {
            items.push(declaration(rest, &block, attributes));
        }
    }
    items
}

fn is_whole(block: &[&str]) -> bool {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return true };
    if block.iter().any(|line| line.ends_with('{')) {
        return *last == "}";
    }
    last.ends_with([';', '}']) || (block.len() == 1 && first.ends_with("{}"))
}

fn declaration(rest: &str, block: &[&str], attributes: Vec<String>) -> Item {
    let (keyword, named) = rest.split_once(' ').unwrap_or((rest, ""));
    let name = leading_name(named.trim_start_matches("r#")).to_owned();
    let shown = |line: &String| line.starts_with("#[derive") || line.starts_with("#[non_exh");
    let mut head: Vec<String> = attributes.into_iter().filter(shown).collect();
    let Some(open) = block.iter().position(|line| line.ends_with('{')) else {
        head.push(joined(block.iter().copied()));
        return Item { name, head, ..Item::default() };
    };
    head.push(joined(block.iter().take(open + 1).copied()));
    let inner = block.get(open + 1..block.len() - 1).unwrap_or_default();
    let members = match keyword {
        "trait" => functions(inner, "fn "),
        _ => entries(inner),
    };
    Item { name, head, members, tail: "}".to_owned() }
}

/// The fields of a struct, or the variants of an enum.
fn entries(inner: &[&str]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut entry: Vec<&str> = Vec::new();
    for line in inner.iter().filter(|line| !line.trim_start().starts_with("#[")) {
        entry.push(line);
        if line.starts_with("    ") && !line.starts_with("     ") && line.ends_with(',') {
            let text = joined(std::mem::take(&mut entry));
            let named = text.strip_prefix("pub ").unwrap_or(&text).trim_start_matches("r#");
            let name = leading_name(named).to_owned();
            members.push(Member { name, kind: MemberKind::Value, text: format!("    {text}") });
        }
    }
    members
}

/// The functions in a block, without their bodies.
fn functions(inner: &[&str], start: &str) -> Vec<Member> {
    let mut members = Vec::new();
    let mut lines = inner.iter().copied();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("    ").and_then(|line| line.strip_prefix(start)) else {
            continue;
        };
        let name = leading_name(rest.trim_start_matches("r#")).to_owned();
        let mut signature = vec![line];
        while !signature.last().is_some_and(|line| line.ends_with(['{', ';', '}'])) {
            let Some(next) = lines.next() else { break };
            signature.push(next);
        }
        let signature = joined(signature);
        let text = match signature.strip_suffix(" {") {
            // Whoever implements a trait may leave out what has a body.
            Some(signature) if start == "fn " => format!("    {signature} {{ … }}"),
            Some(signature) => format!("    {signature};"),
            None => format!("    {signature}"),
        };
        let makes = signature.contains("-> Self") && !signature.contains("self");
        let kind = if makes { MemberKind::Constructor } else { MemberKind::Function };
        members.push(Member { name, kind, text });
    }
    members
}

/// Adds what an `impl` declares to its type, which comes before it.
fn implementation(rest: &str, block: &[&str], items: &mut Vec<Item>) {
    let head = rest.trim_end_matches(['{', '}', ' ']);
    let inner = block.get(1..block.len().max(2) - 1).unwrap_or_default();
    let (name, members) = match head.split_once(" for ") {
        Some((implemented, name)) => {
            let text = format!("impl {implemented} for {name}");
            let member = Member { name: implemented.to_owned(), kind: MemberKind::Function, text };
            (name, vec![member])
        }
        None => (head, functions(inner, "pub fn ")),
    };
    let name = leading_name(name);
    match items.iter_mut().rev().find(|item| item.name == name) {
        Some(item) => item.members.extend(members),
        None => items.push(Item {
            name: name.to_owned(),
            head: vec![format!("impl {name} {{")],
            members,
            tail: "}".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_cut_down_to_what_users_see() {
        let items = items(
            "// header\n\n/// A lamp.\n#[derive(Clone, Debug)]\n#[non_exhaustive]\npub struct Lamp {\n    \
             /// How bright.\n    pub watts: Patch<u8>,\n    pub r#type: String,\n}\n\nimpl Lamp {\n    \
             /// One.\n    #[must_use]\n    pub fn new(\n        kind: impl Into<String>,\n    ) -> Self {\n        \
             Self { watts: Patch::Absent }\n    }\n\n    fn hidden(&self) {\n        pub_fn();\n    }\n}\n\n\
             impl From<u8> for Lamp {\n    fn from(_: u8) -> Self {\n        todo\n    }\n}\n\n\
             pub struct Id(String);\n\njson::string_newtype!(Id);\n\npub enum Empty {}\n\n\
             pub trait House: Send {\n    fn open(&self) -> bool;\n\n    fn shut(&self) -> bool {\n        true\n    }\n}\n",
        );
        let texts: Vec<String> =
            items.iter().map(|item| item.lines().collect::<Vec<_>>().join("\n")).collect();
        assert_eq!(
            texts,
            [
                "#[derive(Clone, Debug)]\n#[non_exhaustive]\npub struct Lamp {\n    \
                 pub watts: Patch<u8>,\n    pub r#type: String,\n    \
                 pub fn new(kind: impl Into<String>) -> Self;\nimpl From<u8> for Lamp\n}",
                "pub struct Id(String);",
                "pub enum Empty {}",
                "pub trait House: Send {\n    fn open(&self) -> bool;\n    \
                 fn shut(&self) -> bool { … }\n}",
            ]
        );
        let lamp = &items[0];
        let kinds: Vec<_> = lamp.members.iter().map(|m| (m.name.as_str(), m.kind)).collect();
        assert_eq!(
            kinds,
            [
                ("watts", MemberKind::Value),
                ("type", MemberKind::Value),
                ("new", MemberKind::Constructor),
                ("From<u8>", MemberKind::Function),
            ]
        );
    }
}
