//! Typed wrappers for catalogue entries.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::Scope;
use crate::backend::rust::names::{self, SideNames};
use crate::ir::{Catalogue, CatalogueEntry, Method, Presence, Type, TypeKind};

/// The type that calls the entries, and how it calls. `None` if there is no catalogue.
pub(super) fn catalogue(scope: &Scope<'_>) -> Option<TokenStream> {
    let catalogue = scope.protocol.catalogue.as_ref()?;
    let (method, side) = scope.protocol.catalogue_method(catalogue)?;
    let peer = SideNames::new(&side.name).peer;
    let call = call(scope, catalogue, method, &peer)?;
    let entries = catalogue.entries.iter().map(|it| entry(scope, it));
    Some(quote! {
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
    })
}

fn entry(scope: &Scope<'_>, entry: &CatalogueEntry) -> TokenStream {
    let (ident, name) = (names::catalogue_call(&entry.name), &entry.name.wire);
    let (input, output) = (scope.ident(&entry.input), scope.ident(&entry.output));
    let errors = "# Errors\n\nThe call fails, or what comes out is not of its type.";
    let about = DocComment::new(&entry.docs, scope.options).before(DocComment::trusted(errors));
    quote! {
        #about
        pub async fn #ident(&self, input: &types::#input) -> Result<types::#output, CallError> {
            let name = #name;
            call(&self.peer, name, input).await
        }
    }
}

fn call(
    scope: &Scope<'_>,
    catalogue: &Catalogue,
    method: &Method,
    peer: &Ident,
) -> Option<TokenStream> {
    let Type::Named { name } = scope.protocol.resolve(method.params()) else { return None };
    let TypeKind::Record(record) = &scope.protocol.type_def(name)?.kind else { return None };
    let first = record.fields.iter().find(|field| field.presence == Presence::Required)?;
    let arguments = if first.name.wire == catalogue.input_in {
        quote!(input, name)
    } else {
        quote!(name, input)
    };
    let output = scope.protocol.field(method.result()?, &catalogue.output_in)?;
    let (params, output) = (scope.ident(name), names::value(&output.name));
    let method = names::function(method.function());
    Some(quote! {
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
    })
}
