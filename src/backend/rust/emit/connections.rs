//! The connections of the sides, and what they call at the other end.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::{handles, helpers, library, progress, remote};
use crate::backend::Runtime;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::{ExtensionsModel, MethodModel, Model, SideModel};
use crate::backend::rust::names::SideNames;
use crate::backend::rust::runtime;
use crate::backend::rust::source::Fragment;
use crate::backend::rust::types::RustType;
use crate::ir::Stream;

/// The beginning of the module.
pub(super) fn head(model: &Model<'_>) -> TokenStream {
    let streams = model.scope.protocol.has_streams().then(|| quote! { use super::streams; });
    let progress = model.has_progress().then(|| quote! { use super::progress; });
    let (remote, endpoint) = if runtime::is_remote(model) {
        let condition = remote::condition(model.scope.protocol);
        let endpoint = remote::endpoint(model.scope.protocol);
        (Some(quote! { #[cfg(#condition)] use super::remote; }), Some(endpoint))
    } else {
        (None, None)
    };
    quote! {
        //! The connections of the sides, and what they call at the other end.

        use super::connection;
        use super::dispatch::*;
        use super::handlers::*;
        use super::json;
        use super::methods;
        #progress
        #remote
        #streams
        use super::types::*;

        #endpoint
    }
}

/// The connections.
pub(super) fn connections<'a>(model: &'a Model<'_>) -> impl Iterator<Item = Fragment<'a>> {
    let runtime = model.scope.options.runtime;
    let version = version(model);
    let is_remote = runtime::is_remote(model);
    let sides = model.sides.iter();
    sides.map(move |side| {
        let connection = connection(side, runtime, version.as_ref());
        let remote = is_remote.then(|| remote::side(model.scope.protocol, side));
        Fragment::new(side.wire, quote!(#connection #remote))
    })
}

/// The function that gives the version which two ends agreed on.
fn version(model: &Model<'_>) -> Option<TokenStream> {
    let ty = library::version_type(model.scope.protocol)?;
    model.scope.protocol.negotiation.as_ref().map(|_| {
        quote! {
            /// The version of the protocol that both ends speak. As long as nothing was agreed on,
            /// it is [`PROTOCOL_VERSION`](super::PROTOCOL_VERSION).
            pub fn protocol_version(&self) -> #ty {
                let agreed = super::PROTOCOL_VERSIONS.get(self.inner.peer().version());
                agreed.copied().unwrap_or(super::PROTOCOL_VERSION)
            }
        }
    })
}

fn connection(
    side: &SideModel<'_>,
    runtime: Runtime,
    version: Option<&TokenStream>,
) -> TokenStream {
    let names = &side.names;
    let (handler, service, connection) = (&names.handler, &names.service, &names.connection);
    let (context, peer, core) = (&names.context, &names.peer, &names.core);
    let driven = (runtime != Runtime::None).then(|| {
        let target = side.counterpart.as_ref().map(ToTokens::to_token_stream);
        let target = target.unwrap_or_else(|| quote!(connection::Peer));
        quote!(connection::connection! { #handler, #service, #connection, #target })
    });
    let accessible = [Some(context), Some(core), driven.is_some().then_some(connection)];
    let accessors = accessible.into_iter().flatten().map(|ty| {
        let peers = side.peers.iter().map(|(accessor, peer)| {
            let about = format!(" The other end, as [`{peer}`].");
            quote! {
                #[doc = #about]
                pub fn #accessor(&self) -> #peer {
                    #peer::from(self.inner.peer().clone())
                }
            }
        });
        quote! {
            impl #ty {
                #(#peers)*
                #version
            }
        }
    });
    let pair = side.far.as_ref().filter(|_| driven.is_some()).map(|far| pair(side, far));
    let calls = side.methods.iter().map(|method| {
        let (call, streamed) = (call(method), streamed(method));
        let helpers = helpers::helpers(method, driven.is_some());
        quote!(#call #streamed #helpers)
    });
    let extensions = side.extensions.as_ref().map(extensions);
    let opened = handles::handles(side);
    let begun = side.progresses.iter().map(progress::function);
    let told = progress::progresses(side);
    quote! {
        connection::side! { #handler, #service, #context, #peer, #core }

        #driven

        #(#accessors)*

        #pair

        impl #peer {
            #(#calls)*
            #(#begun)*
            #extensions
        }

        #opened
        #told
    }
}

/// The function that connects two ends with each other.
fn pair(side: &SideModel<'_>, far: &SideNames) -> TokenStream {
    let (near, far, handler) = (&side.names, &far.connection, &far.handler);
    let (connection, near) = (&near.connection, &near.handler);
    quote! {
        impl #connection {
            /// Connects two ends within the process, as tests do. A `tokio` runtime must be running.
            pub fn pair(near: impl #near + 'static, far: impl #handler + 'static) -> (Self, #far) {
                let (near_reader, far_writer) = connection::pipe();
                let (far_reader, near_writer) = connection::pipe();
                let far = #far::new(far, far_reader, far_writer);
                (Self::new(near, near_reader, near_writer), far)
            }
        }
    }
}

fn call(model: &MethodModel<'_>) -> TokenStream {
    let MethodModel { ident, constant, params, result, docs, .. } = model;
    let verb = if result.is_some() { "Calls" } else { "Sends" };
    let about = DocComment::trusted(&format!("{verb} [`methods::{constant}`]."));
    let about = docs.clone().before(about);
    let (returns, call) = match result {
        Some(result) => (quote!(connection::Call<#params, #result>), quote!(request)),
        None => (quote!(connection::Notice<#params>), quote!(notification)),
    };
    quote! {
        #about
        pub fn #ident(&self, params: #params) -> #returns {
            connection::Peer::#call(&self.inner, methods::#constant, params)
        }
    }
}

fn streamed(model: &MethodModel<'_>) -> Option<TokenStream> {
    let MethodModel { method, constant, docs, params, result, streamed, .. } = model;
    let (ident, result) = (streamed.as_ref()?, result.as_ref()?);
    let Stream { token, result: property, .. } = method.stream.as_ref()?;
    let about = format!(" Calls [`methods::{constant}`], and gives its result in pieces.");
    let deprecation = docs.deprecation();
    Some(quote! {
        #[doc = #about]
        ///
        /// The token that marks them is put into the params.
        #deprecation
        pub fn #ident(&self, params: #params) -> streams::StreamedCall<#params, #result> {
            let token = &[#(#token),*];
            let stream = streams::Stream::new(&self.inner, token, #property);
            let params = stream.mark(params);
            let call = connection::Peer::request(&self.inner, methods::#constant, params);
            stream.of(call)
        }
    })
}

fn extensions(extensions: &ExtensionsModel) -> TokenStream {
    let ExtensionsModel { request, result, notification, request_docs, notification_docs } =
        extensions;
    let said = "Uses a method that the protocol does not name. Its name begins with `_`.";
    let of = |docs: &DocComment, function, call, params: &RustType, returns| {
        let docs = docs.clone().before(DocComment::trusted(said));
        let (function, call, returns): (TokenStream, TokenStream, TokenStream) =
            (function, call, returns);
        quote! {
            #docs
            pub fn #function(&self, method: impl Into<String>, params: #params) -> #returns {
                self.inner.#call(method.into(), params)
            }
        }
    };
    let call = quote!(connection::Call<#request, #result>);
    let call = of(request_docs, quote!(ext_method), quote!(call), request, call);
    let notice = quote!(connection::Notice<#notification>);
    let notice =
        of(notification_docs, quote!(ext_notification), quote!(notify), notification, notice);
    quote!(#call #notice)
}
