//! Values that generated code puts into fields, and how fields hold them.

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::Scope;
use crate::backend::rust::names;
use crate::ir::{EnumValue, Field, Presence, TypeDef, TypeKind};

/// How a field holds its value.
pub(super) enum Held {
    Plain,
    Nullable,
    Option,
    Patch,
}

pub(super) fn storage(field: &Field) -> Held {
    match (field.presence, &field.default) {
        (Presence::Optional, None) => Held::Option,
        (Presence::OptionalNullable, None) => Held::Patch,
        (Presence::RequiredNullable | Presence::OptionalNullable, _) => Held::Nullable,
        (Presence::Required | Presence::Optional, _) => Held::Plain,
    }
}

/// A string of the schema, as a field holds it.
pub(super) fn held(scope: &Scope<'_>, field: &Field, value: &str) -> Option<TokenStream> {
    let plain = if let Some((wire, TypeDef { kind: TypeKind::Enum(of), .. })) =
        scope.definition(&field.ty)
    {
        let found = of.values.iter().find(|it: &&EnumValue| it.value == value)?;
        let (ty, constant) = (scope.ident(wire), names::variant(&found.name));
        quote!(#ty::#constant)
    } else {
        quote!(#value.into())
    };
    Some(match storage(field) {
        Held::Plain => plain,
        Held::Nullable | Held::Option => quote!(Some(#plain)),
        Held::Patch => quote!(json::Patch::Value(#plain)),
    })
}

/// Tells whether a field holds its value, and not an `Option` or the like.
pub(crate) fn is_stored_bare(field: &Field) -> bool {
    matches!(storage(field), Held::Plain)
}
