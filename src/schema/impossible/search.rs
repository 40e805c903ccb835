//! Schemas that no value fits, as far as that is seen at once.

use std::cell::Cell;

use indexmap::{IndexMap, IndexSet};
use serde_json::Number;

use crate::schema::intersect::common_types;
use crate::schema::{JsonType, SchemaObject};

/// The most schemas in each other that are looked at.
const MAX_DEPTH: usize = 8;

/// The most schemas that are looked at for one.
const MAX_STEPS: usize = 200;

/// The most schemas that make up one.
const MAX_MERGED: usize = 32;

/// Tells whether no value fits a schema. `false` where that takes long to tell.
pub(super) fn is_impossible(
    schema: &SchemaObject,
    definitions: &IndexMap<String, SchemaObject>,
) -> bool {
    Search { definitions, steps: Cell::new(0) }.is_impossible(schema, MAX_DEPTH)
}

/// The types of a schema of which values fit it: those that it names, or all.
pub(super) fn possible_types(
    schema: &SchemaObject,
    definitions: &IndexMap<String, SchemaObject>,
) -> IndexSet<JsonType> {
    let search = Search { definitions, steps: Cell::new(0) };
    let all = search.all_of(schema);
    let all_types = || JsonType::ALL.into_iter().collect();
    let named = if schema.types.is_empty() { all_types() } else { schema.types.clone() };
    named.into_iter().filter(|ty| !search.is_empty(*ty, &all, MAX_DEPTH)).collect()
}

struct Search<'a> {
    definitions: &'a IndexMap<String, SchemaObject>,
    steps: Cell<usize>,
}

impl<'a> Search<'a> {
    fn is_impossible(&self, schema: &'a SchemaObject, depth: usize) -> bool {
        self.steps.set(self.steps.get() + 1);
        let Some(depth) = depth.checked_sub(1).filter(|_| self.steps.get() < MAX_STEPS) else {
            return false;
        };
        let all = self.all_of(schema);
        let types =
            all.iter().try_fold(IndexSet::new(), |types, it| common_types(&types, &it.types));
        let Some(types) = types else { return true };
        let no_branch = |branches: &'a [SchemaObject]| {
            !branches.is_empty() && branches.iter().all(|it| self.is_impossible(it, depth))
        };
        all.iter().any(|it| it.boolean == Some(false))
            || !types.is_empty() && types.iter().all(|ty| self.is_empty(*ty, &all, depth))
            || all.iter().any(|it| no_branch(&it.any_of) || no_branch(&it.one_of))
    }

    /// The schemas all of which a value has to fit: one, what it refers to, and its members.
    fn all_of(&self, schema: &'a SchemaObject) -> Vec<&'a SchemaObject> {
        let (mut all, mut next) = (vec![schema], 0);
        while let Some(schema) = all.get(next)
            && all.len() < MAX_MERGED
        {
            next += 1;
            let target = schema.reference.as_ref().and_then(|it| self.definitions.get(&it.name));
            let target = target.filter(|it| !all.iter().any(|other| std::ptr::eq(*other, *it)));
            all.extend(target.into_iter().chain(&schema.all_of));
        }
        all
    }

    /// Tells whether what schemas say of a type leaves no value of it.
    fn is_empty(&self, ty: JsonType, all: &[&'a SchemaObject], depth: usize) -> bool {
        let most = |of: fn(&SchemaObject) -> Option<u64>| all.iter().filter_map(|it| of(it)).max();
        let least = |of: fn(&SchemaObject) -> Option<u64>| all.iter().filter_map(|it| of(it)).min();
        let is_crossed = |low: Option<u64>, high: Option<u64>| {
            low.zip(high).is_some_and(|(low, high)| low > high)
        };
        match ty {
            JsonType::String => is_crossed(most(|it| it.min_length), least(|it| it.max_length)),
            JsonType::Array => {
                let low = most(|it| it.min_items);
                let firsts = all.iter().filter_map(|it| it.prefix.first().or(it.items.as_deref()));
                is_crossed(low, least(|it| it.max_items))
                    || low > Some(0) && firsts.into_iter().any(|it| self.is_impossible(it, depth))
            }
            JsonType::Object => {
                is_crossed(most(|it| it.keys.min_properties), least(|it| it.keys.max_properties))
                    || self.lacks_property(all, depth)
            }
            JsonType::Integer | JsonType::Number => has_empty_range(all),
            JsonType::Null | JsonType::Boolean => false,
        }
    }

    /// Tells whether objects need a property that must not be there, or that no value fits.
    fn lacks_property(&self, all: &[&'a SchemaObject], depth: usize) -> bool {
        let required: IndexSet<&str> =
            all.iter().flat_map(|it| &it.required).map(String::as_str).collect();
        let is_needed = |(name, property): (&String, &'a SchemaObject)| {
            required.contains(name.as_str()) && self.is_impossible(property, depth)
        };
        let is_forbidden = |schema: &&&SchemaObject| {
            let not = schema.not.as_deref();
            let required_of = not.filter(|not| !not.required.is_empty() && is_only_required(not));
            required_of
                .is_some_and(|not| not.required.iter().all(|name| required.contains(name.as_str())))
        };
        !required.is_empty()
            && (all.iter().any(|it| is_forbidden(&it))
                || all.iter().any(|it| it.properties.iter().any(is_needed)))
    }
}

/// Tells whether a schema says nothing of objects but which properties they need.
fn is_only_required(schema: &SchemaObject) -> bool {
    let SchemaObject { types, required, location, .. } = schema;
    let is_typed = types.is_empty() || schema.is_object();
    let only = SchemaObject {
        types: types.clone(),
        required: required.clone(),
        location: location.clone(),
        ..SchemaObject::default()
    };
    is_typed && only == *schema
}

/// Tells whether the bounds of numbers leave none.
fn has_empty_range(all: &[&SchemaObject]) -> bool {
    let bounds = || all.iter().map(|it| &it.bounds);
    let of = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
    let lowest = |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::min);
    let highest = |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::max);
    let low = highest(&mut bounds().filter_map(|it| of(&it.minimum)));
    let above = highest(&mut bounds().filter_map(|it| of(&it.exclusive_minimum)));
    let high = lowest(&mut bounds().filter_map(|it| of(&it.maximum)));
    let below = lowest(&mut bounds().filter_map(|it| of(&it.exclusive_maximum)));
    let is_crossed =
        |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low >= high);
    low.zip(high).is_some_and(|(low, high)| low > high)
        || is_crossed(above, high)
        || is_crossed(low, below)
        || is_crossed(above, below)
}
