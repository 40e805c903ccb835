//! `not` of what can be said without it: of types, of one bound, of another `not`.

use indexmap::IndexSet;
use serde_json::Value;

use super::described::has_only;
use super::keys::is_of_required;
use super::{Additional, Bounds, JsonType, Keys, SchemaObject};
use crate::ir::JsonType as Kind;

/// Says without `not` what can be said so.
pub(super) fn resolve_not(schema: &mut SchemaObject) {
    let Some(not) = schema.not.as_deref() else { return };
    let is_untyped = not.types.is_empty();
    if not.boolean == Some(false) {
        schema.not = None;
    } else if is_untyped && has_only(not, |it| allow_all(it, not)) {
        (schema.boolean, schema.denied, schema.not) = (Some(false), true, None);
    } else if let Some(types) = types_but(not) {
        keep_types(schema, &types);
    } else if has_only(not, |it| it.not.clone_from(&not.not))
        && !not.not.as_deref().is_some_and(names_properties)
        && (is_untyped || not.is_object() && not.not.as_deref().is_some_and(is_of_required))
    {
        let inner = schema.not.take().and_then(|not| not.not);
        schema.all_of.extend(inner.map(|it| *it));
    } else if let Some((ty, beyond)) = beyond(not)
        && (is_untyped || not.types == schema.types)
    {
        keep_types(schema, &IndexSet::from([ty]));
        put_bound(schema, ty, beyond);
    }
}

/// Tells whether a schema may say which properties there are: to `unevaluatedProperties` it does
/// not, within a `not`.
fn names_properties(schema: &SchemaObject) -> bool {
    !schema.properties.is_empty()
        || schema.additional != Additional::Unspecified
        || schema.reference.is_some()
        || [&schema.all_of, &schema.any_of, &schema.one_of]
            .into_iter()
            .flatten()
            .any(names_properties)
}

/// Copies from a schema what leaves no value out.
fn allow_all(only: &mut SchemaObject, schema: &SchemaObject) {
    only.boolean = schema.boolean;
    if schema.additional == Additional::Allowed {
        (only.additional, only.unevaluated) = (Additional::Allowed, schema.unevaluated);
    }
}

/// Leaves a schema with those of its types that are among some, without its `not`.
fn keep_types(schema: &mut SchemaObject, types: &IndexSet<JsonType>) {
    schema.not = None;
    if schema.types.is_empty() {
        schema.types.clone_from(types);
        return;
    }
    let is_kept = |ty: &JsonType| {
        types.contains(ty) || *ty == JsonType::Integer && types.contains(&JsonType::Number)
    };
    schema.types.retain(is_kept);
    if schema.types.is_empty() {
        schema.boolean = Some(false);
    }
}

/// The types of the values that a schema leaves out which names types and nothing else. What is no
/// integer cannot be said so.
fn types_but(not: &SchemaObject) -> Option<IndexSet<JsonType>> {
    let is_null = not.types.is_empty() && not.constant.as_ref().is_some_and(Value::is_null);
    let is_named = !not.types.is_empty() && !not.types.contains(&JsonType::Integer);
    let only = |it: &mut SchemaObject| {
        if is_null {
            it.constant.clone_from(&not.constant);
        }
    };
    if !is_null && !is_named || !has_only(not, only) {
        return None;
    }
    let is_left = |ty: &JsonType| !(not.types.contains(ty) || is_null && *ty == JsonType::Null);
    Some(Kind::EACH.into_iter().map(JsonType::from).filter(is_left).collect())
}

/// What is said of the values of one type that a schema leaves out which sets a single bound.
fn beyond(not: &SchemaObject) -> Option<(JsonType, SchemaObject)> {
    let (mut rest, mut by) = (not.clone(), SchemaObject::default());
    let Bounds { minimum, maximum, exclusive_minimum, exclusive_maximum } =
        std::mem::take(&mut *rest.bounds);
    by.bounds = Bounds {
        minimum: exclusive_maximum,
        maximum: exclusive_minimum,
        exclusive_minimum: maximum,
        exclusive_maximum: minimum,
    }
    .into();
    let Keys { min_properties, max_properties, .. } = &*not.keys;
    let (keys, said) = (opposite(*min_properties, *max_properties), not.keys.keywords.len());
    if let [(keyword, location)] = not.keys.keywords.as_slice()
        && ["minProperties", "maxProperties"].contains(keyword)
    {
        let (min_properties, max_properties) = keys;
        let keyword = if min_properties.is_some() { "minProperties" } else { "maxProperties" };
        let keywords = vec![(keyword, location.clone())];
        by.keys = Keys { min_properties, max_properties, keywords, ..Keys::default() }.into();
        rest.keys = Keys::default().into();
    }
    (by.min_length, by.max_length) = opposite(rest.min_length.take(), rest.max_length.take());
    (by.min_items, by.max_items) = opposite(rest.min_items.take(), rest.max_items.take());
    let bounds = &*by.bounds;
    let of_numbers =
        [&bounds.minimum, &bounds.maximum, &bounds.exclusive_minimum, &bounds.exclusive_maximum];
    let counts = [by.min_length, by.max_length, by.min_items, by.max_items, keys.0, keys.1];
    let count = of_numbers.into_iter().flatten().count() + counts.iter().flatten().count();
    let ty = Kind::EACH.into_iter().find(|kind| by.speaks_of(*kind)).map(JsonType::from)?;
    let is_of_type = rest.types.iter().all(|it| *it == ty);
    (count == 1 && said < 2 && is_of_type && has_only(&rest, |_| {})).then_some((ty, by))
}

/// The least and the most that are left where a count is not to be between two.
fn opposite(least: Option<u64>, most: Option<u64>) -> (Option<u64>, Option<u64>) {
    (most.and_then(|most| most.checked_add(1)), least.and_then(|least| least.checked_sub(1)))
}

/// Adds a bound of values of one type to a schema: itself, or as a member where it has others.
fn put_bound(schema: &mut SchemaObject, ty: JsonType, by: SchemaObject) {
    let has_others = match ty {
        JsonType::Object => schema.keys != Keys::default().into(),
        _ => schema.speaks_of(ty.into()),
    };
    if has_others {
        schema.all_of.push(SchemaObject { location: schema.location.clone(), ..by });
        return;
    }
    match ty {
        JsonType::Object => schema.keys = by.keys,
        JsonType::Array => (schema.min_items, schema.max_items) = (by.min_items, by.max_items),
        JsonType::String => (schema.min_length, schema.max_length) = (by.min_length, by.max_length),
        _ => schema.bounds = by.bounds,
    }
}
