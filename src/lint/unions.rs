//! Rules about how the alternatives of a union are told apart.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

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
    let types = untagged.iter().map(|(_, _, ty)| *ty).collect();
    let takers = Takers::new(context.protocol, types);
    for (position, (index, one, ty)) in untagged.iter().enumerate() {
        let telling = examples.variant(name, *index);
        // Of a list of them it would be an item.
        let least = match ty {
            Type::Named { name } => examples.least(name),
            _ => None,
        };
        for other_position in takers.of_any(telling.iter().chain(&least)) {
            let Some((_, other, other_ty)) = untagged.get(other_position) else { continue };
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

/// The types that may take a value, by a property that each of them requires: of many alternatives
/// most do not come into question for a value.
struct Takers<'a> {
    by_property: HashMap<&'a str, Vec<usize>>,
    /// The types that require no property.
    others: Vec<usize>,
}

impl<'a> Takers<'a> {
    fn new(protocol: &'a Protocol, types: Vec<&'a Type>) -> Self {
        let required: Vec<Vec<&str>> = types.into_iter().map(|ty| required(protocol, ty)).collect();
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for name in required.iter().flatten() {
            *uses.entry(*name).or_default() += 1;
        }
        let mut takers = Self { by_property: HashMap::new(), others: Vec::new() };
        for (position, names) in required.iter().enumerate() {
            match names.iter().min_by_key(|name| uses.get(*name)) {
                Some(rarest) => takers.by_property.entry(*rarest).or_default().push(position),
                None => takers.others.push(position),
            }
        }
        takers
    }

    /// The positions of the types that may take one of the values, in their order.
    fn of_any<'v>(&self, values: impl Iterator<Item = &'v Value>) -> BTreeSet<usize> {
        let members = values.filter_map(Value::as_object).flat_map(|members| members.keys());
        let found = members.filter_map(|name| self.by_property.get(name.as_str())).flatten();
        found.chain(&self.others).copied().collect()
    }
}

/// The properties without which a type takes no value.
fn required<'a>(protocol: &'a Protocol, ty: &'a Type) -> Vec<&'a str> {
    let resolved = protocol.resolved(ty);
    let Kind::Record(record) = resolved.kind else { return Vec::new() };
    let fields = record.fields.iter().filter(|field| field.presence.is_required());
    let names = fields.map(|field| field.name.wire.as_str());
    if resolved.nullable { Vec::new() } else { names.collect() }
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
            let mut first: HashMap<&str, &SchemaObject> = HashMap::new();
            for (value, branch) in tags {
                let other = *first.entry(value).or_insert(branch);
                if !std::ptr::eq(other, branch) {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Takers;
    use crate::ir::Type;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    #[test]
    fn only_alternatives_that_may_take_a_value_are_tried_for_it() {
        let object = |required: &[&str]| {
            let properties: serde_json::Map<_, _> =
                required.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
            json!({ "type": "object", "properties": properties, "required": required })
        };
        let schema = json!({ "$defs": {
            "A": object(&["id", "a"]), "B": object(&["id", "b"]), "C": object(&["id"]),
            "D": { "type": "object", "properties": { "d": {} } }, "E": { "type": "string" },
        } });
        let loaded = load(SchemaText::from_value("t.json", &schema), Purpose::Generate);
        let protocol = loaded.protocol.unwrap();
        let named = |name: &&String| Type::Named { name: (*name).clone() };
        let types: Vec<Type> = protocol.types.keys().map(|name| named(&name)).collect();
        let takers = Takers::new(&protocol, types.iter().collect());
        let taking = |value| takers.of_any([&value].into_iter()).into_iter().collect::<Vec<_>>();
        assert_eq!(taking(json!({ "id": 1, "a": 1 })), [0, 2, 3, 4]);
        assert_eq!(taking(json!({ "b": 1 })), [1, 3, 4]);
        assert_eq!(taking(json!(["id"])), [3, 4]);
    }
}
