//! Properties and alternatives that no value fits.

use serde_json::Number;

use super::Room;
use super::meet::common_types;
use crate::diagnostic::Diagnostic;
use crate::schema::{Additional, JsonType, SchemaObject};

/// The most objects in each other in which a property is looked for that no value fits.
const MAX_DEPTH: usize = 8;

impl Room<'_, '_> {
    /// Makes properties that no value fits ones that must not be there, and says so. One that is
    /// required is left, for the error about it.
    pub(super) fn deny_impossible(&mut self, schema: &mut SchemaObject) {
        let SchemaObject { properties, narrowed, required, additional, .. } = schema;
        let mut found = Vec::new();
        for (name, property) in
            properties.iter_mut().chain(narrowed.get_mut().into_iter().flatten())
        {
            let is_optional = !property.denied && !required.contains(name);
            if is_optional && self.is_impossible(property) {
                found.push((format!("`{name}`"), property.location.clone()));
                let location = std::mem::take(&mut property.location);
                *property = denied();
                property.location = location;
            }
        }
        let is_impossible = |values: &SchemaObject| !values.denied && self.is_impossible(values);
        if let Additional::Schema(values) = additional
            && is_impossible(values)
        {
            found.push(("any other property".to_owned(), values.location.clone()));
            *additional = Additional::Denied;
        }
        for (name, location) in found {
            let message = format!("no value fits {name}, so it must not be there");
            let help = "correct what it says, or remove the property";
            self.diagnostics
                .push(Diagnostic::warning("unsatisfiable", message).at(location).help(help));
        }
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
        schema.boolean == Some(false)
            || has_empty_range(schema)
            || schema.is_object() && schema.properties.iter().any(|it| is_needed(&it))
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
