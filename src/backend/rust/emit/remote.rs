//! How connections go over the network.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::backend::rust::data;
use crate::backend::rust::model::SideModel;
use crate::ir::Protocol;
use crate::sdk;

/// The condition of everything about connections over the network: a feature of the package.
pub(super) fn condition(protocol: &Protocol) -> TokenStream {
    if protocol.remote.is_some() {
        quote!(any(feature = "http-client", feature = "http-server", feature = "websocket"))
    } else {
        quote!(feature = "websocket")
    }
}

/// Emits the endpoint: the path and the names that both ends know.
pub(super) fn endpoint(protocol: &Protocol) -> TokenStream {
    let condition = condition(protocol);
    let module = format_ident!("remote");
    let rules = protocol.endpoint_rules().with_lower_case_headers();
    let constant = data::expression(&sdk::endpoint(&rules), &module);
    quote! {
        /// Where connections are made, and what tells them apart.
        #[cfg(#condition)]
        static ENDPOINT: remote::Endpoint = #constant;
    }
}

/// Emits the client and the server of a side, each where the side can be one.
pub(super) fn side(protocol: &Protocol, side: &SideModel<'_>) -> TokenStream {
    let names = &side.names;
    let (handler, service, connection) = (&names.handler, &names.service, &names.connection);
    let target = side.counterpart.as_ref().map(ToTokens::to_token_stream);
    let target = target.unwrap_or_else(|| quote!(connection::Peer));
    let condition = if protocol.remote.is_some() {
        quote!(any(feature = "http-client", feature = "websocket"))
    } else {
        quote!(feature = "websocket")
    };
    let client = side.is_client.then(|| {
        quote! {
            #[cfg(#condition)]
            remote::client! { #handler, #service, #connection, #target }
        }
    });
    let server = side.is_server.then(|| {
        quote! {
            #[cfg(feature = "http-server")]
            remote::server! { #handler, #service, #connection }
        }
    });
    quote!(#client #server)
}
