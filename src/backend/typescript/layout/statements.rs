//! Statements: how they are read, and where they break.

use super::text::is_word;
use super::{Text, types};
use crate::backend::doc::columns::columns;
use crate::backend::doc::{
    Doc, braced, bracketed, break_after_operator, concat, fluid, group, hugging, indent, listed,
    text,
};

/// The layout of a value at the right of an assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// It goes to the next line as a whole: strings, properties, calls with nothing much in them.
    Whole,
    /// It stays behind the operator.
    Fixed,
    /// It stays if its beginning fits.
    Fluid,
}

/// Reads a statement, or a member of an object or type. None if there is no telling how it breaks.
pub(super) fn statement(line: &str) -> Option<Doc<'_>> {
    condition(line)
        .or_else(|| named(line))
        .or_else(|| declaration(line))
        .or_else(|| member(line))
        .or_else(|| signature(line))
        .or_else(|| assignment(line))
}

/// `if (name !== FAIL) {`
fn condition(line: &str) -> Option<Doc<'_>> {
    let condition = line.strip_prefix("if (")?.strip_suffix(") {")?;
    let (name, other) = condition.split_once(" !== ")?;
    let is_plain = [name, other].iter().all(|side| side.chars().all(is_word));
    let inner = concat([indent(concat([Doc::SoftLine, text(condition)])), Doc::SoftLine]);
    is_plain.then(|| group(concat([text("if ("), inner, text(") {")])))
}

/// `import { a, b } from "c";`
fn named(line: &str) -> Option<Doc<'_>> {
    let (head, rest) = line.split_once("{ ")?;
    let (names, tail) = rest.split_once(" } from ")?;
    if !names.contains(", ") {
        return Some(text(line));
    }
    let list = braced(",", names.split(", ").map(text));
    Some(concat([text(head), list, text(format!(" from {tail}"))]))
}

/// `export type NAME = TYPE;`, or its end after an object: `} & TYPE;`
fn declaration(line: &str) -> Option<Doc<'_>> {
    let (mut from, left) = if let Some(rest) = line.strip_prefix("} & ") {
        (Text(rest), None)
    } else {
        let (left, rest) = line.split_once(" = ")?;
        left.contains("type ").then_some((Text(rest), Some(left)))?
    };
    let ty = types::read(&mut from)?;
    let doc = match left {
        Some(left) => types::declaration(left, &ty),
        None => concat([text("} & "), types::operand(&ty)]),
    };
    (from.0 == ";").then(|| concat([doc, text(";")]))
}

/// `key?: TYPE;`
fn member(line: &str) -> Option<Doc<'_>> {
    let mut from = Text(line);
    from.eats("readonly ");
    from.key()?;
    from.eats("?");
    from.eat(": ")?;
    let head = line.strip_suffix(from.0)?;
    let ty = types::read(&mut from)?;
    (from.0 == ";").then(|| concat([text(head), types::after_colon(&ty), text(";")]))
}

/// `NAME<T extends B>(a: A, b?: B): TYPE {`, also with `<T>`, or with a `;` at the end; the type may be
/// `value is TYPE`. Also `NAME = async (a: A): TYPE => {`.
fn signature(line: &str) -> Option<Doc<'_>> {
    let mut from = Text(line);
    if !["[\"new\"]", "[\"constructor\"]"].into_iter().any(|key| from.eats(key)) {
        from.take_while(|next| is_word(next) || matches!(next, ' ' | '?'))?;
    }
    if from.eats("<T extends ") || from.eats("<U extends ") {
        types::read(&mut from)?;
        from.eat(">")?;
    } else {
        from.eats("<T>");
    }
    let is_arrow = from.eats("= async ") || from.eats("= ");
    let head = line.strip_suffix(from.0)?;
    from.eat("(")?;
    let mut parameters = Vec::new();
    while !from.eats(")") {
        if !parameters.is_empty() {
            from.eat(", ")?;
        }
        let name = from.take_while(|next| is_word(next) || matches!(next, '?' | '.'))?;
        from.eat(": ")?;
        let ty = types::read(&mut from)?;
        let default =
            if from.sees(" = ") { from.take_while(|next| !",)".contains(next)) } else { None };
        let default = text(default.unwrap_or_default());
        parameters.push(concat([text(format!("{name}: ")), types::after_colon(&ty), default]));
    }
    from.eat(": ")?;
    let guard = text(if from.eats("value is ") { "value is " } else { "" });
    // Nothing of what a constant has gives way.
    let result = if from.sees("(typeof ") {
        text(from.take(from.0.len().checked_sub(" {".len())?))
    } else {
        types::after_colon(&types::read(&mut from)?)
    };
    let list = if parameters.is_empty() {
        text("()")
    } else {
        let list = listed(&Doc::SoftLine, ",", parameters);
        concat([text("("), list, Doc::SoftLine, text(")")])
    };
    let doc = group(concat([text(head), list, text(": "), guard, result]));
    let ends: &[&str] = if is_arrow { &[" => {"] } else { &[" {", ";"] };
    ends.contains(&from.0).then(|| concat([doc, text(from.0)]))
}

/// `left = value;`, `key: value,`, `return value;`
fn assignment(line: &str) -> Option<Doc<'_>> {
    if ["if ", "} ", "for ", "case ", "/", "*"].iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let end = [";", ","].into_iter().find(|end| line.ends_with(end))?;
    let line = line.strip_suffix(end)?;
    let mut key = Text(line);
    let is_property = key.key().is_some() && key.eats(": ");
    let (left, operator, right) = if is_property {
        (line.strip_suffix(key.0)?.strip_suffix(": ")?, ":", key.0)
    } else if let Some((left, right)) = line.split_once(" = ") {
        (left, " =", right)
    } else {
        ("", "", line)
    };
    let mut from = Text(right);
    let (value, shape) = value(&mut from)?;
    if !from.is_end() {
        return None;
    }
    // A value on a line of its own would gain too little after a short key.
    let is_name = left.contains(": typeof ") || is_property && right.chars().all(is_word);
    let is_fixed = shape == Shape::Fixed && !right.starts_with('-') && !is_name
        || is_property && columns(left) < 5;
    let doc = match shape {
        _ if left.is_empty() => value,
        _ if is_fixed => concat([text(format!("{left}{operator} ")), value]),
        _ if is_name => break_after_operator(text(left), operator, value),
        Shape::Whole => break_after_operator(text(left), operator, value),
        _ if is_property && !right.starts_with('-') => concat([text(format!("{left}: ")), value]),
        _ => fluid(text(left), operator, value),
    };
    Some(concat([doc, text(end)]))
}

/// Reads a value up to what ends it: `,`, a closing bracket, or the end of the statement.
fn value<'a>(from: &mut Text<'a>) -> Option<(Doc<'a>, Shape)> {
    let mut parts: Vec<Doc<'a>> = Vec::new();
    let mut shape = Shape::Fixed;
    let mut word = String::new();
    loop {
        if let Some(next) = from.take_while(is_word_or_sign) {
            word.push_str(next);
        } else if let Some(string) = from.string() {
            word.push_str(string);
            shape = Shape::Whole;
        } else if from.eats("{}") {
            word.push_str("{}");
        } else if from.sees("/* ") {
            word.push_str(from.take(from.0.find("*/")? + 2));
        } else if from.sees("(") {
            let Items { docs, is_lone, ends_in_list } = items(from, "(", ")")?;
            let open = std::mem::take(&mut word) + "(";
            parts.push(if ends_in_list {
                hugging(&open, docs, ")")
            } else {
                bracketed(open, docs, ")")
            });
            shape = if is_lone { Shape::Whole } else { Shape::Fluid };
        } else if from.sees("[") {
            let is_property = word.ends_with(is_word);
            let mut items = items(from, "[", "]")?.docs;
            let open = std::mem::take(&mut word) + "[";
            if is_property {
                let key = indent(concat([Doc::SoftLine, items.pop()?]));
                parts.push(group(concat([text(open), key, Doc::SoftLine, text("]")])));
                shape = Shape::Whole;
            } else {
                parts.push(bracketed(open, items, "]"));
                shape = Shape::Fluid;
            }
        } else if from.eats("{ ") {
            parts.push(text(std::mem::take(&mut word)));
            parts.push(object(from)?);
            shape = Shape::Fluid;
        } else if from.eats(" ? ") {
            parts.push(text(std::mem::take(&mut word)));
            let (yes, _) = value(from)?;
            from.eat(" : ")?;
            let (no, _) = value(from)?;
            let branches = [Doc::Line, text("? "), yes, Doc::Line, text(": "), no];
            let doc = group(concat([concat(parts), indent(concat(branches))]));
            return Some((doc, Shape::Fluid));
        } else if from.sees(" ") && !from.sees(" }") && !from.sees(" : ") {
            word.push_str(from.take(1));
        } else {
            parts.push(text(word));
            return Some((concat(parts), shape));
        }
    }
}

fn is_word_or_sign(next: char) -> bool {
    is_word(next) || matches!(next, '.' | '-' | '+' | '!' | ':' | '=' | '>')
}

/// The items between brackets.
struct Items<'a> {
    docs: Vec<Doc<'a>>,
    /// Whether there is only one, and that is a short name.
    is_lone: bool,
    /// Whether the last of them is a list, and the only one.
    ends_in_list: bool,
}

/// Reads arguments or items.
fn items<'a>(from: &mut Text<'a>, open: &str, close: &str) -> Option<Items<'a>> {
    from.eat(open)?;
    let mut docs = Vec::new();
    let mut is_lone = true;
    let mut lists = Vec::new();
    while !from.eats(close) {
        if !docs.is_empty() {
            from.eat(", ")?;
            is_lone = false;
        }
        let before = from.0;
        docs.push(value(from)?.0);
        let argument = before.strip_suffix(from.0)?;
        if argument.contains("=>") {
            return None;
        }
        is_lone &= argument.chars().all(is_word) && columns(argument) <= 20;
        lists.push(argument.starts_with('[') && argument != "[]");
    }
    let (last, others) = lists.split_last().map_or((false, &[][..]), |(last, rest)| (*last, rest));
    let ends_in_list = last && !others.contains(&true);
    Some(Items { docs, is_lone, ends_in_list })
}

/// Reads the rest of an object literal.
fn object<'a>(from: &mut Text<'a>) -> Option<Doc<'a>> {
    let mut members = vec![object_member(from)?];
    while from.eats(", ") {
        members.push(object_member(from)?);
    }
    from.eat(" }")?;
    Some(braced(",", members))
}

/// Reads a member of an object literal. A string that does not fit stands on a line of its own.
fn object_member<'a>(from: &mut Text<'a>) -> Option<Doc<'a>> {
    let mut rest = *from;
    let key = rest.key().filter(|_| rest.eats(": "));
    let text_of = |string: Option<&'a str>| string.zip(key);
    if let Some((string, key)) = text_of(rest.string())
        && (rest.sees(", ") || rest.sees(" }"))
        && columns(key) >= 5
    {
        *from = rest;
        return Some(break_after_operator(text(key), ":", text(string)));
    }
    Some(value(from)?.0)
}
