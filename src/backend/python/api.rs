//! Declarations of generated Python, which is as `ruff format` leaves it.

use super::Python;
use crate::backend::Options;
use crate::backend::api::{self, Api, DeclarationKind, Origin, Role};
use crate::backend::printed::{self, Item, Member, MemberKind, joined, leading_name};
use crate::ir::{Protocol, TypeKind};

/// The public declarations of the package.
pub(super) fn api(protocol: &Protocol, options: &Options) -> Api {
    let mut api = printed::api(&Python, protocol, options, ".py", items, |names, item| {
        let head = item.head.first().map(String::as_str).unwrap_or_default();
        let bases = head.strip_prefix("class ").and_then(|head| head.split_once('('));
        let bases = bases.map_or("", |(_, bases)| bases.trim_end_matches("):"));
        let bases = bases.split(", ").filter(|base| !base.is_empty() && !base.contains('='));
        let bases: Vec<String> = bases.map(str::to_owned).collect();
        let inherits = |name: &str| bases.iter().any(|base| base == name);
        let kind = if inherits("ABC") {
            DeclarationKind::Handler
        } else if bases.iter().any(|base| base.ends_with("Enum")) {
            DeclarationKind::Choice {
                exhaustive: !bases.iter().any(|base| base.starts_with("Open")),
            }
        } else if bases.iter().any(|base| base.starts_with("_rpc.")) {
            DeclarationKind::Caller
        } else if head.contains(": TypeAlias = ") {
            DeclarationKind::Alias
        } else if !head.starts_with("class ") || item.name.ends_with("Methods") {
            DeclarationKind::Constants
        } else if bases.is_empty() {
            DeclarationKind::Choice { exhaustive: true }
        } else {
            DeclarationKind::Record
        };
        let ty = head.split_once(": TypeAlias = ").map_or("", |(_, ty)| ty).to_owned();
        let mut declaration = names.declare(item, kind, ty, bases);
        if let (DeclarationKind::Choice { .. }, Origin::Type(ty)) = (kind, &declaration.of)
            && let Some(TypeKind::Union(union)) = protocol.type_def(ty).map(|def| &def.kind)
        {
            let variants = union.variants.iter().map(|variant| &variant.name);
            let names = variants.chain(union.open.iter().map(|open| &open.name));
            let alternatives = names.map(|name| api::Member {
                of: name.wire.clone(),
                name: declaration.name.clone() + &name.pascal(),
                role: Role::Alternative,
                ty: declaration.name.clone() + &name.pascal(),
                parameters: Vec::new(),
                text: String::new(),
            });
            declaration.members.extend(alternatives.collect::<Vec<_>>());
        }
        for member in &mut declaration.members {
            member.ty = checked(&member.ty);
            for parameter in &mut member.parameters {
                parameter.ty = checked(&parameter.ty);
            }
        }
        declaration.ty = checked(&declaration.ty);
        declaration
    });
    // A variant has the fields of the classes that it inherits from, which come before it.
    for at in 0..api.declarations.len() {
        let (before, rest) = api.declarations.split_at_mut(at);
        let Some(declaration) = rest.first_mut() else { continue };
        let bases = before.iter().filter(|base| declaration.bases.contains(&base.name));
        let fields = bases.filter(|base| base.kind == DeclarationKind::Record);
        for field in fields.flat_map(|base| &base.members) {
            declaration.members.push(api::Member { text: String::new(), ..field.clone() });
        }
    }
    api
}

/// A type as a type checker sees it: without bounds, and unions by their public names.
fn checked(ty: &str) -> String {
    let mut text = ty.to_owned();
    while let Some((before, rest)) = text.split_once("Annotated[") {
        let mut depth = 1_usize;
        let end = rest.char_indices().find(|(_, c)| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let (inner, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        let bare = inner.split(", Meta(").next().unwrap_or_default();
        text = format!("{before}{bare}{}", after.get(1..).unwrap_or_default());
    }
    for (from, to) in [("Uint", "Int"), ("Int16", "int"), ("Int32", "int"), ("Int64", "int")] {
        text = text.replace(from, to);
    }
    let mut bare = String::new();
    for character in text.chars() {
        if character.is_ascii_uppercase() && bare.ends_with('_') {
            let before = bare.chars().rev().nth(1);
            if before.is_none_or(|before| !before.is_alphanumeric()) {
                bare.pop();
            }
        }
        bare.push(character);
    }
    bare
}

/// The declarations of a module that users may name. What a union's metaclass makes belongs to
/// the union.
fn items(text: &str) -> Vec<Item> {
    let text = without_docstrings(text);
    let mut items: Vec<Item> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.trim().starts_with('#')) {
        if line.starts_with(|first: char| first.is_ascii_alphabetic() || "_@".contains(first)) {
            items.extend(declaration(&block));
            block.clear();
        }
        block.push(line);
    }
    items.extend(declaration(&block));
    merged(items)
}

/// Gives each union what its metaclass makes, and drops all other private names.
fn merged(items: Vec<Item>) -> Vec<Item> {
    let (private, mut public): (Vec<Item>, Vec<Item>) =
        items.into_iter().partition(|item| item.name.starts_with('_'));
    for item in private {
        let union = item.name.strip_prefix('_').and_then(|name| name.strip_suffix("Constructors"));
        if let Some(union) = public.iter_mut().find(|other| Some(other.name.as_str()) == union) {
            union.members.extend(
                item.members
                    .into_iter()
                    .map(|member| Member { kind: MemberKind::Constructor, ..member }),
            );
        }
    }
    public
}

fn declaration(block: &[&str]) -> Option<Item> {
    let first = block.iter().find(|line| !line.starts_with('@'))?;
    if let Some(named) = first.strip_prefix("class ") {
        let end = block.iter().position(|line| line.ends_with(':') && !line.starts_with("    "))?;
        let head =
            joined(block.iter().take(end + 1).copied()).replace("(metaclass=", "(_metaclass=");
        let head = head.split("(_metaclass=").next().unwrap_or_default().to_owned();
        let head = if head.ends_with(':') { head } else { head + ":" };
        let members = members(block.get(end + 1..).unwrap_or_default());
        let name = leading_name(named).to_owned();
        return Some(Item { name, head: vec![head], members, tail: String::new() });
    }
    let name = leading_name(first);
    let rest = first.get(name.len()..).unwrap_or_default();
    let is_keyword = ["from", "import", "if", "else", "def", "async", "for"].contains(&name);
    let declares = rest.starts_with(": ") || rest.starts_with(" = ");
    if is_keyword || !declares {
        return None;
    }
    let head = vec![joined(block.iter().copied())];
    Some(Item { name: name.to_owned(), head, ..Item::default() })
}

fn members(inner: &[&str]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut entries: Vec<Vec<&str>> = Vec::new();
    for line in inner {
        let is_own = line.starts_with("    ") && !line.starts_with("     ");
        let continues = line.trim_start().starts_with([')', ']', '}']);
        match entries.last_mut() {
            Some(entry) if !is_own || continues => entry.push(line),
            _ => entries.push(vec![line]),
        }
    }
    for entry in entries {
        let first = entry.first().map_or("", |line| line.trim());
        let function = first.strip_prefix("async ").unwrap_or(first).strip_prefix("def ");
        if let Some(named) = function {
            let end = entry.iter().position(|line| line.ends_with(':'));
            let end = end.map_or(entry.len(), |end| end + 1);
            let optional = entry.iter().any(|line| line.trim().starts_with("raise "));
            let body = if optional { " # optional" } else { "" };
            let text = format!("    {} ...{body}", joined(entry.into_iter().take(end)));
            let name = leading_name(named).to_owned();
            members.push(Member { name, kind: MemberKind::Function, text });
            continue;
        }
        let name = leading_name(first).to_owned();
        let rest = first.get(name.len()..).unwrap_or_default();
        if name.starts_with("__") || !(rest.starts_with(": ") || rest.starts_with(" = ")) {
            continue;
        }
        let text = joined(entry);
        // How a connection knows a method is no business of its users, but for the wire name.
        let text = match text.split_once(", ") {
            Some((method, _)) if method.contains(": Final = _rpc.") => format!("{method}, …)"),
            _ => text,
        };
        let kind = if text.contains(" = ") { MemberKind::Value } else { MemberKind::Required };
        members.push(Member { name, kind, text: format!("    {text}") });
    }
    members
}

/// The text without the strings that stand alone on lines of their own.
fn without_docstrings(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut is_within = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if is_within {
            is_within = !trimmed.ends_with("\"\"\"");
            continue;
        }
        let opened = trimmed.strip_prefix('r').unwrap_or(trimmed).strip_prefix("\"\"\"");
        if let Some(rest) = opened {
            is_within = rest.is_empty() || !rest.ends_with("\"\"\"");
            continue;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_cut_down_to_what_users_see() {
        let items = items(
            "# header\n\"\"\"Types.\n\nclass Not:\n\"\"\"\n\nfrom x import y\n\nId: TypeAlias = str\n\"\"\"The \
             type.\"\"\"\n\n\nclass Lamp(\n    Struct, kw_only=True\n):\n    \"\"\"A lamp.\"\"\"\n\n    watts: int\n    \
             meta: dict[str, Any] | UnsetType = field(\n        default=UNSET, name=\"_meta\"\n    )\n\n\nclass \
             _BlockConstructors(Constructors):\n    @staticmethod\n    def text(text: str) -> BlockText:\n        \
             return BlockText(text=text)\n\n\nclass Block(metaclass=_BlockConstructors):\n    __slots__ = ()\n\n\nclass \
             Kind(StringEnum):\n    A = \"a\"\n\n\nclass House(Protocol):\n    async def open(\n        self,\n        \
             request: Open,\n    ) -> None:\n        \"\"\"Open.\"\"\"\n        ...\n\n    async def shut(self) -> None:\n        \
             raise MethodNotFoundError(\"shut\")\n",
        );
        let texts: Vec<String> =
            items.iter().map(|item| item.lines().collect::<Vec<_>>().join("\n")).collect();
        assert_eq!(
            texts,
            [
                "Id: TypeAlias = str",
                "class Lamp(Struct, kw_only=True):\n    watts: int\n    \
                 meta: dict[str, Any] | UnsetType = field(default=UNSET, name=\"_meta\")",
                "class Block:\n    def text(text: str) -> BlockText: ...",
                "class Kind(StringEnum):\n    A = \"a\"",
                "class House(Protocol):\n    async def open(self, request: Open) -> None: ...\n    \
                 async def shut(self) -> None: ... # optional",
            ]
        );
        let kinds: Vec<_> = items[1].members.iter().map(|m| (m.name.as_str(), m.kind)).collect();
        assert_eq!(kinds, [("watts", MemberKind::Required), ("meta", MemberKind::Value)]);
    }
}
