//! Emits the types of states: a state is made up by a series of a union's values.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::{
    CollectionModel, Model, StateModel, StateValueModel, StateVariantModel as VariantModel,
};
use crate::backend::rust::source::Fragment;
use crate::ir::{Series, StateChange, Status};

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
    let StateModel { ident, old, union, tag, collections, .. } = model;
    let old = old.iter().map(|(old, docs)| quote!(#docs pub type #old = #ident;));
    let about = format!(" What values of [`{union}`] make up that are applied in their order.");
    let fields = collections.iter().map(|CollectionModel { ident, docs, item, key, .. }| {
        let ty = if key.is_some() { quote!(Keyed<#item>) } else { quote!(Option<#item>) };
        quote!(#docs pub #ident: #ty,)
    });
    let arms = collections.iter().flat_map(|collection| {
        let variants = collection.variants.iter();
        variants.map(move |variant| arm(collection, variant))
    });
    let values = collections.iter().filter_map(|CollectionModel { ident: held, value, .. }| {
        let StateValueModel { ident, field, ty } = value.as_ref()?;
        let about = format!(" The `{field}` of `{held}`, if there is one.");
        Some(quote! {
            #[doc = #about]
            pub fn #ident(&self) -> Option<&#ty> {
                self.#held.as_ref().map(|held| &held.#field)
            }
        })
    });
    let ends = collections.iter().filter_map(|CollectionModel { ident, status, .. }| {
        let Status { property, open, cancelled, .. } = status.as_ref()?;
        Some(quote!(self.#ident.end(#property, &[#(#open),*], #cancelled)))
    });
    let ends = ends.reduce(|all, one| quote!(#all | #one)).map(|ends| {
        quote! {
            /// Takes note that a turn was cancelled: what was at work has ended. Says whether
            /// that changed anything.
            pub fn turn_cancelled(&mut self) -> bool {
                #ends
            }
        }
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

            #(#values)*

            #ends
        }

        #(#old)*
    }
}

fn arm(collection: &CollectionModel<'_>, variant: &VariantModel<'_>) -> TokenStream {
    let CollectionModel { ident, key: item_key, .. } = collection;
    let VariantModel { tag, key, change, merged } = variant;
    let change = match change {
        StateChange::Replace => quote!(state::Change::Replace(update)),
        StateChange::Patch => quote!(state::Change::Patch(update, &[#(#merged),*])),
        StateChange::Append { from, to, series } => {
            let item_key = item_key.unwrap_or_default();
            let series = match series {
                Series::List => quote!(List),
                Series::Text => quote!(Text),
                Series::Base64 => quote!(Base64),
            };
            let addition = quote!(state::Addition {
                key: &[#(#item_key),*],
                from: #from,
                to: &[#(#to),*],
                series: state::Series::#series,
            });
            quote!(state::Change::Append(update, #addition))
        }
        StateChange::Remove => {
            let removed = if item_key.is_some() {
                quote!(self.#ident.remove(&[#(#key),*], &update))
            } else {
                quote!(self.#ident.take().is_some())
            };
            return quote!(#tag => #removed,);
        }
    };
    let applied = if item_key.is_some() {
        quote!(self.#ident.apply(&[#(#key),*], #change))
    } else {
        quote!(#change.apply(&mut self.#ident))
    };
    quote!(#tag => #applied,)
}
