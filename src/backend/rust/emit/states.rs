//! What series of values make up.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::{CollectionModel, Model, StateModel};
use crate::backend::rust::source::Fragment;

/// The beginning of the module.
pub(super) fn head() -> TokenStream {
    quote! {
        //! What series of updates make up.

        use super::state::{self, Keyed};
        use super::types::*;
    }
}

/// The states.
pub(super) fn states<'a>(model: &'a Model<'_>) -> impl Iterator<Item = Fragment<'a>> {
    model.states.iter().map(|state| Fragment::new(state.wire, definition(state)))
}

fn definition(model: &StateModel<'_>) -> TokenStream {
    let StateModel { ident, union, tag, collections, .. } = model;
    let about = format!(" What values of [`{union}`] make up that are applied in their order.");
    let fields = collections.iter().map(|CollectionModel { ident, docs, item, key, .. }| {
        let ty = if key.is_some() { quote!(Keyed<#item>) } else { quote!(Option<#item>) };
        quote!(#docs pub #ident: #ty,)
    });
    let arms = collections.iter().flat_map(|collection| {
        let variants = collection.variants.iter();
        variants.map(move |(tag, merged)| arm(collection, tag, merged.as_deref()))
    });
    quote! {
        #[doc = #about]
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct #ident {
            #(#fields)*
        }

        impl #ident {
            /// Creates a state to which nothing was applied.
            pub fn new() -> Self {
                Self::default()
            }

            /// Applies an update. Says whether that changed anything.
            ///
            /// What a patch does not have stays, what is `null` in it goes, and anything else takes
            /// the place of what was there. A patch that makes up no item changes nothing.
            pub fn apply(&mut self, update: &#union) -> bool {
                let Some((tag, update)) = state::parts(update, #tag) else {
                    return false;
                };
                match tag.as_str() {
                    #(#arms)*
                    _ => false,
                }
            }
        }
    }
}

fn arm(collection: &CollectionModel<'_>, tag: &str, merged: Option<&[&str]>) -> TokenStream {
    let CollectionModel { ident, key, .. } = collection;
    let change = if let Some(merged) = merged {
        quote!(state::Change::Patch(update, &[#(#merged),*]))
    } else {
        quote!(state::Change::Replace(update))
    };
    let applied = if let Some(key) = key {
        quote!(self.#ident.apply(&[#(#key),*], #change))
    } else {
        quote!(#change.apply(&mut self.#ident))
    };
    quote!(#tag => #applied,)
}
