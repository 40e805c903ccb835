//! Properties, items, alternatives and definitions that no value fits.

use indexmap::{IndexMap, IndexSet};
use serde_json::Number;

use super::meet::common_types;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::schema::{Additional, Document, JsonType, SchemaObject};
use crate::source::Location;

/// The most objects in each other in which a property is looked for that no value fits.
const MAX_DEPTH: usize = 8;

/// Leaves out what no value fits, throughout a document, and says so where it was to be seen.
pub(super) fn drop_impossible(document: &mut Document, diagnostics: &mut Diagnostics) {
    for index in 0..document.definitions.len() {
        let Some((_, schema)) = document.definitions.get_index_mut(index) else { continue };
        let mut schema = std::mem::take(schema);
        Impossible { definitions: &document.definitions, diagnostics }.drop_within(&mut schema);
        if let Some((_, place)) = document.definitions.get_index_mut(index) {
            *place = schema;
        }
    }
    drop_unused(document, diagnostics);
}

/// Leaves out definitions that no value fits and nothing uses, unless there would be none left.
fn drop_unused(document: &mut Document, diagnostics: &mut Diagnostics) {
    let definitions = &document.definitions;
    let empty = Impossible { definitions, diagnostics };
    let is_empty = |(_, schema): &(&String, &SchemaObject)| {
        schema.annotations.method.is_none() && empty.is_impossible(schema)
    };
    let mut unused: IndexSet<String> =
        definitions.iter().filter(is_empty).map(|(name, _)| name.clone()).collect();
    if unused.is_empty() {
        return;
    }
    let kept = definitions.iter().filter(|(name, _)| !unused.contains(*name));
    let mut users: Vec<&SchemaObject> =
        kept.map(|(_, schema)| schema).chain([&document.root]).collect();
    while let Some(user) = users.pop() {
        if let Some(reference) = &user.reference
            && unused.shift_remove(&reference.name)
        {
            users.extend(definitions.get(&reference.name));
        }
        users.extend(user.properties.values().chain(user.narrowed.values()));
        users.extend(user.unnamed_parts());
    }
    if unused.len() == definitions.len() {
        return;
    }
    for name in unused {
        let Some(schema) = document.definitions.shift_remove(&name) else { continue };
        let message = format!("no value fits `{name}`, and nothing uses it: it is left out");
        let help = "correct what it says, or remove it";
        diagnostics
            .push(Diagnostic::warning("unsatisfiable", message).at(schema.location).help(help));
    }
}

/// Finds what no value fits.
struct Impossible<'a, 'd> {
    /// The definitions, but for the one in hand.
    definitions: &'a IndexMap<String, SchemaObject>,
    diagnostics: &'d mut Diagnostics,
}

impl Impossible<'_, '_> {
    fn drop_within(&mut self, schema: &mut SchemaObject) {
        schema.parts_mut().for_each(|part| self.drop_within(part));
        self.drop_properties(schema);
        self.drop_items(schema);
        let is_possible = |branch: &SchemaObject| !self.is_impossible(branch);
        for branches in [&mut schema.any_of, &mut schema.one_of] {
            if branches.iter().any(is_possible) {
                branches.retain(is_possible);
            }
            self.keep_one_null(branches);
        }
    }

    /// Leaves one of the alternatives that only `null` fits: the one that is no reference, if any.
    fn keep_one_null(&self, branches: &mut Vec<SchemaObject>) {
        let is_null: Vec<bool> =
            branches.iter().map(|branch| self.is_null_within(branch, MAX_DEPTH)).collect();
        let nulls = is_null.iter().enumerate().filter(|(_, it)| **it).map(|(index, _)| index);
        let is_plain = |index: &usize| branches.get(*index).is_some_and(SchemaObject::is_null);
        let Some(kept) = nulls.clone().find(is_plain).or_else(|| nulls.clone().next()) else {
            return;
        };
        let mut index = 0..;
        branches.retain(|_| {
            index.next().is_none_or(|index| index == kept || is_null.get(index) != Some(&true))
        });
    }

    fn is_null_within(&self, schema: &SchemaObject, depth: usize) -> bool {
        let target = schema.alias_target().and_then(|it| self.definitions.get(&it.name));
        let schema = target.unwrap_or(schema);
        let Some(depth) = depth.checked_sub(1) else { return false };
        let branches = schema.branches();
        schema.is_null()
            || !branches.is_empty() && branches.iter().all(|it| self.is_null_within(it, depth))
    }

    /// Leaves out the items from the first that no value fits.
    fn drop_items(&mut self, schema: &mut SchemaObject) {
        let items = schema.prefix.iter().chain(schema.items.as_deref());
        let found = items.enumerate().find(|(_, it)| !it.denied && self.is_impossible(it));
        let Some((index, item)) = found else { return };
        let location = item.location.clone();
        schema.prefix.truncate(index);
        schema.items = None;
        schema.max_items = schema.max_items.into_iter().chain(u64::try_from(index)).min();
        let what = match index {
            0 => String::from("the items"),
            _ => format!("the items after the first {index}"),
        };
        self.tell(&what, location);
    }

    /// Makes properties that no value fits ones that must not be there, and says so. One that is
    /// required is left, for the error about it.
    fn drop_properties(&mut self, schema: &mut SchemaObject) {
        let SchemaObject { properties, narrowed, required, additional, .. } = schema;
        for (name, property) in
            properties.iter_mut().chain(narrowed.get_mut().into_iter().flatten())
        {
            let is_optional = !property.denied && !required.contains(name);
            if is_optional && self.is_impossible(property) {
                let location = std::mem::take(&mut property.location);
                self.tell(&format!("`{name}`"), location.clone());
                *property = denied();
                property.location = location;
            }
        }
        if let Additional::Schema(values) = additional
            && !values.denied
            && self.is_impossible(values)
        {
            self.tell("any other property", values.location.clone());
            *additional = Additional::Denied;
        }
    }

    fn tell(&mut self, what: &str, location: Location) {
        let message = format!("no value fits {what}, so there must be none");
        let help = "correct what it says, or remove it";
        self.diagnostics
            .push(Diagnostic::warning("unsatisfiable", message).at(location).help(help));
    }

    fn is_impossible(&self, schema: &SchemaObject) -> bool {
        self.is_impossible_within(schema, MAX_DEPTH)
    }

    fn is_impossible_within(&self, schema: &SchemaObject, depth: usize) -> bool {
        let target = schema.alias_target().and_then(|it| self.definitions.get(&it.name));
        let schema = target.unwrap_or(schema);
        let Some(depth) = depth.checked_sub(1) else { return false };
        let is_needed = |(name, property): &(&String, &SchemaObject)| {
            schema.required.contains(*name) && self.is_impossible_within(property, depth)
        };
        let all_are = |branches: &[SchemaObject]| {
            !branches.is_empty() && branches.iter().all(|it| self.is_impossible_within(it, depth))
        };
        schema.boolean == Some(false)
            || has_empty_range(schema)
            || schema.is_object() && schema.properties.iter().any(|it| is_needed(&it))
            || schema.min_items > Some(0)
                && schema
                    .prefix
                    .iter()
                    .chain(schema.items.as_deref())
                    .next()
                    .is_some_and(|it| self.is_impossible_within(it, depth))
            || all_are(&schema.any_of)
            || all_are(&schema.one_of)
    }
}

/// A schema that fits no value, as `false` does.
fn denied() -> SchemaObject {
    SchemaObject { boolean: Some(false), denied: true, ..SchemaObject::default() }
}

/// Tells whether the bounds of the only type of a schema leave nothing.
fn has_empty_range(schema: &SchemaObject) -> bool {
    let is_empty =
        |low: Option<u64>, high: Option<u64>| low.zip(high).is_some_and(|(low, high)| low > high);
    let mut types = schema.types.iter();
    match (types.next(), types.next()) {
        (Some(JsonType::String), None) => is_empty(schema.min_length, schema.max_length),
        (Some(JsonType::Array), None) => is_empty(schema.min_items, schema.max_items),
        (Some(JsonType::Object), None) => {
            is_empty(schema.keys.min_properties, schema.keys.max_properties)
        }
        (Some(JsonType::Integer | JsonType::Number), None) => {
            let bounds = &schema.bounds;
            let of = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
            let (low, above) = (of(&bounds.minimum), of(&bounds.exclusive_minimum));
            let (high, below) = (of(&bounds.maximum), of(&bounds.exclusive_maximum));
            let is_crossed = |low: Option<f64>, high: Option<f64>| {
                low.zip(high).is_some_and(|(low, high)| low >= high)
            };
            low.zip(high).is_some_and(|(low, high)| low > high)
                || is_crossed(above, high)
                || is_crossed(low, below)
                || is_crossed(above, below)
        }
        _ => false,
    }
}

/// Says of alternatives of an object that they are objects, where they neither say a type nor name
/// properties.
pub(super) fn type_branches(schema: &mut SchemaObject) {
    if !schema.is_object() {
        return;
    }
    for branch in schema.any_of.iter_mut().chain(&mut schema.one_of) {
        let names_none = branch.properties.is_empty() && branch.required.is_empty();
        let is_plain = branch.reference.is_none() && branch.all_of.is_empty();
        if branch.types.is_empty() && branch.boolean != Some(false) && names_none && is_plain {
            branch.types.insert(JsonType::Object);
            branch.boolean = None;
        }
    }
}

/// Leaves out alternatives that no value fits.
pub(super) fn drop_impossible_branches(schema: &mut SchemaObject) {
    let had_some = !schema.branches().is_empty();
    let types = schema.types.clone();
    let is_possible = |branch: &SchemaObject| {
        branch.boolean != Some(false) && common_types(&types, &branch.types).is_some()
    };
    let is_lost =
        |branches: &[SchemaObject]| !branches.is_empty() && !branches.iter().any(is_possible);
    if is_lost(&schema.any_of) || is_lost(&schema.one_of) {
        schema.boolean = Some(false);
        return;
    }
    if had_some {
        schema.any_of.retain(is_possible);
        schema.one_of.retain(is_possible);
    }
}
