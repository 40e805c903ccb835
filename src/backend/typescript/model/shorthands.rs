//! Values of a union that are given as the one value of a variant: `"hi"` for a text.

use serde::Serialize;

use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{EnumBase, Field, Kind, Type, TypeKind, Union};

/// The function that takes a value of a union, or a variant's one value.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShorthandModel {
    pub(super) function: String,
    /// The type of the variant's value, and what `typeof` says of it.
    #[serde(rename = "type")]
    pub(super) ty: Expr,
    kind: &'static str,
    /// The constructor of the variant.
    constructor: String,
}

impl ShorthandModel {
    /// The shorthand of a union of this name.
    pub(super) fn new(scope: Scope<'_>, name: &str, union: &Union) -> Option<Self> {
        let shorthand = union.shorthand.as_ref()?;
        let mut variants = union.variants.iter();
        let variant = variants.find(|it| it.tag() == Some(shorthand.variant.as_str()))?;
        let mut fields = scope.protocol.fields(variant.payload.as_ref()?).iter();
        let field = fields.find(|field| field.name.wire == shorthand.field)?;
        Some(Self {
            function: names::shorthand(name),
            ty: scope.field_type(field),
            kind: kind(scope, field)?,
            constructor: names::constructor(&variant.name),
        })
    }

    /// The shorthand of a type, if it is a union that has one.
    pub(super) fn for_type(scope: Scope<'_>, ty: &Type) -> Option<Self> {
        let Type::Named { name } = scope.protocol.resolve(ty) else { return None };
        match &scope.protocol.type_def(name)?.kind {
            TypeKind::Union(union) => Self::new(scope, scope.names.name(name), union),
            _ => None,
        }
    }

    /// The shorthand of a field, and whether it is for the items of an array.
    pub(super) fn of_field(scope: Scope<'_>, field: &Field) -> Option<(Self, bool)> {
        if field.presence.is_nullable() {
            return None;
        }
        match scope.protocol.resolve(&field.ty) {
            Type::Array(array) => Some((Self::for_type(scope, &array.items)?, true)),
            ty => Some((Self::for_type(scope, ty)?, false)),
        }
    }
}

/// The word that `typeof` gives for the values of a field, if it is always the same.
fn kind(scope: Scope<'_>, field: &Field) -> Option<&'static str> {
    let resolved = scope.protocol.resolved(&field.ty);
    if resolved.nullable || field.presence.is_nullable() {
        return None;
    }
    match resolved.kind {
        Kind::String(_) => Some("string"),
        Kind::Integer(_) | Kind::Number(_) => Some("number"),
        Kind::Boolean => Some("boolean"),
        Kind::Enum(of) => match of.base {
            EnumBase::String => Some("string"),
            EnumBase::Integer(_) => Some("number"),
        },
        _ => None,
    }
}
