//! Types: how they are read, and where they break.

use super::Text;
use crate::backend::doc::{
    Doc, braced, bracketed, break_after_operator, concat, fluid, group, if_break, indent, join,
    text,
};
use crate::backend::typescript::types::{Expr, KEYWORDS, Member};

/// `export type NAME = TYPE`
pub(super) fn declaration<'a>(left: &'a str, ty: &Expr) -> Doc<'a> {
    match ty {
        Expr::Union(members) if !hugs(members) => {
            break_after_operator(text(left), " =", union_lines(members))
        }
        _ => fluid(text(left), " =", after_colon(ty)),
    }
}

/// The type as it stands after a colon.
pub(super) fn after_colon(ty: &Expr) -> Doc<'static> {
    match ty {
        Expr::Union(members) if !hugs(members) => {
            group(indent(concat([Doc::SoftLine, union_lines(members)])))
        }
        _ => bare(ty),
    }
}

/// The type as part of an array, a union or an intersection.
pub(super) fn operand(ty: &Expr) -> Doc<'static> {
    let inner = match ty {
        Expr::Union(members) if !hugs(members) => {
            let lines = indent(concat([Doc::SoftLine, union_lines(members)]));
            group(concat([lines, Doc::SoftLine]))
        }
        Expr::Union(_) | Expr::Intersection(_) => bare(ty),
        _ => return bare(ty),
    };
    concat([text("("), inner, text(")")])
}

/// The type without the indentation of its own that a union has.
fn bare(ty: &Expr) -> Doc<'static> {
    match ty {
        Expr::Keyword(keyword) => text(*keyword),
        Expr::Name(name) | Expr::Literal(name) => text(name.clone()),
        Expr::Apply(name, types) => concat([text(name.clone()), arguments(types)]),
        Expr::Array(items) => concat([operand(items), text("[]")]),
        Expr::Tuple(items) => bracketed("[", items.iter().map(after_colon), "]"),
        Expr::Optional(item) => concat([operand(item), text("?")]),
        Expr::Rest(items) => concat([text("..."), bare(items)]),
        Expr::Object(members) if members.is_empty() => text("{}"),
        Expr::Object(members) => braced(";", members.iter().map(member)),
        Expr::Union(members) if hugs(members) => join(&text(" | "), members.iter().map(operand)),
        Expr::Union(members) => union_lines(members),
        Expr::Intersection(members) => intersection(members),
    }
}

fn member(Member { key, ty }: &Member) -> Doc<'static> {
    let key = if let Some(key) = key {
        text(key.clone())
    } else {
        let parameter = indent(concat([Doc::SoftLine, text("key: string")]));
        concat([text("["), group(concat([parameter, Doc::SoftLine])), text("]")])
    };
    concat([key, text(": "), after_colon(ty)])
}

/// Tells whether prettier keeps a union on the line: one object or named type, and `null`.
fn hugs(members: &[Expr]) -> bool {
    let is_body = |ty: &Expr| matches!(ty, Expr::Object(_) | Expr::Name(_) | Expr::Apply(..));
    let is_void = |ty: &Expr| matches!(ty, Expr::Keyword("null" | "void"));
    members.iter().filter(|member| is_body(member)).count() == 1
        && members.iter().all(|member| is_body(member) || is_void(member))
}

fn union_lines(members: &[Expr]) -> Doc<'static> {
    let lines = members.iter().enumerate().flat_map(|(index, member)| {
        let mark = if index == 0 { if_break("| ", "") } else { concat([Doc::Line, text("| ")]) };
        [mark, indent(operand(member))]
    });
    group(concat(lines))
}

fn intersection(members: &[Expr]) -> Doc<'static> {
    let is_object = |ty: &Expr| matches!(ty, Expr::Object(_));
    let mut parts = Vec::with_capacity(members.len());
    let mut was_indented = false;
    for (index, member) in members.iter().enumerate() {
        let doc = operand(member);
        let Some(previous) = index.checked_sub(1).and_then(|before| members.get(before)) else {
            parts.push(doc);
            continue;
        };
        parts.push(match (is_object(previous), is_object(member)) {
            (true, true) => concat([text(" & "), if was_indented { indent(doc) } else { doc }]),
            (false, false) => indent(concat([text(" &"), Doc::Line, doc])),
            _ => {
                was_indented |= index > 1;
                concat([text(" & "), if index > 1 { indent(doc) } else { doc }])
            }
        });
    }
    group(concat(parts))
}

fn arguments(types: &[Expr]) -> Doc<'static> {
    let is_simple = |ty: &Expr| match ty {
        Expr::Keyword(_) | Expr::Name(_) | Expr::Object(_) => true,
        Expr::Union(members) => hugs(members),
        _ => false,
    };
    if let [only] = types
        && is_simple(only)
    {
        return concat([text("<"), bare(only), text(">")]);
    }
    let types = join(&concat([text(","), Doc::Line]), types.iter().map(bare));
    group(concat([text("<"), indent(concat([Doc::SoftLine, types])), Doc::SoftLine, text(">")]))
}

/// Reads a type.
pub(super) fn read(from: &mut Text<'_>) -> Option<Expr> {
    from.eats("| ");
    let mut members = Vec::new();
    loop {
        members.push(read_intersection(from)?);
        if !from.eats(" | ") {
            break;
        }
    }
    Some(match members.len() {
        1 => members.remove(0),
        _ => Expr::Union(members.into_iter().flat_map(Expr::alternatives).collect()),
    })
}

fn read_intersection(from: &mut Text<'_>) -> Option<Expr> {
    let mut members = vec![read_array(from)?];
    while from.eats(" & ") {
        members.push(read_array(from)?);
    }
    Some(if members.len() == 1 { members.remove(0) } else { Expr::Intersection(members) })
}

fn read_array(from: &mut Text<'_>) -> Option<Expr> {
    let mut ty = read_primary(from)?;
    while from.eats("[]") {
        ty = Expr::Array(Box::new(ty));
    }
    Some(ty)
}

fn read_primary(from: &mut Text<'_>) -> Option<Expr> {
    if from.eats("(") {
        from.eats(" ");
        let inner = read(from)?;
        from.eat(")")?;
        return Some(inner);
    }
    if from.eats("[") {
        return Some(Expr::Tuple(read_list(from, "]")?));
    }
    if from.eats("{") {
        return read_object(from);
    }
    if let Some(literal) = from.string() {
        return Some(Expr::Literal(literal.to_owned()));
    }
    let negative = from.eats("-");
    let name = from.name()?;
    if negative || name.starts_with(|first: char| first.is_ascii_digit()) {
        let sign = if negative { "-" } else { "" };
        return Some(Expr::Literal(format!("{sign}{name}")));
    }
    // What a property of it holds.
    if from.sees("[\"") || from.sees("['") {
        from.take(1);
        let property = from.string()?;
        from.eat("]")?;
        return Some(Expr::Name(format!("{name}[{property}]")));
    }
    if from.eats("<") {
        return Some(Expr::Apply(name.to_owned(), read_list(from, ">")?));
    }
    Some(match name {
        "true" | "false" => Expr::Literal(name.to_owned()),
        _ => match KEYWORDS.into_iter().find(|keyword| *keyword == name) {
            Some(keyword) => Expr::Keyword(keyword),
            None => Expr::Name(name.to_owned()),
        },
    })
}

fn read_list(from: &mut Text<'_>, end: &str) -> Option<Vec<Expr>> {
    let mut types = Vec::new();
    while !from.eats(end) {
        if !types.is_empty() {
            from.eat(", ")?;
        }
        if from.eats("...") {
            types.push(Expr::Rest(Box::new(read(from)?)));
            continue;
        }
        let ty = read(from)?;
        types.push(if from.eats("?") { Expr::Optional(Box::new(ty)) } else { ty });
    }
    Some(types)
}

fn read_object(from: &mut Text<'_>) -> Option<Expr> {
    let mut members = Vec::new();
    if from.eats("}") {
        return Some(Expr::Object(members));
    }
    from.eat(" ")?;
    loop {
        let key = if from.eats("[key: string]") {
            None
        } else {
            let mark = |from: &mut Text<'_>| if from.eats("?") { "?" } else { "" };
            let key = from.key()?;
            Some(format!("{key}{}", mark(from)))
        };
        from.eat(": ")?;
        members.push(Member { key, ty: read(from)? });
        if from.eats(" }") {
            return Some(Expr::Object(members));
        }
        from.eat("; ")?;
    }
}
