//! The table of all types, for programs that find one by its name.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::Model;

/// A macro that calls another with the names of all types, in the schema and in Rust.
pub(super) fn table(model: &Model<'_>) -> TokenStream {
    let names = model.types.iter().map(|ty| &ty.wire);
    let types = model.types.iter().map(|ty| &ty.ident);
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
