//! Rules about how the alternatives of a union are told apart.

use std::collections::HashSet;

use super::context::Context;
use super::finding::Finding;
use super::places::Site;
use super::rule::{Rule, Texts, recommended};
use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::example::Examples;
use crate::ir::{JsonType, JsonTypes, Kind, Protocol, Type, TypeKind, Union, Variant};
use crate::schema::SchemaObject;

pub(super) static UNTAGGED_UNION: Rule = recommended(
    "untagged-union",
    Warning,
    Texts {
        summary: "several objects are told apart by their shape only",
        why: "A receiver has to try one after the other. An optional property that is added to one can make it look like another, and an error cannot say which of them was meant.",
        remedy: "Give each alternative a required property with a constant of its own.",
        before: r#"{"anyOf": [{"properties": {"watts": {"type": "integer"}}}, {"properties": {"key": {"type": "string"}}}]}"#,
        after: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}, {"properties": {"kind": {"const": "door"}}, "required": ["kind"]}]}"#,
    },
);

pub(super) static PARTLY_TAGGED_UNION: Rule = recommended(
    "partly-tagged-union",
    Info,
    Texts {
        summary: "some alternatives of a union have a tag, and some have none",
        why: "What has no known tag is tried as the alternatives without one, so that a tag that is misspelt or new makes a value one of those.",
        remedy: "Give each alternative a tag. Where peers of old send none, say in the description what its absence means.",
        before: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}, {"properties": {"key": {"type": "string"}}}]}"#,
        after: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}, {"properties": {"kind": {"const": "door"}}, "required": ["kind"]}]}"#,
    },
);

pub(super) static AMBIGUOUS_UNION: Rule = recommended(
    "ambiguous-union",
    Warning,
    Texts {
        summary: "a value of one alternative is one of another as well",
        why: "Which of the two a receiver takes depends on the order in which it tries them, and under `oneOf` the value is not valid at all.",
        remedy: "Tell the two apart by a constant, or by a property that the one requires and the other forbids.",
        before: r#"{"anyOf": [{"properties": {"name": {"type": "string"}}}, {"properties": {"name": {"type": "string"}, "watts": {"type": "integer"}}}]}"#,
        after: r#"{"anyOf": [{"properties": {"kind": {"const": "door"}}, "required": ["kind"]}, {"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}]}"#,
    },
);

pub(super) static ANONYMOUS_ALTERNATIVE: Rule = recommended(
    "anonymous-alternative",
    Info,
    Texts {
        summary: "an alternative has neither a tag nor a name",
        why: "Generated code calls it by what it is or by where it stands. A name of that kind changes when an alternative is put before it.",
        remedy: "Give it a `title`, or make it a definition.",
        before: r#"{"anyOf": [{"type": "object", "properties": {"watts": {"type": "integer"}}}]}"#,
        after: r#"{"anyOf": [{"title": "Lamp", "type": "object", "properties": {"watts": {"type": "integer"}}}]}"#,
    },
);

pub(super) static DUPLICATE_TAGS: Rule = recommended(
    "duplicate-tags",
    Error,
    Texts {
        summary: "two alternatives have the same tag",
        why: "A tag that two alternatives share tells nobody which of them a value is; the whole union is then told apart by shape.",
        remedy: "Give each alternative a tag of its own.",
        before: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}}, {"properties": {"kind": {"const": "lamp"}}}]}"#,
        after: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}}, {"properties": {"kind": {"const": "door"}}}]}"#,
    },
);

pub(super) static RULES: [&Rule; 5] = [
    &UNTAGGED_UNION,
    &PARTLY_TAGGED_UNION,
    &AMBIGUOUS_UNION,
    &ANONYMOUS_ALTERNATIVE,
    &DUPLICATE_TAGS,
];

pub(super) fn check(context: &mut Context<'_>) {
    let protocol = context.protocol;
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Exact);
    let examples = Examples::new(protocol);
    for (name, def) in &protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        let objects = union.untagged().filter(|variant| is_object(context, variant)).count();
        if union.tag().is_none() && objects > 1 {
            let message = format!("{objects} alternatives of `{name}` are told apart by shape");
            context.report(&UNTAGGED_UNION, name, &def.location, message);
        }
        if union.tag().is_some() && objects > 0 {
            let message = format!("some alternatives of `{name}` have a tag, and {objects} none");
            context.report(&PARTLY_TAGGED_UNION, name, &def.location, message);
        }
        ambiguities(context, name, union, &examples, &decoder);
        anonymous(context, name, union);
    }
    duplicate_tags(context);
}

fn is_object(context: &Context<'_>, variant: &Variant) -> bool {
    let types = variant.payload.as_ref().map(|payload| context.protocol.json_types(payload));
    types.is_some_and(|types| types.contains(JsonType::Object) && types != JsonTypes::ALL)
}

/// Pairs of alternatives without a tag of which one takes an example of the other.
fn ambiguities(
    context: &mut Context<'_>,
    name: &str,
    union: &Union,
    examples: &Examples<'_>,
    decoder: &Decoder<'_>,
) {
    let untagged: Vec<(usize, &Variant, &Type)> = union
        .variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| variant.tag().is_none())
        .filter_map(|(index, variant)| Some((index, variant, variant.payload.as_ref()?)))
        .collect();
    for (position, (index, one, ty)) in untagged.iter().enumerate() {
        let telling = examples.variant(name, *index);
        let least = ty.named().and_then(|name| examples.least(name));
        for (other_position, (_, other, other_ty)) in untagged.iter().enumerate() {
            let is_meant = position < other_position && is_rest(context.protocol, ty, other_ty);
            if position == other_position || is_meant {
                continue;
            }
            let mut values = telling.iter().chain(&least);
            if !values.any(|value| decoder.decode(other_ty, value).is_ok()) {
                continue;
            }
            let [one_name, other_name] = [one, other].map(|it| &it.name.wire);
            let at = format!("{name}<{one_name}>");
            let message = format!("a value of `{at}` can be one of `{name}<{other_name}>` as well");
            let finding = Finding::new(&AMBIGUOUS_UNION, &at, &one.location, message);
            context.findings.push(finding.related(&other.location, "the other alternative"));
            break;
        }
    }
}

/// Tells whether a later alternative is for all that the earlier ones are not: any JSON, or the
/// numbers after the whole ones.
fn is_rest(protocol: &Protocol, earlier: &Type, later: &Type) -> bool {
    match protocol.resolved(later).kind {
        Kind::Any => true,
        Kind::Number(_) => matches!(protocol.resolved(earlier).kind, Kind::Integer(_)),
        _ => false,
    }
}

/// Objects that were named for what they are.
fn anonymous(context: &mut Context<'_>, name: &str, union: &Union) {
    for variant in union.untagged() {
        let Some(schema) = context.schema(&variant.location) else { continue };
        let is_named = schema.title.is_some()
            || schema.annotations.name.is_some()
            || schema.alias_target().is_some()
            || schema.only_member().is_some();
        if !is_named && is_object(context, variant) {
            let at = format!("{name}<{}>", variant.name.wire);
            let message = format!("an alternative of `{name}` has neither a tag nor a name");
            context.report(&ANONYMOUS_ALTERNATIVE, &at, &variant.location, message);
        }
    }
}

/// Alternatives with the same constant in a property that all of them require.
fn duplicate_tags(context: &mut Context<'_>) {
    let mut found = Vec::new();
    for place in context.places.iter().filter(|place| place.site != Site::Tag) {
        let branches = place.schema.branches();
        let Some(first) = branches.first().filter(|_| branches.len() > 1) else { continue };
        for tag in first.properties.keys() {
            let tags: Option<Vec<(&str, &SchemaObject)>> =
                branches.iter().map(|branch| Some((constant(branch, tag)?, branch))).collect();
            let Some(tags) = tags else { continue };
            let different: HashSet<&str> = tags.iter().map(|(value, _)| *value).collect();
            // Where all are the same it is no tag.
            if different.len() == 1 {
                continue;
            }
            for (index, (value, branch)) in tags.iter().enumerate() {
                let earlier = tags.iter().take(index).find(|(other, _)| other == value);
                if let Some((_, other)) = earlier {
                    let at = format!("{}<{value}>", place.label);
                    let message =
                        format!("two alternatives of `{}` have the {tag} `{value}`", place.label);
                    let finding = Finding::new(&DUPLICATE_TAGS, &at, &branch.location, message);
                    found.push(finding.related(&other.location, "the first one"));
                }
            }
        }
    }
    context.findings.extend(found);
}

fn constant<'a>(branch: &'a SchemaObject, tag: &str) -> Option<&'a str> {
    let property = branch.properties.get(tag).filter(|_| branch.required.contains(tag))?;
    property.single_value()?.as_str()
}
