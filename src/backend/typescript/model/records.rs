//! Objects with named fields.

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{Field, Record};

/// An object type.
#[derive(Debug, Serialize)]
pub(super) struct RecordModel {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    /// Its fields, in the schema's order. Any object if there is none.
    pub(super) fields: Vec<FieldModel>,
    /// True if it may have any other property. Where the schema knows the type of those, only the
    /// codec looks at them: TypeScript has no type for all but some properties.
    pub(super) is_indexed: bool,
}

/// A property of an object type.
#[derive(Debug, Serialize)]
pub(super) struct FieldModel {
    #[serde(skip)]
    pub(super) wire: String,
    pub(super) doc: Vec<String>,
    /// Its wire name, as a key.
    pub(super) key: String,
    pub(super) is_required: bool,
    /// Its type where it is there.
    #[serde(rename = "type")]
    pub(super) ty: Expr,
}

impl RecordModel {
    pub(super) fn new(scope: Scope<'_>, name: String, doc: Comment, record: &Record) -> Self {
        let is_indexed = is_indexed(scope, record);
        Self { name, doc: doc.block(0), fields: fields(scope, &record.fields), is_indexed }
    }
}

/// Tells whether an object type may have any other property.
pub(super) fn is_indexed(scope: Scope<'_>, record: &Record) -> bool {
    record.unknown.kept().map(|ty| scope.expression(ty)) == Some(Expr::UNKNOWN)
}

/// The properties for fields.
pub(super) fn fields(scope: Scope<'_>, fields: &[Field]) -> Vec<FieldModel> {
    let models = fields.iter().map(|field| FieldModel {
        wire: field.name.wire.clone(),
        doc: Comment::new(&field.docs, scope.docs).default_value(field.default.as_ref()).block(2),
        key: literals::key(&field.name.wire),
        is_required: field.presence.is_required(),
        ty: scope.field_type(field),
    });
    models.collect()
}
