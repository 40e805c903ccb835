//! How connections go over the network.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::backend::rust::model::SideModel;
use crate::ir::{Protocol, Remote, RemoteSession};

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
    let unknown = || {
        quote! {
            remote::Endpoint {
                path: "/",
                opens: None,
                connection: None,
                version: None,
                session: None,
            }
        }
    };
    let constant = protocol.remote.as_ref().map_or_else(unknown, |it| known(protocol, it));
    quote! {
        /// Where connections are made, and what tells them apart.
        #[cfg(#condition)]
        static ENDPOINT: remote::Endpoint = #constant;
    }
}

fn known(protocol: &Protocol, remote: &Remote) -> TokenStream {
    let Remote { path, opens, connection, version, session } = remote;
    let connection = connection.to_ascii_lowercase();
    let version = version.as_ref().map(|header| version_rule(protocol, header));
    let session = session.as_ref().map(session_rule);
    let (version, session) = (optional(version), optional(session));
    quote! {
        remote::Endpoint {
            path: #path,
            opens: Some(#opens),
            connection: Some(#connection),
            version: #version,
            session: #session,
        }
    }
}

fn version_rule(protocol: &Protocol, header: &str) -> TokenStream {
    let header = header.to_ascii_lowercase();
    let property = protocol.negotiation.as_ref().map(|it| it.result.wire.to_token_stream());
    let property = optional(property);
    let value = protocol.version.as_ref().map(|version| match version.as_str() {
        Some(text) => text.to_owned(),
        None => version.to_string(),
    });
    let value = value.unwrap_or_default();
    quote! { remote::Version { header: #header, property: #property, value: #value } }
}

fn session_rule(session: &RemoteSession) -> TokenStream {
    let RemoteSession { property, header, opened_by, reopened_by, closed_by } = session;
    let header = header.to_ascii_lowercase();
    quote! {
        remote::Sessions {
            property: #property,
            header: #header,
            opened_by: &[#(#opened_by),*],
            reopened_by: &[#(#reopened_by),*],
            closed_by: &[#(#closed_by),*],
        }
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

fn optional(tokens: Option<TokenStream>) -> TokenStream {
    tokens.map_or_else(|| quote!(None), |tokens| quote!(Some(#tokens)))
}
