//! The types: what a user of the package names, makes and reads.

mod enumeration;
mod newtype;
mod record;
mod union;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::Options;
use crate::backend::rust::model::{TypeModel, TypeModelKind};

/// The beginning of the module.
pub(super) fn head() -> TokenStream {
    quote! {
        //! The types of the protocol.

        use super::json::{self, Patch, UnknownVariant};
    }
}

/// The types of a definition.
pub(super) fn definition(ty: &TypeModel<'_>, options: &Options) -> TokenStream {
    let TypeModel { ident, docs, has_eq, kind, .. } = ty;
    let eq = has_eq.then(|| quote!(, Eq));
    let definition = match kind {
        TypeModelKind::Record(record) => record::record(ident, record, eq.as_ref()),
        TypeModelKind::Union(union) => union::union(union, eq.as_ref()),
        TypeModelKind::Composite(composite) => record::composite(ident, composite, eq.as_ref()),
        TypeModelKind::Enum(values) => enumeration::enumeration(ident, values, options),
        TypeModelKind::Tuple(tuple) => record::record(ident, &tuple.record, eq.as_ref()),
        TypeModelKind::Newtype(newtype) => newtype::newtype(ident, newtype),
        TypeModelKind::Alias { target } => quote!(pub type #ident = #target;),
    };
    quote!(#docs #definition)
}
