//! Alternatives that say no type, or that no value fits.

use super::meet::{common_types, keep_possible};
use crate::schema::{JsonType, SchemaObject};

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
    for branch in schema.any_of.iter_mut().chain(&mut schema.one_of) {
        if branch.types.len() > 1
            && let Some(common) = common_types(&types, &branch.types)
        {
            branch.types = common;
            keep_possible(branch);
        }
    }
    if had_some {
        schema.any_of.retain(is_possible);
        schema.one_of.retain(is_possible);
    }
}
