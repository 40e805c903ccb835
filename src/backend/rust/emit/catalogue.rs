//! Typed wrappers for catalogue entries.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::{CatalogueModel, EntryModel};

/// The type that calls the entries, and how it calls.
pub(super) fn catalogue(model: &CatalogueModel) -> TokenStream {
    let peer = &model.peer;
    let entries = model.entries.iter().map(entry);
    let call = call(model);
    quote! {
        //! Typed calls of catalogue entries.

        use super::connection::CallError;
        use super::connections::#peer;
        use super::json;
        use super::types;

        /// Calls catalogue entries, each with types of its own.
        #[derive(Clone, Debug)]
        pub struct Catalogue {
            peer: #peer,
        }

        impl Catalogue {
            /// Calls the entries at the other end of a connection.
            pub fn new(peer: #peer) -> Self {
                Self { peer }
            }

            #(#entries)*
        }

        #call
    }
}

fn entry(entry: &EntryModel) -> TokenStream {
    let EntryModel { ident, name, docs, input, output } = entry;
    let errors = "\n# Errors\n\nThe call fails, or what comes out is not of its type.";
    let about = docs.clone().before(crate::backend::rust::docs::DocComment::trusted(errors.trim()));
    quote! {
        #about
        pub async fn #ident(&self, input: &types::#input) -> Result<types::#output, CallError> {
            let name = #name;
            call(&self.peer, name, input).await
        }
    }
}

fn call(model: &CatalogueModel) -> TokenStream {
    let CatalogueModel { peer, method, params, input_first, output, .. } = model;
    let arguments = if *input_first { quote!(input, name) } else { quote!(name, input) };
    quote! {
        async fn call<I: serde::Serialize, O: json::Decode>(
            peer: &#peer,
            name: &str,
            input: &I,
        ) -> Result<O, CallError> {
            let input = serde_json::to_value(input);
            let input = input.map_err(|error| CallError::Params(error.to_string()))?;
            let answer = peer.#method(types::#params::new(#arguments)).await?;
            let output = answer.#output.to_string();
            json::decode(&output).map_err(|error| CallError::Malformed(error.to_string()))
        }
    }
}
