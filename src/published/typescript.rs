//! The exported types of declaration files: `type`, `interface`, `class` and `enum`.

use std::collections::HashMap;

use super::declared::{Member, Shape, Type, span};
use super::typescript_tokens::{Kind, Token, tokens};

/// Words before a declaration, or before a member of one.
const MODIFIERS: [&str; 8] =
    ["abstract", "async", "const", "declare", "default", "public", "readonly", "static"];

/// Reads the types that a module exports where it declares them. What it passes on from others is
/// found there; names that only `typeof` or a namespace gives are not found.
pub fn read(text: &str, source: u32) -> Vec<Type> {
    let tokens = tokens(text);
    let (mut declared, mut exported) = (Vec::new(), Vec::new());
    let (mut at, mut is_exported) = (0, false);
    while let Some(token) = tokens.get(at) {
        let following = tokens.get(at + 1).copied();
        let name = following.and_then(|token| Some((token.word()?, token)));
        match (token.kind, name) {
            (Kind::Word("export"), _) => is_exported = true,
            (Kind::Word(word), _) if MODIFIERS.contains(&word) && word != "const" => {}
            (Kind::Word("const"), Some(("enum", _))) => {}
            (Kind::Word(word @ ("type" | "interface" | "class" | "enum")), Some((name, token))) => {
                let end = declaration_end(&tokens, at + 2, word == "type");
                let body = tokens.get(at + 2..end).unwrap_or_default();
                let mut ty = Type::new(name, span(source, token.start, token.end));
                match word {
                    "type" => alias(body, source, &mut ty),
                    "enum" => enumeration(body, source, &mut ty),
                    _ => fields(body, source, &mut ty),
                }
                declared.push((is_exported, ty));
                is_exported = false;
                at = end;
                continue;
            }
            (Kind::Word("type"), None) if is_exported => {}
            (Kind::Mark('{'), _) => {
                let end = closing(&tokens, at);
                let is_passed_on =
                    tokens.get(end).is_some_and(|token| token.word() == Some("from"));
                if is_exported && !is_passed_on {
                    exported.extend(names(tokens.get(at + 1..end).unwrap_or_default()));
                }
                is_exported = false;
                at = end;
                continue;
            }
            _ => is_exported = false,
        }
        at += 1;
    }
    let exported: HashMap<&str, &str> = exported.into_iter().rev().collect();
    let public = declared.into_iter().filter_map(|(is_exported, mut ty)| {
        if is_exported {
            return Some(ty);
        }
        let name = exported.get(ty.name.as_str())?;
        (*name).clone_into(&mut ty.name);
        Some(ty)
    });
    public.collect()
}

/// The names in `{ A, type B, C as D }`: each with the one that it is exported by.
fn names<'t>(list: &[Token<'t>]) -> Vec<(&'t str, &'t str)> {
    let of = |part: &[Token<'t>]| {
        let mut words = part.iter().filter_map(|token| token.word()).filter(|word| *word != "type");
        let first = words.next()?;
        Some((first, words.next_back().unwrap_or(first)))
    };
    list.split(|token| token.is(',')).filter_map(of).collect()
}

/// The place after the bracket that closes the one here.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// The place after a declaration: after its braces, or for an alias after what ends the statement.
fn declaration_end(tokens: &[Token<'_>], start: usize, is_alias: bool) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token.opens() {
            let end = closing(tokens, at);
            if token.is('{') && !is_alias {
                return end;
            }
            at = end;
        } else if token.is(';') || is_alias && matches!(token.word(), Some("export" | "declare")) {
            return at;
        } else {
            at += 1;
        }
    }
    tokens.len()
}

/// `type NAME = …`
fn alias(body: &[Token<'_>], source: u32, ty: &mut Type) {
    let Some(start) = body.iter().position(|token| token.is('=')) else { return };
    let body = body.get(start + 1..).unwrap_or_default();
    let mut depth = 0_usize;
    let mut is_union = false;
    for (at, token) in body.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        is_union |= depth == 0 && at > 0 && token.is('|');
    }
    let texts: Vec<&Token<'_>> = body.iter().filter(|token| token.text().is_some()).collect();
    let is_of_values = body.iter().all(|token| token.text().is_some() || token.is('|'));
    if is_of_values && !texts.is_empty() {
        let value = |token: &&Token<'_>| Member {
            wire: token.text().unwrap_or_default().to_owned(),
            name: String::new(),
            span: span(source, token.start, token.end),
        };
        ty.shape = Shape::Values(texts.iter().map(value).collect());
    } else if !is_union {
        fields(body, source, ty);
    }
}

/// `{ NAME = "value", … }`
fn enumeration(body: &[Token<'_>], source: u32, ty: &mut Type) {
    let members = body.split(|token| token.is(',') || token.is('{') || token.is('}'));
    let values = members.filter_map(|member| {
        let token = member.first()?;
        let name = token.word().or_else(|| token.text())?;
        let value = member.get(2).and_then(|token| token.text().or_else(|| token.word()));
        let wire = value.unwrap_or(name).to_owned();
        Some(Member { wire, name: name.to_owned(), span: span(source, token.start, token.end) })
    });
    ty.shape = Shape::Values(values.collect());
}

/// The members in the braces of a type, an interface or a class.
fn fields(body: &[Token<'_>], source: u32, ty: &mut Type) {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = body.get(at) {
        if !token.is('{') {
            at += 1;
            continue;
        }
        let end = closing(body, at);
        let inner = body.get(at + 1..end.saturating_sub(1)).unwrap_or_default();
        for member in members(inner) {
            field(member, source, ty, &mut found);
        }
        at = end;
    }
    if !found.is_empty() {
        ty.shape = Shape::Fields(found);
    }
}

/// The members between braces, which `;` or `,` ends.
fn members<'a, 't>(inner: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(token) = inner.get(at) {
        if token.opens() {
            at = closing(inner, at);
            continue;
        }
        if token.is(';') || token.is(',') {
            found.extend(inner.get(start..at));
            start = at + 1;
        }
        at += 1;
    }
    found.extend(inner.get(start..));
    found
}

fn field(member: &[Token<'_>], source: u32, ty: &mut Type, found: &mut Vec<Member>) {
    // A member can be called like a modifier: then a mark follows.
    let is_modifier = |at: usize| {
        let word = member.get(at).and_then(|token| token.word());
        word.is_some_and(|word| MODIFIERS.contains(&word))
            && member.get(at + 1).is_some_and(|next| !matches!(next.kind, Kind::Mark(_)))
    };
    let at = (0..member.len()).find(|at| !is_modifier(*at)).unwrap_or_default();
    let Some(token) = member.get(at) else { return };
    let Some(name) = token.word().or_else(|| token.text()) else { return };
    let rest = member.get(at + 1..).unwrap_or_default();
    let rest = rest.strip_prefix_mark('?');
    let named = Member {
        wire: name.to_owned(),
        name: name.to_owned(),
        span: span(source, token.start, token.end),
    };
    match rest.first() {
        Some(next) if next.is(':') => {
            if let [_, Token { kind: Kind::Text(value), .. }] = rest {
                ty.constants.push((name.to_owned(), (*value).to_owned()));
            }
            // Code spells a property as messages do.
            found.push(Member { name: String::new(), ..named });
        }
        Some(next) if (next.is('(') || next.is('<')) && name != "constructor" => {
            ty.functions.push(named);
        }
        _ => {}
    }
}

/// Taking a mark off the front.
trait StripMark {
    fn strip_prefix_mark(&self, mark: char) -> &Self;
}

impl StripMark for [Token<'_>] {
    fn strip_prefix_mark(&self, mark: char) -> &Self {
        match self.split_first() {
            Some((first, rest)) if first.is(mark) => rest,
            _ => self,
        }
    }
}
