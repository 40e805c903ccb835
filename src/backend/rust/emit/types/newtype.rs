//! Structs that wrap one value.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::NewtypeModel;

/// A newtype. Only that of an array or a map shows what it wraps.
pub(super) fn newtype(ident: &Ident, newtype: &NewtypeModel) -> TokenStream {
    let NewtypeModel { inner, derives, implementation, arguments, wrapped } = newtype;
    let visibility = wrapped.as_ref().map(|_| quote!(pub));
    quote! {
        #[derive(#derives)]
        pub struct #ident(#visibility #inner);

        json::#implementation!(#ident #(, #arguments)*);
    }
}
