//! Constraints that are more than types and bounds.

use super::{KeyRules, Protocol, Type, TypeKind};

impl Protocol {
    /// Tells whether decoders have to look at more than types and bounds: at steps of numbers,
    /// exclusive bounds, patterns, items that differ, or keys of objects.
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

    /// Tells whether decoders look at patterns.
    pub(crate) fn has_patterns(&self) -> bool {
        let of_keys =
            |keys: &KeyRules| keys.names.as_ref().is_some_and(|it| it.text.checks_pattern);
        self.types.values().any(|def| {
            let of_kind = match &def.kind {
                TypeKind::Record(record) => of_keys(&record.keys),
                TypeKind::Enum(of) => of.open.as_ref().is_some_and(|it| it.text.checks_pattern),
                _ => false,
            };
            of_kind || def.kind.parts(|_| true).into_iter().any(|(_, ty)| has_pattern(ty, &of_keys))
        })
    }

    /// Tells the same of a type, definitions that it names aside.
    pub(crate) fn has_keyword(&self, ty: &Type) -> bool {
        match ty {
            Type::Integer(integer) => integer.multiple_of.is_some(),
            Type::Number(number) => {
                number.above.is_some() || number.below.is_some() || number.multiple_of.is_some()
            }
            Type::String(string) => string.checks_pattern,
            Type::Array(array) => self.is_distinct(array) || self.has_keyword(&array.items),
            Type::Map(map) => !map.keys.is_empty() || self.has_keyword(&map.values),
            Type::Nullable { inner } => self.has_keyword(inner),
            Type::Any | Type::Null | Type::Boolean | Type::Literal { .. } | Type::Named { .. } => {
                false
            }
        }
    }
}

fn has_pattern(ty: &Type, of_keys: &impl Fn(&KeyRules) -> bool) -> bool {
    match ty {
        Type::String(string) => string.checks_pattern,
        Type::Array(array) => has_pattern(&array.items, of_keys),
        Type::Map(map) => of_keys(&map.keys) || has_pattern(&map.values, of_keys),
        Type::Nullable { inner } => has_pattern(inner, of_keys),
        _ => false,
    }
}
