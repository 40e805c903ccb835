//! Unions of unions, and alternatives that say nothing beside others.

use super::meet::{is_of_values_beside, restricts};
use crate::schema::described::constrain;
use crate::schema::{JsonType, SchemaObject};

/// Makes one union of alternatives that are nothing but unions themselves, and leaves out types
/// that another alternative has as well. By now `oneOf` means the same as `anyOf`.
pub(super) fn join_unions(schema: &mut SchemaObject) {
    for branches in [&mut schema.any_of, &mut schema.one_of] {
        if branches.iter().any(|branch| !branch.branches().is_empty()) {
            let joined = std::mem::take(branches).into_iter().flat_map(inner);
            *branches = joined.collect();
        }
    }
    let before = schema.any_of.len();
    if before > 1 {
        drop_repeated(&mut schema.any_of);
    }
    let is_alone = schema.reference.is_none()
        && schema.all_of.is_empty()
        && schema.one_of.is_empty()
        && is_of_values_beside(schema)
        && !restricts(schema);
    if schema.any_of.len() == 1
        && before > 1
        && is_alone
        && let Some(only) = schema.any_of.pop()
    {
        constrain(schema, only);
    }
}

/// The alternatives of a union without a name, or the one that it is.
fn inner(mut branch: SchemaObject) -> Vec<SchemaObject> {
    let (any, one) = (std::mem::take(&mut branch.any_of), std::mem::take(&mut branch.one_of));
    let is_bare = is_bare(&branch, &SchemaObject::default());
    match (is_bare, any.is_empty(), one.is_empty()) {
        (true, false, true) => any,
        (true, true, false) => one,
        _ => vec![SchemaObject { any_of: any, one_of: one, ..branch }],
    }
}

/// Tells whether a schema says nothing but another does, wherever it stands.
fn is_bare(schema: &SchemaObject, other: &SchemaObject) -> bool {
    let location = schema.location.clone();
    *schema == SchemaObject { location, ..other.clone() }
}

/// Leaves out alternatives that are types which another alternative names, too.
fn drop_repeated(branches: &mut Vec<SchemaObject>) {
    let is_type = |branch: &SchemaObject| {
        let types = branch.types.clone();
        !types.is_empty() && is_bare(branch, &SchemaObject { types, ..SchemaObject::default() })
    };
    let bare: Vec<bool> = branches.iter().map(is_type).collect();
    let allows = |branch: &SchemaObject, ty: JsonType| {
        branch.types.contains(&ty)
            || ty == JsonType::Integer && branch.types.contains(&JsonType::Number)
    };
    let is_part =
        |one: &SchemaObject, other: &SchemaObject| one.types.iter().all(|ty| allows(other, *ty));
    let is_repeated = |at: usize| {
        let others = branches.iter().zip(&bare).enumerate().filter(|(place, _)| *place != at);
        let mut wider =
            others.filter(|(_, (other, is_bare))| **is_bare && is_part(&branches[at], other));
        bare[at] && wider.any(|(place, (other, _))| place < at || !is_part(other, &branches[at]))
    };
    let repeated: Vec<bool> = (0..branches.len()).map(is_repeated).collect();
    let mut repeated = repeated.into_iter();
    branches.retain(|_| !repeated.next().unwrap_or_default());
}
