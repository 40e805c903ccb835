//! Parts of schemas that are about values of one type, and schemas put together from them.

use crate::ir::JsonType as Kind;
use crate::schema::described::{constrain, described_as};
use crate::schema::vocabulary::is_about;
use crate::schema::{Additional, JsonType, Keys, SchemaObject};

/// The schemas whose values are those of a schema: its members and its alternatives.
pub(super) fn merged(schema: &SchemaObject) -> impl Iterator<Item = &SchemaObject> {
    schema.all_of.iter().chain(&schema.any_of).chain(&schema.one_of)
}

/// Adds a member to a part. What only objects can be without is lost with the part.
pub(super) fn add(part: &mut SchemaObject, mut member: SchemaObject, kind: Kind) {
    if kind != Kind::Object {
        part.unmodelled.append(&mut member.unmodelled);
    }
    // To `unevaluatedProperties` it may say which properties are allowed.
    let is_whole = part.unevaluated && member.additional == Additional::Allowed;
    if is_whole || !is_full(&member, kind) {
        part.all_of.push(member);
    }
}

/// How many schemas stand in a schema, up to a limit.
pub(super) fn count(schema: &SchemaObject, most: usize) -> usize {
    let mut pending = vec![schema];
    let mut count = 0;
    while let Some(schema) = pending.pop() {
        count += 1;
        if count >= most {
            break;
        }
        pending.extend(schema.parts());
    }
    count
}

/// Copies the keywords of a schema about values of one type, and its names and descriptions.
pub(super) fn own(schema: &SchemaObject, kind: Kind) -> SchemaObject {
    let unmodelled = schema.unmodelled.iter().filter(|(keyword, _)| is_about(keyword, kind));
    let types = schema.types.iter().copied().filter(|it| Kind::from(*it) == kind);
    let own = SchemaObject {
        types: types.collect(),
        boolean: schema.boolean,
        denied: schema.denied,
        constant: schema.constant.clone(),
        enumeration: schema.enumeration.clone(),
        unmodelled: unmodelled.cloned().collect(),
        ..described_as(schema)
    };
    match kind {
        Kind::Null | Kind::Boolean => own,
        Kind::Number => SchemaObject {
            format: schema.format.clone(),
            bounds: schema.bounds.clone(),
            multiple_of: schema.multiple_of.clone(),
            ..own
        },
        Kind::String => SchemaObject {
            format: schema.format.clone(),
            encoding: schema.encoding.clone(),
            pattern: schema.pattern.clone(),
            min_length: schema.min_length,
            max_length: schema.max_length,
            ..own
        },
        Kind::Array => SchemaObject {
            prefix: schema.prefix.clone(),
            items: schema.items.clone(),
            min_items: schema.min_items,
            max_items: schema.max_items,
            unique_items: schema.unique_items,
            ..own
        },
        Kind::Object => SchemaObject {
            properties: schema.properties.clone(),
            required: schema.required.clone(),
            additional: schema.additional.clone(),
            unevaluated: schema.unevaluated,
            keys: schema.keys.clone(),
            discriminator: schema.discriminator.clone(),
            ..own
        },
    }
}

/// Puts alternatives into a part: a single one is a member of it.
pub(super) fn put_branches(
    part: &mut SchemaObject,
    mut branches: Vec<SchemaObject>,
    kind: Kind,
    list: impl FnOnce(&mut SchemaObject) -> &mut Vec<SchemaObject>,
) {
    match branches.pop() {
        Some(only) if branches.is_empty() => add(part, only, kind),
        several => {
            branches.extend(several);
            *list(part) = branches;
        }
    }
}

/// Puts alternatives in the place of what a schema says.
pub(super) fn put(schema: &mut SchemaObject, mut parts: Vec<SchemaObject>) {
    let is_all = parts.len() == Kind::EACH.len()
        && Kind::EACH.into_iter().zip(&parts).all(|(kind, part)| is_full(part, kind));
    let by = match parts.pop() {
        _ if is_all => SchemaObject::default(),
        None => SchemaObject { boolean: Some(false), ..SchemaObject::default() },
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            let any_of = parts.into_iter().map(undescribed).collect();
            SchemaObject { any_of, ..SchemaObject::default() }
        }
    };
    constrain(schema, by);
}

/// Leaves out what a schema is called and described by: that stands at the whole.
fn undescribed(part: SchemaObject) -> SchemaObject {
    let location = part.location.clone();
    let mut bare = SchemaObject { location, ..SchemaObject::default() };
    constrain(&mut bare, part);
    bare
}

/// Tells whether a slice leaves every value of its type as it is.
pub(super) fn is_full(part: &SchemaObject, kind: Kind) -> bool {
    let allows = part.types.is_empty() || part.types.contains(&JsonType::from(kind));
    let says_nothing = part.reference.is_none()
        && part.boolean != Some(false)
        && part.all_of.is_empty()
        && part.branches().is_empty()
        && part.not.is_none()
        && part.constant.is_none()
        && part.enumeration.is_none()
        && part.format.is_none()
        && part.unmodelled.is_empty();
    allows && says_nothing && !part.speaks_of(kind)
}

/// Tells whether a schema itself leaves values out.
pub(in crate::schema) fn restricts_itself(schema: &SchemaObject) -> bool {
    !schema.types.is_empty()
        || schema.constant.is_some()
        || schema.enumeration.is_some()
        || schema.not.is_some()
        || Kind::EACH.into_iter().any(|kind| schema.speaks_of(kind))
}

/// Leaves out the keywords about objects.
pub(in crate::schema) fn drop_object(schema: &mut SchemaObject) {
    schema.properties.clear();
    schema.required.clear();
    (schema.additional, schema.unevaluated) = (Additional::Unspecified, false);
    schema.keys = Keys::default().into();
    schema.discriminator = None;
}
