//! Declarations of generated TypeScript, which is as Prettier leaves it.

use super::TypeScript;
use crate::backend::Options;
use crate::backend::api::{Api, DeclarationKind, Role};
use crate::backend::printed::{
    self, Item, Member, MemberKind, is_comment, joined, leading_name, split_outside,
};
use crate::ir::Protocol;

/// The exported declarations of the package.
pub(super) fn api(protocol: &Protocol, options: &Options) -> Api {
    printed::api(&TypeScript, protocol, options, ".ts", items, |names, item| {
        let head = item.head.first().map(String::as_str).unwrap_or_default();
        let has_alternatives = item.members.iter().any(|member| member.text.starts_with("  | "));
        let kind = if head.starts_with("export interface ") {
            DeclarationKind::Handler
        } else if head.starts_with("export class ") {
            DeclarationKind::Caller
        } else if head.starts_with("export const ") {
            DeclarationKind::Constants
        } else if head.ends_with(" = {") {
            DeclarationKind::Record
        } else if has_alternatives {
            let is_open = item.members.iter().any(|member| member.name == "(string & {})");
            DeclarationKind::Choice { exhaustive: !is_open }
        } else {
            DeclarationKind::Alias
        };
        let ty = match kind {
            DeclarationKind::Alias => head.split_once(" = ").map(|(_, ty)| ty),
            _ => None,
        };
        let ty = ty.unwrap_or_default().trim_end_matches(';').to_owned();
        let bases = head.split_once(" extends ").map(|(_, base)| base.trim_end_matches(" {"));
        let bases = bases.into_iter().map(str::to_owned).collect();
        let mut declaration = names.declare(item, kind, ty, bases);
        for member in &mut declaration.members {
            if member.role == Role::Optional {
                member.ty += " | undefined";
            }
            if member.role == Role::Alternative {
                if member.text.starts_with("  | ") {
                    member.ty.clone_from(&member.name);
                } else {
                    member.role = Role::Constant;
                }
            }
        }
        declaration
    })
}

/// The exported declarations of a file. A type and a constant of the same name are one.
fn items(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !is_comment(line)) {
        if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            finish(&block, &mut items);
            block.clear();
        }
        block.push(line);
    }
    finish(&block, &mut items);
    items
}

fn finish(block: &[&str], items: &mut Vec<Item>) {
    let Some(rest) = block.first().and_then(|first| first.strip_prefix("export ")) else { return };
    let rest = rest.trim_start_matches("abstract ");
    let Some((keyword, named)) = rest.split_once(' ') else { return };
    let item = match keyword {
        "type" => type_alias(named, block),
        "const" | "interface" | "class" => body(keyword, named, block),
        "function" => function(named, block),
        // What a file passes on is declared elsewhere.
        _ => return,
    };
    match items.iter_mut().find(|other| other.name == item.name) {
        Some(other) => {
            // Lines without a name: they are shown, and nobody uses them.
            let line = |text| Member { name: String::new(), kind: MemberKind::Function, text };
            other.members.push(line(joined(item.head.iter().map(String::as_str))));
            other.members.extend(item.members);
            other.members.push(line(item.tail));
        }
        None => items.push(item),
    }
}

fn type_alias(named: &str, block: &[&str]) -> Item {
    let name = leading_name(named).to_owned();
    let whole = joined(block.iter().copied());
    let (head, value) = whole.split_once(" =").unwrap_or((&whole, ""));
    let value = value.trim().trim_end_matches(';');
    let is_object = value.starts_with('{') && split_outside(value, '&').len() == 1;
    if is_object && block.len() > 2 && split_outside(value, '|').len() == 1 {
        let members = fields(block.get(1..block.len() - 1).unwrap_or_default());
        return Item { name, head: vec![format!("{head} = {{")], members, tail: "};".into() };
    }
    let alternatives = split_outside(value.trim_start_matches('|'), '|');
    if alternatives.len() < 2 {
        return Item { name, head: vec![format!("{head} = {value};")], ..Item::default() };
    }
    let members = alternatives
        .into_iter()
        .map(|alternative| Member {
            name: alternative.to_owned(),
            kind: MemberKind::Value,
            text: format!("  | {alternative}"),
        })
        .collect();
    Item { name, head: vec![format!("{head} =")], members, tail: String::new() }
}

/// The properties of an object type. One that has no `?` must be given.
fn fields(inner: &[&str]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut entry: Vec<&str> = Vec::new();
    for line in inner {
        entry.push(line);
        let is_own = line.starts_with("  ") && !line.starts_with("   ");
        if is_own && line.ends_with(';') {
            let text = joined(std::mem::take(&mut entry));
            let text = text.strip_prefix("readonly ").unwrap_or(&text).to_owned();
            let name = match split_outside(&text, ':').first() {
                Some(name) => (*name).to_owned(),
                None => text.clone(),
            };
            let kind = if name.ends_with('?') { MemberKind::Value } else { MemberKind::Required };
            let name = name.trim_end_matches('?').trim_matches('"').to_owned();
            members.push(Member { name, kind, text: format!("  {text}") });
        }
    }
    members
}

/// What an object, an interface or a class has, without the bodies of functions.
fn body(keyword: &str, named: &str, block: &[&str]) -> Item {
    let name = leading_name(named).to_owned();
    let open = block.iter().position(|line| line.ends_with('{')).unwrap_or(block.len() - 1);
    let head = vec![joined(block.iter().take(open + 1).copied())];
    let (mut members, mut entry, mut is_in_body) = (Vec::new(), Vec::new(), false);
    for line in block.iter().skip(open + 1) {
        let is_own = line.starts_with("  ") && !line.starts_with("   ");
        if is_in_body {
            is_in_body = !(is_own && line.starts_with("  }"));
            continue;
        }
        if !line.starts_with("  ") {
            break;
        }
        entry.push(*line);
        is_in_body = is_own && line.ends_with('{');
        if is_own && line.ends_with(['{', ',', ';']) && !line.ends_with("(,") {
            members.extend(member(keyword, &joined(std::mem::take(&mut entry))));
        }
    }
    let tail = if keyword == "const" { "};" } else { "}" };
    Item { name, head, members, tail: tail.to_owned() }
}

fn member(keyword: &str, text: &str) -> Option<Member> {
    let is_hidden = ["#", "private ", "static {", "protected "].iter().any(|s| text.starts_with(s));
    if is_hidden {
        return None;
    }
    let shown = text.trim_end_matches([' ', '{', ',', ';']);
    let named = shown.trim_start_matches('"');
    let bare = named.strip_prefix("static ").unwrap_or(named);
    let bare = bare.strip_prefix("async ").unwrap_or(bare);
    let name = leading_name(bare.trim_start_matches("get ")).to_owned();
    let is_function = split_outside(shown, '(').len() > 1 || shown.contains('(');
    let kind = match (is_function, keyword) {
        (true, "const") => MemberKind::Constructor,
        (true, _) => MemberKind::Function,
        (false, _) => MemberKind::Value,
    };
    let end = if keyword == "const" && !is_function { "," } else { ";" };
    Some(Member { name, kind, text: format!("  {shown}{end}") })
}

fn function(named: &str, block: &[&str]) -> Item {
    let signature = block.iter().position(|line| line.ends_with('{')).unwrap_or(0);
    let head = joined(block.iter().take(signature + 1).copied());
    let head = format!("{};", head.trim_end_matches([' ', '{']));
    Item { name: leading_name(named).to_owned(), head: vec![head], ..Item::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_cut_down_to_what_users_see() {
        let items = items(
            "// header\n\nimport x from \"y\";\n\n/** A lamp. */\nexport type Lamp = {\n  /** How. */\n  watts?: \
             number | null;\n  \"odd: name\": {\n    [key: string]: unknown;\n  };\n};\n\nexport type Kind = \"a;|\" | \
             \"b\";\n\n/** The values. */\nexport const Kind = {\n  A: \"a;|\",\n  B: \"b\",\n} as const;\n\n\
             export const Block = {\n  text(\n    text: string,\n  ): Text & { type: \"text\" } {\n    return { text };\n  \
             },\n};\n\nexport interface House {\n  open(request: Open): MaybePromise<void>;\n  shut?(\n    request: Shut,\n  \
             ): void;\n}\n\nexport class Peer extends Base {\n  #own = 1;\n\n  call(): Promise<void> {\n    if (x) {\n      \
             y();\n    }\n  }\n}\n\nexport type Id = string;\n",
        );
        let texts: Vec<String> =
            items.iter().map(|item| item.lines().collect::<Vec<_>>().join("\n")).collect();
        assert_eq!(
            texts,
            [
                "export type Lamp = {\n  watts?: number | null;\n  \
                 \"odd: name\": { [key: string]: unknown; };\n};",
                "export type Kind =\n  | \"a;|\"\n  | \"b\"\nexport const Kind = {\n  A: \"a;|\",\n  B: \"b\",\n};",
                "export const Block = {\n  text(text: string): Text & { type: \"text\" };\n};",
                "export interface House {\n  open(request: Open): MaybePromise<void>;\n  \
                 shut?(request: Shut): void;\n}",
                "export class Peer extends Base {\n  call(): Promise<void>;\n}",
                "export type Id = string;",
            ]
        );
        let kinds: Vec<_> = items[0].members.iter().map(|m| (m.name.as_str(), m.kind)).collect();
        assert_eq!(kinds, [("watts", MemberKind::Value), ("odd: name", MemberKind::Required)]);
    }
}
