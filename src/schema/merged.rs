//! The schemas that a value of one place has to fit.

use indexmap::IndexMap;

use super::SchemaObject;

/// The most schemas that make up one.
const MAX_MERGED: usize = 32;

/// The schemas all of which a value has to fit: some, what they refer to, and their members.
pub(super) fn merged<'s>(
    schemas: &[&'s SchemaObject],
    definitions: &'s IndexMap<String, SchemaObject>,
) -> Vec<&'s SchemaObject> {
    let (mut all, mut next) = (schemas.to_vec(), 0);
    while let Some(schema) = all.get(next)
        && all.len() < MAX_MERGED
    {
        next += 1;
        let target = schema.reference.as_ref().and_then(|it| definitions.get(&it.name));
        let target = target.filter(|it| !all.iter().any(|other| std::ptr::eq(*other, *it)));
        let members = schema.all_of.iter();
        all.extend(target.into_iter().chain(members));
    }
    all
}
