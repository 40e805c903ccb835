//! What a schema is called and described by, apart from what it says of values.

use super::SchemaObject;

/// A schema that says nothing, named and described as another is.
pub(super) fn described_as(schema: &SchemaObject) -> SchemaObject {
    SchemaObject {
        location: schema.location.clone(),
        title: schema.title.clone(),
        docs: schema.docs.clone(),
        annotations: schema.annotations.clone(),
        ..SchemaObject::default()
    }
}

/// Puts the constraints of another schema in the place of a schema's own.
pub(super) fn constrain(schema: &mut SchemaObject, by: SchemaObject) {
    *schema = SchemaObject {
        location: std::mem::take(&mut schema.location),
        title: schema.title.take(),
        docs: std::mem::take(&mut schema.docs),
        default: schema.default.take(),
        examples: std::mem::take(&mut schema.examples),
        annotations: std::mem::take(&mut schema.annotations),
        left_out: std::mem::take(&mut schema.left_out).into_iter().chain(by.left_out).collect(),
        ..by
    };
}

/// Tells whether a schema says nothing but its types and what is added.
pub(super) fn has_only(schema: &SchemaObject, add: impl FnOnce(&mut SchemaObject)) -> bool {
    let mut only = SchemaObject { types: schema.types.clone(), ..described_as(schema) };
    add(&mut only);
    only == *schema
}
