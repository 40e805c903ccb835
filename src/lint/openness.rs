//! Rules about what may be added later: fallbacks of enums and unions, capabilities that can grow,
//! and an extension point in every message.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::Value;

use super::context::Context;
use super::rule::{Rule, Texts, recommended};
use crate::diagnostic::Severity::{Info, Warning};
use crate::ir::{Handler, Kind, Record, Type, TypeKind, Union};
use crate::schema::{Additional, JsonType, SchemaObject};

pub(super) static ENUM_WITHOUT_FALLBACK: Rule = recommended(
    "enum-without-fallback",
    Warning,
    Texts {
        summary: "an enum takes only the values that it lists",
        why: "A receiver refuses a value that it does not know, so that a new one breaks every peer that exists.",
        remedy: "End the enum with the bare type, so that a receiver keeps what it does not know.",
        before: r#"{"enum": ["on", "off"]}"#,
        after: r#"{"anyOf": [{"const": "on"}, {"const": "off"}, {"type": "string"}]}"#,
    },
);

pub(super) static UNION_WITHOUT_FALLBACK: Rule = recommended(
    "union-without-fallback",
    Warning,
    Texts {
        summary: "a union takes only the tags that it lists",
        why: "A receiver refuses an object with a tag that it does not know, so that a new alternative breaks every peer that exists.",
        remedy: "End the union with an object in which the tag is any other string.",
        before: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}]}"#,
        after: r#"{"anyOf": [{"properties": {"kind": {"const": "lamp"}}, "required": ["kind"]}, {"title": "other", "properties": {"kind": {"type": "string"}}, "required": ["kind"], "not": {"properties": {"kind": {"const": "lamp"}}}}]}"#,
    },
);

pub(super) static TAG_OVERLAPS_FALLBACK: Rule = recommended(
    "tag-overlaps-fallback",
    Warning,
    Texts {
        summary: "the alternative for unknown tags takes known ones as well",
        why: "To a validator, a malformed object with a known tag is then a valid one with an unknown tag; under `oneOf`, every object with a known tag is two alternatives at once, and none is valid.",
        remedy: "Exclude the known tags from the last alternative with `not`.",
        before: r#"{"title": "other", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}"#,
        after: r#"{"title": "other", "properties": {"kind": {"type": "string"}}, "required": ["kind"], "not": {"properties": {"kind": {"enum": ["lamp", "door"]}}}}"#,
    },
);

pub(super) static BOOLEAN_CAPABILITY: Rule = recommended(
    "boolean-capability",
    Warning,
    Texts {
        summary: "a capability is a boolean",
        why: "There is nothing to add to a boolean. What the capability will one day be about (limits, kinds, versions) needs a second one beside it.",
        remedy: "Make it an object that is there or not.",
        before: r#"{"properties": {"image": {"type": "boolean"}}}"#,
        after: r#"{"properties": {"image": {"type": "object"}}}"#,
    },
);

pub(super) static MISSING_EXTENSION_POINT: Rule = recommended(
    "missing-extension-point",
    Info,
    Texts {
        summary: "an object lacks the property for extensions that most others have",
        why: "What an implementation adds of its own has a place in most objects of this schema. Here it has none.",
        remedy: "Add the property, as the other objects have it.",
        before: r#"{"properties": {"name": {"type": "string"}}}"#,
        after: r#"{"properties": {"name": {"type": "string"}, "_meta": {"type": ["object", "null"], "additionalProperties": true}}}"#,
    },
);

pub(super) static OPTIONAL_METHOD_WITHOUT_CAPABILITY: Rule = recommended(
    "optional-method-without-capability",
    Warning,
    Texts {
        summary: "a method may be left out, and no capability tells whether it is there",
        why: "A caller finds out only by calling, and cannot offer to its user what the peer can do.",
        remedy: "Name the capability with `x-capability`.",
        before: r#"{"x-method": "door/lock", "x-side": "house", "x-optional": true}"#,
        after: r#"{"x-method": "door/lock", "x-side": "house", "x-optional": true, "x-capability": "doors.lock"}"#,
    },
);

pub(super) static RULES: [&Rule; 6] = [
    &ENUM_WITHOUT_FALLBACK,
    &UNION_WITHOUT_FALLBACK,
    &TAG_OVERLAPS_FALLBACK,
    &BOOLEAN_CAPABILITY,
    &MISSING_EXTENSION_POINT,
    &OPTIONAL_METHOD_WITHOUT_CAPABILITY,
];

pub(super) fn check(context: &mut Context<'_>) {
    fallbacks(context);
    overlapping_unions(context);
    overlapping_enums(context);
    capabilities(context);
    extension_points(context);
    optional_methods(context);
}

fn fallbacks(context: &mut Context<'_>) {
    for (name, def) in &context.protocol.types {
        match &def.kind {
            TypeKind::Enum(of) if of.open.is_none() && of.values.len() > 1 => {
                let message = format!("a new value of `{name}` breaks every receiver that exists");
                context.report(&ENUM_WITHOUT_FALLBACK, name, &def.location, message);
            }
            TypeKind::Union(union)
                if union.open.is_none()
                    && union.tag().is_some()
                    && union.variants.len() > 1
                    && union.untagged().next().is_none() =>
            {
                let message =
                    format!("a new alternative of `{name}` breaks every receiver that exists");
                context.report(&UNION_WITHOUT_FALLBACK, name, &def.location, message);
            }
            _ => {}
        }
    }
}

fn overlapping_unions(context: &mut Context<'_>) {
    for (name, def) in &context.protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        let Some(tag) = union.tag() else { continue };
        let open = union.open.iter().map(|open| ("for unknown tags", &open.location));
        let untagged = union.untagged().map(|variant| ("without a tag", &variant.location));
        for (which, location) in open.chain(untagged) {
            let Some(branch) = context.schema(location) else { continue };
            let target = branch.alias_target();
            let target = target.and_then(|it| context.document.definitions.get(&it.name));
            let target = target.unwrap_or(branch);
            // What an alternative without a tag requires tells it apart.
            let requires_more = union.open.as_ref().is_none_or(|it| it.location != *location)
                && target.required.iter().any(|name| *name != tag.wire);
            if requires_more || !may_have_tag(target, &tag.wire) {
                continue;
            }
            let mut excluded = HashSet::new();
            if let Some(not) = &branch.not {
                tags(not, &tag.wire, context, &mut excluded, &mut Vec::new());
            }
            let known = union.tagged().map(|(known, _)| known);
            let taken: Vec<&str> = known.filter(|known| !excluded.contains(known)).collect();
            if let [first, others @ ..] = taken.as_slice() {
                let more = if others.is_empty() {
                    String::new()
                } else {
                    format!(" and {} more known tags", others.len())
                };
                let message =
                    format!("the alternative of `{name}` {which} takes `{first}`{more} as well");
                context.report(&TAG_OVERLAPS_FALLBACK, name, location, message);
            }
        }
    }
}

/// Tells whether an object that fits an alternative may have a tag in this property.
fn may_have_tag(branch: &SchemaObject, tag: &str) -> bool {
    let takes_text = |property: &SchemaObject| {
        property.types.is_empty() || property.types.contains(&JsonType::String)
    };
    let is_open = branch.additional != Additional::Denied;
    branch.may_be_object() && branch.properties.get(tag).map_or(is_open, takes_text)
}

/// Collects the constants that a schema allows for a property.
fn tags<'a>(
    schema: &'a SchemaObject,
    tag: &str,
    context: &Context<'a>,
    found: &mut HashSet<&'a str>,
    inside: &mut Vec<&'a str>,
) {
    if let Some(property) = schema.properties.get(tag) {
        let constants = property.constant.iter();
        let listed = property.enumeration.iter().flatten().map(|(value, _)| value);
        found.extend(constants.chain(listed).filter_map(Value::as_str));
    }
    for branch in schema.branches().iter().chain(&schema.all_of) {
        tags(branch, tag, context, found, inside);
    }
    if let Some(reference) = &schema.reference
        && !inside.contains(&reference.name.as_str())
        && let Some(target) = context.document.definitions.get(&reference.name)
    {
        inside.push(&reference.name);
        tags(target, tag, context, found, inside);
        inside.pop();
    }
}

/// An enum under `oneOf` whose bare type is an alternative as well.
fn overlapping_enums(context: &mut Context<'_>) {
    let mut found = Vec::new();
    for place in &context.places {
        let branches = &place.schema.one_of;
        let known =
            branches.iter().filter_map(SchemaObject::single_value).find(|it| it.is_string());
        let is_bare = |branch: &&SchemaObject| {
            branch.types.contains(&JsonType::String)
                && branch.single_value().is_none()
                && branch.enumeration.is_none()
                && branch.pattern.is_none()
                && branch.not.is_none()
        };
        if let (Some(known), Some(bare)) = (known, branches.iter().find(is_bare)) {
            found.push((place.label.clone(), bare.location.clone(), known.clone()));
        }
    }
    for (label, location, known) in found {
        let message = format!(
            "{known} is two alternatives of `{label}` at once, which `oneOf` does not allow"
        );
        context.report(&TAG_OVERLAPS_FALLBACK, &label, &location, message);
    }
}

fn capabilities(context: &mut Context<'_>) {
    let protocol = context.protocol;
    let mut roots: Vec<&str> = Vec::new();
    for place in protocol.sides.iter().filter_map(|side| side.capabilities.as_ref()) {
        for method in protocol.named(&place.method) {
            for (payload, ty) in protocol.payloads(method) {
                let fields = protocol
                    .fields(ty)
                    .iter()
                    .filter(|_| payload.part.position() == place.position);
                let field = fields.into_iter().find(|field| field.name == place.property);
                roots.extend(field.and_then(|field| field.ty.named()));
            }
        }
    }
    for name in protocol.reachable(roots) {
        let Some(def) = protocol.type_def(name) else { continue };
        for field in def.kind.fields() {
            if matches!(protocol.resolved(&field.ty).kind, Kind::Boolean) {
                let label = format!("{name}.{}", field.name.wire);
                let message = format!("the capability `{label}` is a boolean, which cannot grow");
                context.report(&BOOLEAN_CAPABILITY, &label, &field.location, message);
            }
        }
    }
}

fn extension_points(context: &mut Context<'_>) {
    let protocol = context.protocol;
    let records: Vec<(&String, &Record, _)> = protocol
        .types
        .iter()
        .filter(|(name, def)| !def.inline && !protocol.transport.contains(name))
        .filter_map(|(name, def)| match &def.kind {
            TypeKind::Record(record) if record.unknown.kept().is_none() => {
                Some((name, record, &def.location))
            }
            _ => None,
        })
        .collect();
    let mut points: IndexMap<&str, usize> = IndexMap::new();
    for (_, record, _) in &records {
        for field in record.fields.iter().filter(|field| !field.presence.is_required()) {
            if is_open(context, &field.ty) {
                *points.entry(&field.name.wire).or_default() += 1;
            }
        }
    }
    let Some((point, uses)) = points.into_iter().max_by_key(|(_, uses)| *uses) else { return };
    if uses < 3 || uses * 2 <= records.len() {
        return;
    }
    let covered = covered(context, point);
    for (name, record, location) in &records {
        if !covered.contains(name.as_str())
            && record.fields.iter().all(|field| field.name.wire != point)
        {
            let message = format!("`{name}` has no `{point}`, as {uses} other objects have");
            context.report(&MISSING_EXTENSION_POINT, name, location, message);
        }
    }
}

/// The types whose values only stand in one object with a property of this name: alternatives of a
/// union that has it beside them.
fn covered<'a>(context: &Context<'a>, property: &str) -> HashSet<&'a str> {
    let unions = context.protocol.types.values().filter_map(|def| match &def.kind {
        TypeKind::Union(union) => Some(union),
        _ => None,
    });
    let has_it = |union: &&Union| union.shared.iter().any(|it| it.name.wire == property);
    let mut pending: Vec<&Union> = unions.filter(has_it).collect();
    let mut covered = HashSet::new();
    while let Some(union) = pending.pop() {
        let payloads = union.variants.iter().filter_map(|it| it.payload.as_ref());
        for name in payloads.filter_map(Type::named) {
            if covered.insert(name)
                && let Some(TypeKind::Union(inner)) =
                    context.protocol.type_def(name).map(|def| &def.kind)
            {
                pending.push(inner);
            }
        }
    }
    covered
}

/// Tells whether values of a type are objects with any members.
fn is_open(context: &Context<'_>, ty: &Type) -> bool {
    match context.protocol.resolved(ty).kind {
        Kind::Map(map) => *map.values == Type::Any,
        Kind::Record(record) => record.fields.is_empty() && record.unknown.kept().is_some(),
        _ => false,
    }
}

fn optional_methods(context: &mut Context<'_>) {
    for method in &context.protocol.methods {
        let needs_none = method.handler == Handler::Protocol;
        // A notification that nobody handles is no error.
        if method.optional && method.is_request() && method.capability.is_none() && !needs_none {
            let wire = &method.name.wire;
            let message = format!("`{wire}` may be left out, and no capability tells of it");
            context.report(&OPTIONAL_METHOD_WITHOUT_CAPABILITY, wire, &method.location, message);
        }
    }
}
