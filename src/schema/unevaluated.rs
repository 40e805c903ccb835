//! `unevaluatedProperties` beside conditions: what these say of properties counts, too.

use std::collections::HashSet;

use super::{Additional, Document, SchemaObject};

/// The keywords that say of properties what depends on the value.
const CONDITIONS: [&str; 4] = ["then", "else", "if", "dependentSchemas"];

/// Lets `unevaluatedProperties` go where conditions may name further properties. It is among what
/// cannot be modelled, so that it is said to be.
pub(super) fn allow_conditional(document: &mut Document) {
    let Document { root, definitions } = document;
    let mut conditional: HashSet<String> = HashSet::new();
    let mut left: Vec<&String> = definitions.keys().collect();
    loop {
        let before = left.len();
        // What leads from the first to the last is found at once, and so is the other way round.
        left.reverse();
        left.retain(|name| {
            let is_found = definitions.get(*name).is_some_and(|it| has_condition(it, &conditional));
            if is_found {
                conditional.insert((*name).clone());
            }
            !is_found
        });
        if left.len() == before {
            break;
        }
    }
    for schema in definitions.values_mut().chain([root]) {
        allow_within(schema, &conditional);
    }
}

fn allow_within(schema: &mut SchemaObject, conditional: &HashSet<String>) {
    schema.parts_mut().for_each(|part| allow_within(part, conditional));
    let is_asked = matches!(schema.additional, Additional::Denied | Additional::Schema(_));
    if schema.unevaluated && is_asked && has_condition(schema, conditional) {
        (schema.additional, schema.unevaluated) = (Additional::Unspecified, false);
        let keyword = String::from("unevaluatedProperties");
        schema.unmodelled.push((keyword, schema.location.clone()));
    }
}

/// Tells whether a condition stands at the place of a schema.
fn has_condition(schema: &SchemaObject, conditional: &HashSet<String>) -> bool {
    schema.unmodelled.iter().any(|(keyword, _)| CONDITIONS.contains(&keyword.as_str()))
        || schema.reference.as_ref().is_some_and(|it| conditional.contains(&it.name))
        || [&schema.all_of, &schema.any_of, &schema.one_of]
            .into_iter()
            .flatten()
            .any(|part| has_condition(part, conditional))
}
