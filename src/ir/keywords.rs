//! Constraints that are more than types and bounds.

use super::{Protocol, Type, TypeKind};

impl Protocol {
    /// Tells whether decoders have to look at more than types and bounds: at steps of numbers,
    /// exclusive bounds, items that differ, or keys of objects.
    pub(crate) fn has_keywords(&self) -> bool {
        self.types.values().any(|def| {
            let mut parts = def.kind.parts(|_| true).into_iter();
            let looks_at_keys = match &def.kind {
                TypeKind::Record(record) => !record.keys.is_empty() || record.unknown.is_denied(),
                TypeKind::Enum(of) => of.is_bounded(),
                _ => false,
            };
            looks_at_keys || parts.any(|(_, ty)| self.has_keyword(ty))
        })
    }

    /// Tells the same of a type, definitions that it names aside.
    pub(crate) fn has_keyword(&self, ty: &Type) -> bool {
        match ty {
            Type::Integer(integer) => integer.multiple_of.is_some(),
            Type::Number(number) => {
                number.above.is_some() || number.below.is_some() || number.multiple_of.is_some()
            }
            Type::Array(array) => self.is_distinct(array) || self.has_keyword(&array.items),
            Type::Map(map) => !map.keys.is_empty() || self.has_keyword(&map.values),
            Type::Nullable { inner } => self.has_keyword(inner),
            Type::Any
            | Type::Null
            | Type::Boolean
            | Type::String(_)
            | Type::Literal { .. }
            | Type::Named { .. } => false,
        }
    }
}
