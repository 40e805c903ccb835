//! Which types a type mentions.

use acp_bindgen::ir::{Field, Type, TypeDef, TypeKind};

/// The named types that a definition refers to, each with what mentions it: a field, a variant's
/// tag, or nothing for the target of an alias. In the order of the schema.
pub(super) fn references(def: &TypeDef) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    match &def.kind {
        TypeKind::Record(record) => of_fields(&record.fields, &mut found),
        TypeKind::Union(union) => {
            of_fields(&union.shared, &mut found);
            for variant in &union.variants {
                let payload = variant.payload.iter().filter_map(named);
                found.extend(payload.map(|name| (variant.name.wire.as_str(), name)));
            }
            if let Some(open) = &union.open {
                let payload = open.payload.iter().filter_map(named);
                found.extend(payload.map(|name| (open.name.wire.as_str(), name)));
            }
        }
        TypeKind::Enum(_) => {}
        TypeKind::Alias { target } => found.extend(named(target).map(|name| ("", name))),
    }
    found
}

/// The named type within a type expression; there is never more than one.
pub(super) fn named(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Array(array) => named(&array.items),
        Type::Map(map) => named(&map.values),
        Type::Nullable { inner } => named(inner),
        Type::Any
        | Type::Null
        | Type::Boolean
        | Type::Integer(_)
        | Type::Number(_)
        | Type::String(_)
        | Type::Literal { .. } => None,
    }
}

fn of_fields<'a>(fields: &'a [Field], found: &mut Vec<(&'a str, &'a str)>) {
    for field in fields {
        found.extend(named(&field.ty).map(|name| (field.name.wire.as_str(), name)));
    }
}
