//! The table of all types, for programs that find one by its name.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::Scope;

/// A macro that calls another with the names of all types, in the schema and in Rust.
pub(super) fn table(scope: &Scope<'_>) -> TokenStream {
    let names = scope.protocol.types.keys();
    let types = scope.protocol.types.keys().map(|name| scope.ident(name));
    quote! {
        //! The table of all types.

        /// Calls a macro with all types: `"name in the schema" NameInRust,` for each.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! for_each_type {
            ($callback:ident) => {
                $callback! { #(#names #types,)* }
            };
        }
    }
}
