//! One schema of two that a value has to fit: of values, not of objects with properties.

use indexmap::IndexSet;
use serde_json::{Number, Value};

use crate::ir::{JsonType as Kind, is_multiple};
use crate::schema::described::constrain;
use crate::schema::equal::take_for_integers;
use crate::schema::values::{compare, fits, is_equal};
use crate::schema::{Additional, Bounds, JsonType, SchemaObject};
use crate::source::Location;

/// A schema without its name and description.
pub(super) fn constraints(schema: &SchemaObject) -> SchemaObject {
    SchemaObject {
        types: schema.types.clone(),
        boolean: schema.boolean.filter(|fits| !fits),
        prefix: schema.prefix.clone(),
        items: schema.items.clone(),
        constant: schema.constant.clone(),
        enumeration: schema.enumeration.clone(),
        format: schema.format.clone(),
        encoding: schema.encoding.clone(),
        pattern: schema.pattern.clone(),
        bounds: schema.bounds.clone(),
        min_length: schema.min_length,
        max_length: schema.max_length,
        min_items: schema.min_items,
        max_items: schema.max_items,
        unique_items: schema.unique_items,
        multiple_of: schema.multiple_of.clone(),
        location: schema.location.clone(),
        ..SchemaObject::default()
    }
}

/// Tells whether a schema leaves every value as it is.
pub(super) fn says_nothing(schema: &SchemaObject) -> bool {
    is_of_values(schema) && !restricts(schema)
}

/// Tells whether it says nothing but which values fit: it refers to nothing, has no alternatives and
/// speaks of no properties.
pub(super) fn is_of_values(schema: &SchemaObject) -> bool {
    schema.reference.is_none()
        && schema.all_of.is_empty()
        && schema.branches().is_empty()
        && is_of_values_beside(schema)
}

/// Tells the same of what stands beside references, `allOf` and alternatives.
pub(super) fn is_of_values_beside(schema: &SchemaObject) -> bool {
    schema.properties.is_empty()
        && schema.required.is_empty()
        && matches!(schema.additional, Additional::Unspecified | Additional::Allowed)
        && schema.not.is_none()
        && schema.keys.keywords.is_empty()
        && schema.unmodelled.is_empty()
}

/// Tells the same, keywords that no type can say aside, unless they speak of objects.
pub(super) fn is_nearly_of_values_beside(schema: &SchemaObject) -> bool {
    let is_of_names = |not: &SchemaObject| {
        !not.required.is_empty() || !not.properties.is_empty() || !not.keys.keywords.is_empty()
    };
    let is_known = |(keyword, _): &(String, Location)| OF_VALUES.contains(&keyword.as_str());
    let is_about_values =
        schema.unmodelled.iter().all(is_known) && !schema.not.as_deref().is_some_and(is_of_names);
    if !is_about_values || schema.unmodelled.is_empty() && schema.not.is_none() {
        return is_of_values_beside(schema);
    }
    let rest = SchemaObject { unmodelled: Vec::new(), not: None, ..schema.clone() };
    is_of_values_beside(&rest)
}

/// Keywords that no type can say, and that do not speak of objects alone.
const OF_VALUES: [&str; 7] =
    ["if", "then", "else", "contains", "minContains", "maxContains", "unevaluatedItems"];

/// The keywords of a schema that no type can say, with their locations.
pub(super) fn unsayable(schema: &SchemaObject) -> Vec<(String, Location)> {
    let not = schema.not.iter().map(|not| ("not".to_owned(), not.location.clone()));
    schema.unmodelled.iter().cloned().chain(not).collect()
}

/// Tells whether a schema of values leaves some out. A format does not.
pub(super) fn restricts(schema: &SchemaObject) -> bool {
    !schema.types.is_empty()
        || schema.boolean == Some(false)
        || schema.constant.is_some()
        || schema.enumeration.is_some()
        || schema.has_bounds()
}

/// The schema of what fits both. Its formats are the first's, where it has some. Gives the keywords
/// that cannot both be kept, too: then it takes more than fits both.
pub(super) fn meet(one: &SchemaObject, other: &SchemaObject) -> (SchemaObject, Vec<&'static str>) {
    let mut wider = Vec::new();
    let mut first = |keyword: &'static str, one: &Option<String>, other: &Option<String>| {
        let differ = one.is_some() && other.is_some() && one != other;
        wider.extend(differ.then_some(keyword));
        one.clone().or_else(|| other.clone())
    };
    let pattern = first("pattern", &one.pattern, &other.pattern);
    let format = first("format", &one.format, &other.format);
    let encoding = first("contentEncoding", &one.encoding, &other.encoding);
    let (prefix, items) = meet_items(one, other, &mut wider);
    let multiple_of = common_step(one.multiple_of.as_ref(), other.multiple_of.as_ref());
    if multiple_of.is_none() && one.multiple_of.is_some() {
        wider.push("multipleOf");
    }
    let types = common_types(&one.types, &other.types);
    let mut both = SchemaObject {
        boolean: if types.is_none() { Some(false) } else { one.boolean.or(other.boolean) },
        types: types.unwrap_or_default(),
        prefix,
        items,
        pattern,
        format,
        encoding,
        bounds: common_bounds(&one.bounds, &other.bounds).into(),
        min_length: one.min_length.max(other.min_length),
        max_length: least(one.max_length, other.max_length),
        min_items: one.min_items.max(other.min_items),
        max_items: least(one.max_items, other.max_items),
        unique_items: one.unique_items || other.unique_items,
        multiple_of: multiple_of.or_else(|| one.multiple_of.clone()),
        ..constraints(one)
    };
    both.constant = one.constant.clone().or_else(|| other.constant.clone());
    both.enumeration = match (&one.enumeration, &other.enumeration) {
        (Some(values), Some(others)) => {
            let is_common = |value: &Value| others.iter().any(|(other, _)| is_equal(value, other));
            Some(values.iter().filter(|(value, _)| is_common(value)).cloned().collect())
        }
        (values, others) => values.clone().or_else(|| others.clone()),
    };
    let is_other =
        |value: &Value| both.constant.as_ref().is_some_and(|constant| !is_equal(constant, value));
    if other.constant.as_ref().is_some_and(is_other) {
        both.boolean = Some(false);
    }
    drop_irrelevant(&mut both);
    keep_possible(&mut both);
    if both.constant.is_some() || both.enumeration.is_some() {
        // What else is said has been asked of the values.
        let SchemaObject { constant, enumeration, location, pattern, .. } = both;
        wider.extend(pattern.map(|_| "pattern"));
        both = SchemaObject { location, constant, enumeration, ..SchemaObject::default() };
        keep_possible(&mut both);
    }
    (both, wider)
}

/// The schemas of the items that fit both, by their places and of the others. Adds the keywords that
/// cannot both be kept.
fn meet_items(
    one: &SchemaObject,
    other: &SchemaObject,
    wider: &mut Vec<&'static str>,
) -> (Vec<SchemaObject>, Option<Box<SchemaObject>>) {
    let mut both = |keyword, one: Option<&SchemaObject>, other: Option<&SchemaObject>| {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other).cloned() };
        if one == other || one.boolean == Some(false) {
            return Some(one.clone());
        }
        if other.boolean == Some(false) {
            return Some(other.clone());
        }
        let mut both = one.clone();
        if is_of_values(one) && is_of_values(other) {
            let (items, more) = meet(&constraints(one), &constraints(other));
            wider.extend(more);
            constrain(&mut both, items);
        } else {
            wider.push(keyword);
        }
        Some(both)
    };
    let places = 0..one.prefix.len().max(other.prefix.len());
    let prefix = places.filter_map(|at| {
        let [one, other] = [one, other].map(|it| it.prefix.get(at).or(it.items.as_deref()));
        both("prefixItems", one, other)
    });
    let mut prefix: Vec<SchemaObject> = prefix.collect();
    let mut items = both("items", one.items.as_deref(), other.items.as_deref());
    if let Some(end) = prefix.iter().position(|it| it.boolean == Some(false)) {
        // No item can stand there, nor behind it.
        items = prefix.get(end).cloned();
        prefix.truncate(end);
    }
    (prefix, items.map(Box::new))
}

/// Leaves out keywords that speak of types which are not allowed.
fn drop_irrelevant(schema: &mut SchemaObject) {
    let allows = |ty| schema.types.is_empty() || schema.types.contains(&ty);
    let (texts, arrays) = (allows(JsonType::String), allows(JsonType::Array));
    let numbers = allows(JsonType::Number) || allows(JsonType::Integer);
    if !texts {
        (schema.min_length, schema.max_length) = (None, None);
        (schema.pattern, schema.encoding) = (None, None);
    }
    if !numbers {
        schema.bounds = Bounds::default().into();
        schema.multiple_of = None;
    }
    if !arrays {
        (schema.min_items, schema.max_items, schema.items) = (None, None, None);
        schema.prefix.clear();
        schema.unique_items = false;
    }
}

/// Leaves out values and types that another keyword beside them keeps out.
pub(super) fn keep_possible(schema: &mut SchemaObject) {
    if schema.types.contains(&JsonType::Number) {
        schema.types.shift_remove(&JsonType::Integer);
    }
    take_for_integers(schema);
    let rest = SchemaObject { enumeration: None, ..constraints(schema) };
    if let Some(values) = &mut schema.enumeration {
        let fitting: Vec<_> =
            values.iter().filter(|(value, _)| fits(value, &rest)).cloned().collect();
        if fitting.is_empty() {
            schema.boolean = Some(false);
        } else {
            *values = fitting;
        }
    }
    let rest = SchemaObject { constant: None, enumeration: None, ..rest };
    if schema.constant.as_ref().is_some_and(|value| !fits(value, &rest)) {
        schema.boolean = Some(false);
    }
    if schema.boolean == Some(false) {
        let (boolean, denied) = (Some(false), schema.denied);
        constrain(schema, SchemaObject { boolean, denied, ..SchemaObject::default() });
        return;
    }
    let listed = schema.enumeration.iter().flatten().map(|(value, _)| value);
    let is_listed = schema.enumeration.is_some() || schema.constant.is_some();
    let has_null = listed.chain(&schema.constant).any(Value::is_null);
    if is_listed && !has_null && schema.types.len() > 1 {
        schema.types.shift_remove(&JsonType::Null);
    }
    // Values of several types are a union, which has to know that `null` is one of them.
    let values = || schema.enumeration.iter().flatten().map(|(value, _)| value);
    let is_plain = values().all(|it| it.is_null() || it.is_string())
        || values().all(|it| it.is_null() || it.is_i64());
    if schema.types.is_empty() && !is_plain && values().any(Value::is_null) {
        schema.types = values().map(|value| Kind::from_value(value).into()).collect();
    }
}

/// The types that both allow: none if there are none. An empty set allows all.
pub(in crate::schema) fn common_types(
    one: &IndexSet<JsonType>,
    other: &IndexSet<JsonType>,
) -> Option<IndexSet<JsonType>> {
    if one.is_empty() || other.is_empty() {
        return Some(if one.is_empty() { other.clone() } else { one.clone() });
    }
    let allows = |types: &IndexSet<JsonType>, ty: JsonType| {
        types.contains(&ty) || ty == JsonType::Integer && types.contains(&JsonType::Number)
    };
    let common =
        one.iter().chain(other).copied().filter(|ty| allows(one, *ty) && allows(other, *ty));
    let common: IndexSet<JsonType> = common.collect();
    (!common.is_empty()).then_some(common)
}

fn common_bounds(one: &Bounds, other: &Bounds) -> Bounds {
    let lower = |of: fn(&Bounds) -> Option<&Number>| larger(of(one), of(other));
    let upper = |of: fn(&Bounds) -> Option<&Number>| smaller(of(one), of(other));
    Bounds {
        minimum: lower(|it| it.minimum.as_ref()),
        maximum: upper(|it| it.maximum.as_ref()),
        exclusive_minimum: lower(|it| it.exclusive_minimum.as_ref()),
        exclusive_maximum: upper(|it| it.exclusive_maximum.as_ref()),
    }
}

/// The step that is a multiple of both, if it is one of the two. None, too, without any step.
fn common_step(one: Option<&Number>, other: Option<&Number>) -> Option<Number> {
    match (one, other) {
        (Some(one), Some(other)) if is_multiple(one, other) => Some(one.clone()),
        (Some(one), Some(other)) if is_multiple(other, one) => Some(other.clone()),
        (Some(_), Some(_)) => None,
        (one, other) => one.or(other).cloned(),
    }
}

fn larger(one: Option<&Number>, other: Option<&Number>) -> Option<Number> {
    one.into_iter().chain(other).max_by(|one, other| compare(one, other)).cloned()
}

fn smaller(one: Option<&Number>, other: Option<&Number>) -> Option<Number> {
    one.into_iter().chain(other).min_by(|one, other| compare(one, other)).cloned()
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}
