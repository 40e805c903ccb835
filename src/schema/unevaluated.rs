//! `unevaluatedProperties` beside what depends on the value: what that says of properties counts,
//! too.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{Additional, Document, SchemaObject};

/// The keywords that say of properties what depends on the value.
const CONDITIONS: [&str; 4] = ["then", "else", "if", "dependentSchemas"];

/// Lets `unevaluatedProperties` go where conditions, or alternatives with `additionalProperties`,
/// may allow further properties. It is among what cannot be modelled, so that it is said to be.
pub(super) fn allow_conditional(document: &mut Document) {
    let Document { root, definitions } = document;
    let open = found(definitions, allows_others);
    let conditional = found(definitions, |schema, found| has_condition(schema, found, &open));
    for schema in definitions.values_mut().chain([root]) {
        allow_within(schema, &conditional, &open);
    }
}

type Names = HashSet<String>;

/// The definitions of which something holds, which may depend on those of which it does.
fn found(
    definitions: &IndexMap<String, SchemaObject>,
    holds: impl Fn(&SchemaObject, &Names) -> bool,
) -> Names {
    let mut found = Names::new();
    let mut left: Vec<&String> = definitions.keys().collect();
    loop {
        let before = left.len();
        // What leads from the first to the last is found at once, and so is the other way round.
        left.reverse();
        left.retain(|name| {
            let is_found = definitions.get(*name).is_some_and(|it| holds(it, &found));
            if is_found {
                found.insert((*name).clone());
            }
            !is_found
        });
        if left.len() == before {
            return found;
        }
    }
}

fn allow_within(schema: &mut SchemaObject, conditional: &Names, open: &Names) {
    schema.parts_mut().for_each(|part| allow_within(part, conditional, open));
    let is_asked = matches!(schema.additional, Additional::Denied | Additional::Schema(_));
    if schema.unevaluated && is_asked && allows_others(schema, open) {
        // All properties are evaluated there.
        (schema.additional, schema.unevaluated) = (Additional::Unspecified, false);
        return;
    }
    if schema.unevaluated && is_asked && has_condition(schema, conditional, open) {
        (schema.additional, schema.unevaluated) = (Additional::Unspecified, false);
        let keyword = String::from("unevaluatedProperties");
        schema.unmodelled.push((keyword, schema.location.clone()));
    }
}

/// Tells whether a condition stands at the place of a schema.
fn has_condition(schema: &SchemaObject, conditional: &Names, open: &Names) -> bool {
    let branches = || schema.any_of.iter().chain(&schema.one_of);
    schema.unmodelled.iter().any(|(keyword, _)| CONDITIONS.contains(&keyword.as_str()))
        || schema.reference.as_ref().is_some_and(|it| conditional.contains(&it.name))
        || branches().any(|branch| allows_others(branch, open))
        || branches().chain(&schema.all_of).any(|part| has_condition(part, conditional, open))
}

/// Tells whether a schema says itself which other properties there may be. `open`: the definitions
/// that do.
fn allows_others(schema: &SchemaObject, open: &Names) -> bool {
    !schema.unevaluated && matches!(schema.additional, Additional::Allowed | Additional::Schema(_))
        || schema.reference.as_ref().is_some_and(|it| open.contains(&it.name))
        || schema.all_of.iter().any(|member| allows_others(member, open))
}
