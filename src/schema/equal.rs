//! Ways to write the same: each is taken for the simplest of them.

use serde_json::{Number, Value};

use super::described::has_only;
use super::{Additional, JsonType, SchemaObject};
use crate::ir::JsonType as Kind;

/// A value with its whole numbers written as such: `1.0` is `1`.
pub(super) fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(plain_number(number)),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, plain(value))).collect()
        }
        other => other,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "it is whole and exact")]
fn plain_number(number: Number) -> Number {
    let exact = -9_007_199_254_740_992.0..=9_007_199_254_740_992.0;
    let whole = number.as_f64().filter(|it| number.is_f64() && it.fract() == 0.0);
    whole.filter(|it| exact.contains(it)).map_or(number, |it| Number::from(it as i64))
}

/// Takes numbers in whole steps for integers.
pub(super) fn take_for_integers(schema: &mut SchemaObject) {
    let step = schema.multiple_of.as_ref().and_then(Number::as_f64);
    let Some(step) = step.filter(|step| step.fract() == 0.0) else { return };
    let to_integer = |ty: &JsonType| match ty {
        JsonType::Number => JsonType::Integer,
        other => *other,
    };
    schema.types = schema.types.iter().map(to_integer).collect();
    if step <= 1.0 && schema.types.contains(&JsonType::Integer) {
        schema.multiple_of = None;
    }
}

/// Takes a schema that names every type, and says nothing else of values, for one of any value.
pub(super) fn forget_all_types(schema: &mut SchemaObject) {
    let names = |kind: Kind| schema.types.contains(&JsonType::from(kind));
    if Kind::EACH.into_iter().all(names) && has_only(schema, |_| {}) {
        schema.types.clear();
    }
}

/// Tells whether one of some alternatives says nothing, so that every value fits one.
fn fits_all(branches: &[SchemaObject]) -> bool {
    let is_empty = |it: &SchemaObject| {
        let (location, boolean) = (it.location.clone(), it.boolean.filter(|fits| *fits));
        *it == SchemaObject { location, boolean, ..SchemaObject::default() }
    };
    branches.iter().any(is_empty)
}

/// Takes a single alternative for a member of `allOf` where other alternatives stand beside it, or
/// keywords that leave values out. Beside properties, it is the first of a union.
pub(super) fn join_branches(schema: &mut SchemaObject) {
    let is_first = has_only(schema, |it| {
        it.any_of.clone_from(&schema.any_of);
        it.one_of.clone_from(&schema.one_of);
        it.properties.clone_from(&schema.properties);
        it.required.clone_from(&schema.required);
        it.additional.clone_from(&schema.additional);
        it.discriminator.clone_from(&schema.discriminator);
        it.default.clone_from(&schema.default);
        it.examples.clone_from(&schema.examples);
    });
    let is_closed = matches!(schema.additional, Additional::Denied | Additional::Schema(_));
    let is_first = is_first && (!is_closed || !schema.properties.is_empty());
    for branches in [&mut schema.any_of, &mut schema.one_of] {
        if branches.len() == 1 && fits_all(branches) {
            branches.clear();
        }
    }
    let is_any = fits_all(&schema.any_of);
    let SchemaObject { any_of, one_of, all_of, .. } = schema;
    if is_any && !one_of.is_empty() {
        any_of.clear();
    }
    if any_of.len() == 1 && (!one_of.is_empty() || !is_first) {
        all_of.append(any_of);
    }
    if one_of.len() == 1 && (!any_of.is_empty() || !is_first) {
        all_of.append(one_of);
    }
}

/// Tells whether a pattern matches every text, as those do that match an empty part of it.
pub(super) fn matches_all(pattern: &str) -> bool {
    let from_start = pattern.strip_prefix('^');
    let rest = from_start.unwrap_or(pattern);
    let to_end = rest.strip_suffix('$');
    let middle = to_end.unwrap_or(rest);
    // A dot matches no end of a line.
    let is_part = from_start.is_none() || to_end.is_none();
    middle == r"[\s\S]*" || is_part && ["", ".*"].contains(&middle)
}

/// Puts together what members of `allOf` require, where that is all they say.
pub(super) fn join_required(schema: &mut SchemaObject) {
    schema.all_of.iter_mut().for_each(join_required);
    let is_of_required = |member: &SchemaObject| {
        let only = SchemaObject {
            required: member.required.clone(),
            location: member.location.clone(),
            docs: member.docs.clone(),
            ..SchemaObject::default()
        };
        !member.required.is_empty() && *member == only
    };
    if schema.all_of.iter().all(is_of_required) {
        let members = std::mem::take(&mut schema.all_of);
        schema.required.extend(members.into_iter().flat_map(|member| member.required));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{matches_all, plain};

    #[test]
    fn whole_numbers_are_written_without_a_point() {
        let value = json!([1.0, -2.0, -0.0, 1.5, 1e300, { "a": [1e3] }, "1.0"]);
        assert_eq!(plain(value).to_string(), r#"[1,-2,0,1.5,1e+300,{"a":[1000]},"1.0"]"#);
    }

    #[test]
    fn some_patterns_match_all() {
        let all = ["", "^", "$", ".*", "^.*", ".*$", r"^[\s\S]*$"];
        assert!(all.into_iter().all(matches_all));
        assert!(!["^$", "^.*$", ".+", "a", "^a*", "\\$"].into_iter().any(matches_all));
    }
}
