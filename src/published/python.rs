//! The public classes and type aliases of Python modules.

use std::collections::HashMap;

use super::declared::{Member, Shape, Type, span};

/// Reads the classes and aliases at the top level of a module whose names begin with a capital.
/// Of classes it takes annotated fields, with the alias that `Field(alias=…)` or
/// `field(name=…)` gives, constants, and functions; and the fields of base classes in the same
/// module. Names made while the module runs are not found.
pub fn read(text: &str, source: u32) -> Vec<Type> {
    let mut types: Vec<Type> = Vec::new();
    let mut bases: HashMap<String, Vec<String>> = HashMap::new();
    let mut is_in_class = false;
    let mut indent = None;
    for line in lines(text) {
        let code = line.code.as_str();
        let depth = code.len() - code.trim_start().len();
        let trimmed = code.trim();
        if trimmed.is_empty() {
            continue;
        }
        let name_at = |name: &str| {
            let start =
                line.start + text.get(line.start..).and_then(|it| it.find(name)).unwrap_or(0);
            span(source, start, start + name.len())
        };
        if depth == 0 {
            indent = None;
            let class = trimmed.strip_prefix("class ").map(leading_name);
            is_in_class = class.is_some();
            if let Some(name) = class {
                types.push(Type::new(name, name_at(name)));
                bases.insert(name.to_owned(), bases_in(trimmed));
            } else if let Some(ty) = alias(trimmed, source, name_at) {
                types.push(ty);
            }
            continue;
        }
        if !is_in_class || *indent.get_or_insert(depth) != depth {
            continue;
        }
        let Some(ty) = types.last_mut() else { continue };
        member(trimmed, name_at, ty);
    }
    let inherited: Vec<_> = types.iter().map(|ty| inherited(ty, &types, &bases)).collect();
    for (ty, inherited) in types.iter_mut().zip(inherited) {
        ty.inherited = inherited;
    }
    types.retain(|ty| is_public(&ty.name));
    types
}

/// The names of the classes that a class is derived from.
fn bases_in(line: &str) -> Vec<String> {
    let list = line.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let bases = list.map_or("", |(list, _)| list).split(',').filter(|base| !base.contains('='));
    let name = |base: &str| leading_name(base.trim().rsplit('.').next()?.trim()).to_owned().into();
    bases.filter_map(name).collect()
}

/// The fields of the classes that a class is derived from, as far as they are in the same module.
fn inherited(ty: &Type, types: &[Type], bases: &HashMap<String, Vec<String>>) -> Vec<Member> {
    let mut fields: Vec<Member> = Vec::new();
    let mut seen: Vec<&str> = vec![&ty.name];
    let mut at = 0;
    while let Some(name) = seen.get(at).copied() {
        at += 1;
        for base in bases.get(name).into_iter().flatten() {
            let known = types.iter().find(|it| it.name == *base);
            let Some(known) = known.filter(|it| !seen.contains(&it.name.as_str())) else {
                continue;
            };
            seen.push(&known.name);
            if let Shape::Fields(own) = &known.shape {
                fields.extend(own.iter().cloned());
            }
        }
    }
    fields
}

fn is_public(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_');
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// `NAME = Literal[…]`, `NAME: TypeAlias = …` and `type NAME = …`, and any other assignment to a
/// name that is like a type's.
fn alias(line: &str, source: u32, name_at: impl Fn(&str) -> crate::source::Span) -> Option<Type> {
    let line = line.strip_prefix("type ").unwrap_or(line);
    let name = leading_name(line);
    let rest = line.get(name.len()..)?.trim_start();
    let value = if let Some(value) = rest.strip_prefix('=') {
        value
    } else {
        rest.strip_prefix(':')?
            .trim_start()
            .strip_prefix("TypeAlias")?
            .trim_start()
            .strip_prefix('=')?
    };
    let is_like_a_type = is_public(name) && name.chars().any(char::is_lowercase);
    if !is_like_a_type || value.starts_with('=') {
        return None;
    }
    let mut ty = Type::new(name, name_at(name));
    let literal = value.trim().strip_prefix("Literal[").and_then(|rest| rest.strip_suffix(']'));
    if let Some(list) = literal {
        let span = crate::source::Span { source, ..ty.span };
        let value = |wire| Member { wire, name: String::new(), span };
        ty.shape = Shape::Values(strings(list).into_iter().map(value).collect());
    }
    Some(ty)
}

/// A line in a class.
fn member(line: &str, name_at: impl Fn(&str) -> crate::source::Span, ty: &mut Type) {
    let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ");
    if let Some(name) = function.map(leading_name) {
        if !name.starts_with('_') {
            let (wire, name) = (name.to_owned(), name.to_owned());
            let span = name_at(&name);
            ty.functions.push(Member { wire, name, span });
        }
        return;
    }
    let name = leading_name(line);
    let rest = line.get(name.len()..).unwrap_or_default().trim_start();
    if name.is_empty() || name.starts_with('_') {
        return;
    }
    if let Some(annotation) = rest.strip_prefix(':') {
        if annotation.trim_start().starts_with("ClassVar") {
            return;
        }
        let wire = named_wire(annotation).unwrap_or_else(|| name.to_owned());
        if let Some((_, literal)) = annotation.split_once("Literal[") {
            let values = strings(literal.split(']').next().unwrap_or_default());
            if let [only] = values.as_slice() {
                ty.constants.push((wire.clone(), only.clone()));
            }
        }
        let field = Member { wire, name: name.to_owned(), span: name_at(name) };
        match &mut ty.shape {
            Shape::Fields(fields) => fields.push(field),
            shape => *shape = Shape::Fields(vec![field]),
        }
    } else if let Some(value) = rest.strip_prefix('=') {
        let [wire] = strings(value).try_into().unwrap_or_else(|_| [value.trim().to_owned()]);
        let value = Member { wire, name: name.to_owned(), span: name_at(name) };
        match &mut ty.shape {
            Shape::Fields(_) => {}
            Shape::Values(values) => values.push(value),
            Shape::Other => ty.shape = Shape::Values(vec![value]),
        }
    }
}

/// The name in messages that a field gives itself.
fn named_wire(annotation: &str) -> Option<String> {
    let given = ["alias=", "serialization_alias=", "field(name="];
    let rest = given.iter().find_map(|word| Some(annotation.split_once(word)?.1))?;
    strings(rest).into_iter().next()
}

/// The plain strings in a piece of code.
fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote =
            if rest.get(start..).is_some_and(|it| it.starts_with('"')) { '"' } else { '\'' };
        let inner = rest.get(start + 1..).unwrap_or_default();
        let Some(end) = inner.find(quote) else { break };
        found.extend(inner.get(..end).map(str::to_owned));
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    found
}

/// A logical line: it goes on while a bracket or a string is open.
struct Line {
    /// The code, without comments, and without strings of three quotes.
    code: String,
    /// The first byte.
    start: usize,
}

fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut line = Line { code: String::new(), start: 0 };
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let mut length = first.len_utf8();
        match first {
            '"' | '\'' => {
                let triple = first.to_string().repeat(3);
                if rest.starts_with(&triple) {
                    let inner = rest.get(3..).unwrap_or_default();
                    length = inner.find(&triple).map_or(rest.len(), |end| end + 6);
                } else {
                    length = quoted(rest, first);
                    line.code.push_str(rest.get(..length).unwrap_or_default());
                }
            }
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '\\' if rest.starts_with("\\\n") => length = 2,
            '\n' if depth == 0 => {
                let next = Line { code: String::new(), start: at + 1 };
                found.push(std::mem::replace(&mut line, next));
            }
            '\n' => line.code.push(' '),
            _ => {
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                line.code.push(first);
            }
        }
        at += length;
    }
    found.push(line);
    found
}

/// The length of a string with its quotes: at most to the end of the line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
