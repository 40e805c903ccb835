//! Declarations read back from printed code, cut down to what users see.
//!
//! For now: each language is to give its [`Api`](super::api::Api) from its model.

use std::collections::{HashMap, HashSet};

use super::api::{Api, Declaration, DeclarationKind, Origin, Parameter, Position, Role};
use super::{Backend, DocsMode, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::{Name, Protocol, Type, TypeKind};

/// A declaration: its own line, what it declares within, and what closes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::backend) struct Item {
    /// Its name.
    pub(in crate::backend) name: String,
    /// The lines before the members: attributes, then the declaration itself.
    pub(in crate::backend) head: Vec<String>,
    /// Its members.
    pub(in crate::backend) members: Vec<Member>,
    /// The line after the members, if there is one.
    pub(in crate::backend) tail: String,
}

/// A field, a variant, a value or a function within a declaration, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend) struct Member {
    /// Its name.
    pub(in crate::backend) name: String,
    /// Its use.
    pub(in crate::backend) kind: MemberKind,
    /// The declaration.
    pub(in crate::backend) text: String,
}

/// The use of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::backend) enum MemberKind {
    /// A value to read, or one that a reader has to tell from others.
    Value,
    /// A value to read that whoever builds the whole has to give.
    Required,
    /// A function to call, or one to write.
    Function,
    /// A function that makes the whole, with what has to be given.
    Constructor,
}

#[cfg(test)]
impl Item {
    /// The whole declaration, line by line.
    pub(in crate::backend) fn lines(&self) -> impl Iterator<Item = &str> {
        let tail = (!self.tail.is_empty()).then_some(self.tail.as_str());
        let members = self.members.iter().map(|member| member.text.as_str());
        self.head.iter().map(String::as_str).chain(members).chain(tail)
    }
}

/// The declarations of a package, read back from its files.
pub(in crate::backend) fn api(
    backend: &dyn Backend,
    protocol: &Protocol,
    options: &Options,
    extension: &str,
    items: impl Fn(&str) -> Vec<Item>,
    declare: impl Fn(&Names<'_>, Item) -> Declaration,
) -> Api {
    let options = Options { docs: DocsMode::Off, ..options.clone() };
    // What a backend finds wrong with a protocol is said by `generate`.
    let files = backend.emit(protocol, &options, &mut Diagnostics::new());
    let names = Names::new(protocol);
    let mut declarations: Vec<Declaration> = Vec::new();
    for (path, text) in files.iter() {
        let file = path.rsplit('/').next().unwrap_or(path);
        if file.strip_suffix(extension).is_some_and(|stem| FILES.contains(&stem)) {
            declarations.extend(items(text).into_iter().map(|item| declare(&names, item)));
        }
    }
    Api { declarations }
}

/// The files, without their extensions, that declare what belongs to a protocol. The others are
/// the same for all protocols, or follow from these.
const FILES: [&str; 6] = ["types", "enums", "methods", "handlers", "interfaces", "connections"];

/// A name's letters and digits in lowercase: what stays the same between the conventions of
/// languages.
pub(in crate::backend) fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Formatted lines as one: what a formatter breaks apart is put together again.
pub(in crate::backend) fn joined<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for line in lines {
        let line = line.trim();
        let opens = joined.ends_with(['(', '[', '<']);
        let closes = line.starts_with([')', ']', '>']);
        if closes && joined.ends_with(',') {
            joined.pop();
        }
        if !(joined.is_empty() || opens || closes) {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// The name that a piece of code begins with: letters, digits, `_` and `$`.
pub(in crate::backend) fn leading_name(code: &str) -> &str {
    let end =
        code.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(code.len());
    code.get(..end).unwrap_or_default()
}

/// Splits code at a character that is within no brackets and no string.
pub(in crate::backend) fn split_outside(code: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    let mut characters = code.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) => quote = (character != open).then_some(open),
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if character == separator && depth == 0 => {
                parts.push(code.get(start..at).unwrap_or_default().trim());
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(code.get(start..).unwrap_or_default().trim());
    parts
}

/// The identifiers of a protocol without case and punctuation, to find out what a printed name
/// stands for.
pub(in crate::backend) struct Names<'a> {
    protocol: &'a Protocol,
    origins: HashMap<String, Origin>,
    methods: HashMap<String, &'a str>,
}

impl<'a> Names<'a> {
    pub(in crate::backend) fn new(protocol: &'a Protocol) -> Self {
        let mut origins = HashMap::new();
        for side in &protocol.sides {
            let name = key(&side.name.words.concat());
            let origin = Origin::Side(side.name.wire.clone());
            for suffix in [
                "",
                "peer",
                "context",
                "sidecore",
                "sideconnection",
                "methods",
                "notificationmethods",
            ] {
                origins.insert(format!("{name}{suffix}"), origin.clone());
            }
        }
        let mut methods = HashMap::new();
        for method in &protocol.methods {
            for name in [&method.name.words.concat(), &method.name.wire] {
                origins.entry(key(name)).or_insert(Origin::Method(method.name.wire.clone()));
                methods.entry(key(name)).or_insert(method.name.wire.as_str());
            }
        }
        for (wire, def) in &protocol.types {
            let name = key(&def.name.words.concat());
            if let TypeKind::Union(union) = &def.kind {
                for variant in &union.variants {
                    origins.insert(
                        name.clone() + &key(&variant.name.words.concat()),
                        Origin::Variant { ty: wire.clone(), variant: variant.name.wire.clone() },
                    );
                }
            }
        }
        for (wire, def) in &protocol.types {
            origins.insert(key(&def.name.words.concat()), Origin::Type(wire.clone()));
        }
        Self { protocol, origins, methods }
    }

    /// The declaration that an item is.
    pub(in crate::backend) fn declare(
        &self,
        item: Item,
        kind: DeclarationKind,
        ty: String,
        bases: Vec<String>,
    ) -> Declaration {
        let of = self.origins.get(&key(&item.name)).cloned().unwrap_or(Origin::Protocol);
        let wires = self.wires(&of, kind);
        let members = item.members.into_iter().map(|member| {
            let of = wires.get(member.key().as_str()).copied().unwrap_or_default();
            member.declare(of.to_owned(), kind, &wires)
        });
        let members = members.collect();
        Declaration {
            of,
            name: item.name,
            kind,
            ty,
            bases,
            head: item.head,
            members,
            tail: item.tail,
        }
    }

    /// Finds what the members of a declaration can stand for.
    fn wires(&self, of: &Origin, kind: DeclarationKind) -> HashMap<String, &str> {
        let is_methods = matches!(
            kind,
            DeclarationKind::Handler | DeclarationKind::Caller | DeclarationKind::Constants
        );
        let (ty, variant) = match of {
            _ if is_methods => return self.methods.clone(),
            Origin::Type(ty) => (ty, None),
            Origin::Variant { ty, variant } => (ty, Some(variant)),
            _ => return HashMap::new(),
        };
        let mut wires = HashMap::new();
        let mut pending = vec![(ty.as_str(), variant)];
        let mut seen = HashSet::new();
        while let Some((ty, only)) = pending.pop() {
            let Some(def) = self.protocol.types.get(ty).filter(|_| seen.insert(ty)) else {
                continue;
            };
            match &def.kind {
                TypeKind::Record(record) => {
                    add(&mut wires, record.fields.iter().map(|field| &field.name));
                }
                TypeKind::Union(union) => {
                    add(&mut wires, union.shared.iter().map(|field| &field.name));
                    for variant in &union.variants {
                        if only.is_none() {
                            add(&mut wires, [&variant.name]);
                        }
                        if only.is_none_or(|only| *only == variant.name.wire)
                            && let Some(Type::Named { name }) = &variant.payload
                        {
                            pending.push((name, None));
                            wires.entry(key(name)).or_insert(variant.name.wire.as_str());
                        }
                    }
                }
                TypeKind::Enum(of) => {
                    add(&mut wires, of.values.iter().map(|value| &value.name));
                }
                TypeKind::Alias { .. } => {}
            }
        }
        wires
    }
}

fn add<'a>(wires: &mut HashMap<String, &'a str>, names: impl IntoIterator<Item = &'a Name>) {
    for name in names {
        wires.entry(key(&name.words.concat())).or_insert(name.wire.as_str());
        wires.entry(key(&name.wire)).or_insert(name.wire.as_str());
    }
}

impl Member {
    /// The name that tells it apart: of an alternative the last string in it, or the whole.
    fn key(&self) -> String {
        if self.text.starts_with("  | ") {
            return key(self.name.rsplit('"').nth(1).unwrap_or(&self.name));
        }
        key(&self.name)
    }

    fn declare(
        self,
        of: String,
        kind: DeclarationKind,
        wires: &HashMap<String, &str>,
    ) -> super::api::Member {
        let text = self.text.trim().trim_end_matches([',', ';']);
        let is_optional = text.ends_with("{ … }")
            || text.ends_with("# optional")
            || text.starts_with(&format!("{}?", self.name));
        let is_trait = text.starts_with("impl ");
        let is_choice = matches!(kind, DeclarationKind::Choice { .. });
        let is_constant = text.contains(": \"") || text.contains(" = \"") && !text.contains(": ");
        let role = match self.kind {
            _ if is_trait => Role::Trait,
            _ if text.starts_with("| ") => Role::Alternative,
            MemberKind::Function if self.name.is_empty() => Role::Constant,
            MemberKind::Function if kind == DeclarationKind::Handler && is_optional => {
                Role::OptionalFunction
            }
            MemberKind::Function => Role::Function,
            MemberKind::Constructor => Role::Constructor,
            _ if text.ends_with(": \"") || (is_constant && text.contains(": \"")) => Role::Constant,
            _ if is_choice => Role::Alternative,
            _ if kind == DeclarationKind::Constants => Role::Constant,
            MemberKind::Required => Role::Required,
            MemberKind::Value => Role::Optional,
        };
        let (ty, parameters) = if role.is_function() {
            let (parameters, ty) = signature(text, wires);
            (ty, parameters)
        } else if role == Role::Alternative {
            let start = text.find(['(', '{']).filter(|_| !text.starts_with("| "));
            (start.map_or("", |start| &text[start..]).to_owned(), Vec::new())
        } else {
            let ty = split_outside(text, ':').get(1).copied().unwrap_or_default();
            let ty = ty.split(" = ").next().unwrap_or_default();
            (ty.to_owned(), Vec::new())
        };
        super::api::Member { of, name: self.name, role, ty, parameters, text: self.text }
    }
}

/// The parameters and the result of a printed function.
fn signature(text: &str, wires: &HashMap<String, &str>) -> (Vec<Parameter>, String) {
    let Some((_, rest)) = text.split_once('(') else { return (Vec::new(), String::new()) };
    let mut depth = 1_usize;
    let end = rest.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let (inner, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
    let result = after.trim_start_matches([')', ':', ' ', '-', '>']);
    let result = result.split(" {").next().unwrap_or_default().trim_end_matches([':', '.', ' ']);
    let result = result.split(": ...").next().unwrap_or_default();
    let mut position = Position::Positional;
    let mut parameters = Vec::new();
    for text in split_angled(inner) {
        if text == "*" {
            position = Position::Keyword;
        }
        let Some((name, ty)) = text.split_once(": ") else { continue };
        let (ty, default) = ty.split_once(" = ").map_or((ty, None), |(ty, to)| (ty, Some(to)));
        let bare = name.trim_end_matches('?').trim_start_matches("r#");
        parameters.push(Parameter {
            of: wires.get(&key(bare)).copied().unwrap_or_default().to_owned(),
            name: bare.to_owned(),
            ty: ty.to_owned(),
            position,
            required: default.is_none() && !name.ends_with('?'),
        });
    }
    (parameters, result.to_owned())
}

/// Parameters, which may have commas between angles.
fn split_angled(inner: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in split_outside(inner, ',') {
        let count = |text: &str| text.matches('<').count() > text.matches('>').count();
        match parts.last_mut() {
            Some(last) if count(&last.replace("->", "").replace("=>", "")) => {
                last.push_str(", ");
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_formatter_breaks_is_joined() {
        let lines = ["  pub fn new(", "    a: A,", "    b: impl Into<B>,", "  ) -> Self {"];
        assert_eq!(joined(lines), "pub fn new(a: A, b: impl Into<B>) -> Self {");
    }

    #[test]
    fn strings_and_brackets_are_not_split() {
        let parts = split_outside(r#""a|\"b" | (c | d) | e"#, '|');
        assert_eq!(parts, [r#""a|\"b""#, "(c | d)", "e"]);
    }

    #[test]
    fn keys_are_the_same_in_all_languages() {
        assert_eq!(key("read_text_file"), key("readTextFile"));
        assert_eq!(key("r#type"), "rtype");
    }
}
