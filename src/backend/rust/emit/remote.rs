//! How connections go over the network.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::backend::rust::model::SideModel;
use crate::ir::{Protocol, Remote, RemoteSession};

/// The condition of everything about connections over the network: a feature of the package.
pub(super) fn condition(protocol: &Protocol) -> TokenStream {
    match protocol.remote {
        Some(_) => {
            quote!(any(feature = "http-client", feature = "http-server", feature = "websocket"))
        }
        None => quote!(feature = "websocket"),
    }
}

/// The names that both ends know.
pub(super) fn endpoint(protocol: &Protocol) -> TokenStream {
    let condition = condition(protocol);
    let constant = match &protocol.remote {
        Some(remote) => known(protocol, remote),
        None => quote! {
            remote::Endpoint {
                path: "/",
                opens: None,
                connection: None,
                version: None,
                session: None,
            }
        },
    };
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
    let RemoteSession { property, header, opened_by, closed_by } = session;
    let header = header.to_ascii_lowercase();
    quote! {
        remote::Sessions {
            property: #property,
            header: #header,
            opened_by: &[#(#opened_by),*],
            closed_by: &[#(#closed_by),*],
        }
    }
}

/// What a side can do: it is a server if it handles the method that opens connections, and a client
/// if its other end does. If the protocol does not say which method that is, it is both.
pub(super) fn side(protocol: &Protocol, side: &SideModel<'_>) -> TokenStream {
    let names = &side.names;
    let (handler, service, connection) = (&names.handler, &names.service, &names.connection);
    let target = side.counterpart.as_ref().map(ToTokens::to_token_stream);
    let target = target.unwrap_or_else(|| quote!(connection::Peer));
    let condition = match protocol.remote {
        Some(_) => quote!(any(feature = "http-client", feature = "websocket")),
        None => quote!(feature = "websocket"),
    };
    let client = is_client(protocol, side.wire).then(|| {
        quote! {
            #[cfg(#condition)]
            remote::client! { #handler, #service, #connection, #target }
        }
    });
    let server = is_server(protocol, side.wire).then(|| {
        quote! {
            #[cfg(feature = "http-server")]
            remote::server! { #handler, #service, #connection }
        }
    });
    quote!(#client #server)
}

fn is_server(protocol: &Protocol, side: &str) -> bool {
    let opens = protocol.remote.as_ref().map(|remote| &remote.opens);
    let mut handled = protocol.handled_by(side);
    opens.is_none_or(|opens| handled.any(|method| method.name.wire == *opens))
}

fn is_client(protocol: &Protocol, side: &str) -> bool {
    let mut sides = protocol.sides.iter();
    let side = sides.find(|it| it.name.wire == side);
    side.is_some_and(|side| {
        protocol.other_ends(side).any(|other| is_server(protocol, &other.name.wire))
    })
}

fn optional(tokens: Option<TokenStream>) -> TokenStream {
    tokens.map_or_else(|| quote!(None), |tokens| quote!(Some(#tokens)))
}
