//! The module of codecs: types to JSON and back.

mod record;
mod tuple;
mod union;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::{Helper, NewtypeModel, TypeModel, TypeModelKind};

/// The beginning of the module.
pub(super) fn head() -> TokenStream {
    quote! {
        //! How the types become JSON and come from it.

        use super::json::{self, Patch, UnknownVariant};
        use super::types::*;
    }
}

/// The codecs of a definition, if it has some of its own.
pub(super) fn codec(ty: &TypeModel<'_>) -> Option<TokenStream> {
    let TypeModel { ident, kind, .. } = ty;
    Some(match kind {
        TypeModelKind::Record(record) => record::codec(ident, record, None),
        TypeModelKind::Union(union) => union::codec(union),
        TypeModelKind::Composite(composite) => {
            let record = record::codec(ident, &composite.record, Some(&composite.field));
            let union = union::codec(&composite.union);
            quote!(#record #union)
        }
        TypeModelKind::Tuple(model) => tuple::codec(ident, model),
        TypeModelKind::Newtype(newtype) => wrapper(ident, newtype)?,
        TypeModelKind::Enum(_) | TypeModelKind::Alias { .. } => return None,
    })
}

/// Prints the decoder of a wrapped array or map.
fn wrapper(ident: &Ident, newtype: &NewtypeModel) -> Option<TokenStream> {
    let (decode, helpers) = newtype.wrapped.as_ref()?;
    let helpers = helpers.iter().map(helper);
    Some(quote! {
        impl json::Decode for #ident {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                #(#helpers)*
                #decode(reader).map(Self)
            }
        }
    })
}

/// A function that decodes part of a type.
fn helper(helper: &Helper) -> TokenStream {
    let Helper { ident, returns, callee, arguments } = helper;
    quote! {
        fn #ident(reader: &mut json::Reader<'_>) -> json::Result<#returns> {
            json::#callee(reader #(, #arguments)*)
        }
    }
}
