//! Rules about values: examples, numbers that some languages cannot hold, strings that mean more.

use std::collections::HashMap;

use super::context::Context;
use super::rule::{Rule, Texts, optional, recommended};
use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::diagnostic::Severity::{Error, Info};
use crate::ir::{IntegerType, Name, Type};
use crate::source::Location;

pub(super) static INVALID_EXAMPLE: Rule = recommended(
    "invalid-example",
    Error,
    Texts {
        summary: "an example is no value of its type",
        why: "Examples are what people copy first.",
        remedy: "Correct the example, or the type.",
        before: r#"{"type": "string", "examples": [1]}"#,
        after: r#"{"type": "string", "examples": ["1"]}"#,
    },
);

pub(super) static PAYLOAD_WITHOUT_EXAMPLE: Rule = optional(
    "payload-without-example",
    Info,
    Texts {
        summary: "params or a result have no example",
        why: "An example says in a glance what a description says in a page, and this tool checks it.",
        remedy: "Add `examples` to the definition.",
        before: r#"{"x-method": "door/open", "type": "object", "properties": {"door": {"type": "string"}}}"#,
        after: r#"{"x-method": "door/open", "type": "object", "properties": {"door": {"type": "string"}}, "examples": [{"door": "front"}]}"#,
    },
);

pub(super) static INTEGER_64_BIT: Rule = recommended(
    "integer-64-bit",
    Info,
    Texts {
        summary: "an integer can be larger than JavaScript can count",
        why: "A JavaScript number holds whole numbers up to 9007199254740991 exactly. A larger one is silently another one.",
        remedy: "Give it a `maximum` of 9007199254740991, or make it a string.",
        before: r#"{"type": "integer", "format": "uint64"}"#,
        after: r#"{"type": "integer", "format": "uint64", "maximum": 9007199254740991}"#,
    },
);

pub(super) static STRING_WITHOUT_FORMAT: Rule = recommended(
    "string-without-format",
    Info,
    Texts {
        summary: "a string is by its name a path, an address or a time, and neither a format nor a type says so",
        why: "Whether a path is absolute, an address may be relative, or a time has a zone is left to a guess, and generated code cannot tell one string from another.",
        remedy: "Give it a `format` (`uri`, `date-time`), or a definition that says what it is.",
        before: r#"{"properties": {"updatedAt": {"type": "string"}}}"#,
        after: r#"{"properties": {"updatedAt": {"type": "string", "format": "date-time"}}}"#,
    },
);

pub(super) static RULES: [&Rule; 4] =
    [&INVALID_EXAMPLE, &PAYLOAD_WITHOUT_EXAMPLE, &INTEGER_64_BIT, &STRING_WITHOUT_FORMAT];

/// The largest whole number up to which JavaScript holds each.
const SAFE: i128 = (1 << 53) - 1;

/// The last words of names whose strings mean more than text.
const MEANING: [&str; 10] =
    ["path", "cwd", "directory", "uri", "url", "timestamp", "date", "time", "at", "deadline"];

pub(super) fn check(context: &mut Context<'_>) {
    examples(context);
    payloads(context);
    integers(context);
    strings(context);
}

fn examples(context: &mut Context<'_>) {
    let protocol = context.protocol;
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Exact);
    let mut types: HashMap<&Location, (Type, bool)> = HashMap::new();
    for (name, def) in &protocol.types {
        types.insert(&def.location, (Type::Named { name: name.clone() }, false));
    }
    for (_, field, _) in context.fields() {
        types.insert(&field.location, (field.ty.clone(), field.presence.is_nullable()));
    }
    let mut found = Vec::new();
    for place in &context.places {
        let Some((ty, nullable)) = types.get(&place.schema.location) else { continue };
        for (index, (value, location)) in place.schema.examples.iter().enumerate() {
            if *nullable && value.is_null() {
                continue;
            }
            if let Err(problem) = decoder.decode(ty, value) {
                let at = format!("{}#{index}", place.label);
                let message =
                    format!("an example of `{}` is not a value of it: {problem}", place.label);
                found.push((at, location.clone(), message));
            }
        }
    }
    for (at, location, message) in found {
        context.report(&INVALID_EXAMPLE, &at, &location, message);
    }
}

fn payloads(context: &mut Context<'_>) {
    for (name, def) in &context.protocol.types {
        let Some(role) = def.roles.first() else { continue };
        let has_parts = !def.kind.fields().is_empty();
        let has_example =
            context.schema(&def.location).is_some_and(|schema| !schema.examples.is_empty());
        if has_parts && !has_example {
            let message = format!("`{name}` of `{}` has no example", role.method);
            context.report(&PAYLOAD_WITHOUT_EXAMPLE, name, &def.location, message);
        }
    }
}

fn integers(context: &mut Context<'_>) {
    for (_, field, label) in context.fields() {
        let large = match &field.ty {
            Type::Integer(integer) => is_large(integer),
            Type::Array(array) => matches!(&*array.items, Type::Integer(it) if is_large(it)),
            _ => false,
        };
        if large {
            report_large(context, &label, &field.location);
        }
    }
    for (name, def) in &context.protocol.types {
        if let crate::ir::TypeKind::Alias { target: Type::Integer(integer) } = &def.kind
            && is_large(integer)
        {
            report_large(context, name, &def.location);
        }
    }
}

fn is_large(integer: &IntegerType) -> bool {
    let (least, most) = integer.range();
    most > SAFE || least < -SAFE
}

fn report_large(context: &mut Context<'_>, label: &str, location: &Location) {
    let message = format!("`{label}` can be larger than JavaScript can count");
    context.report(&INTEGER_64_BIT, label, location, message);
}

fn strings(context: &mut Context<'_>) {
    for (_, field, label) in context.fields() {
        let ty = match &field.ty {
            Type::Array(array) => &array.items,
            ty => ty,
        };
        // A definition of its own has a name and a description that say what it is.
        let Type::String(string) = ty else { continue };
        let says = string.format.is_some() || string.pattern.is_some() || string.encoding.is_some();
        if !says && let Some(word) = meaning(&field.name) {
            let message = format!("`{label}` is by its name a {word}, but no more than a string");
            context.report(&STRING_WITHOUT_FORMAT, &label, &field.location, message);
        }
    }
}

/// The word for the meaning that the name of a string suggests: a time, a directory and so on.
fn meaning(name: &Name) -> Option<&'static str> {
    let last = name.words.last()?;
    let singular = last.strip_suffix('s').unwrap_or(last);
    let word = MEANING.into_iter().find(|word| word == last || *word == singular)?;
    // `at` alone is a word like any other.
    Some(match word {
        "at" if name.words.len() < 2 => return None,
        "at" => "time",
        "cwd" => "directory",
        word => word,
    })
}
