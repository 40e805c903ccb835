//! The traits of the sides.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::{ExtensionsModel, MethodModel, Model, SideModel};
use crate::backend::rust::source::Fragment;
use crate::backend::rust::types::RustType;

/// The paragraphs for every handler trait: how a side is written.
const ABOUT: &str = "\
A method is written as an `async fn`. One that has a body here may be left out: a
request for it is then answered with *method not found*, a notification ignored.

A function that blocks its thread blocks the connection: what takes long without waiting belongs
into a thread of its own, as that of `tokio::task::spawn_blocking`.";

/// The paragraph for handlers of notifications: the messages that follow wait for them.
const NOTIFIED: &str = "\
What comes after it is not handled before this is done. What takes long belongs into a task of its
own, or the method into `Options::concurrent` of the connection.";

/// The beginning of the module.
pub(super) fn head() -> TokenStream {
    quote! {
        //! What each side does for its peer.

        // It is in the prelude of edition 2024 only, and the crate around this one may be older.
        use std::future::Future;

        use super::connections::*;
        use super::json;
        use super::methods;
        use super::rpc::{self, Result};
        use super::types::*;
    }
}

/// The traits.
pub(super) fn handlers<'a>(model: &'a Model<'_>) -> impl Iterator<Item = Fragment<'a>> {
    model.sides.iter().map(|side| Fragment::new(side.wire, handler(side)))
}

fn handler(side: &SideModel<'_>) -> TokenStream {
    let (handler, context) = (&side.names.handler, &side.names.context);
    let methods = side.methods.iter().map(|it| method(it, context));
    let extensions = side.extensions.as_ref().map(|it| extensions(it, context));
    let unknown = unknown(context);
    let about = side.docs.clone().or(DocComment::trusted("What this side does for its peer."));
    let about = about.before(DocComment::trusted(ABOUT));
    quote! {
        #about
        pub trait #handler: Send + Sync {
            #(#methods)*
            #extensions
            #unknown
        }
    }
}

fn method(model: &MethodModel<'_>, context: &Ident) -> TokenStream {
    let MethodModel { method, ident, constant, params, result, docs, .. } = model;
    let wire = DocComment::trusted(&format!("Handles `{}`.", wire_in_docs(&method.name.wire)));
    let about = docs.clone().before(wire);
    let about = if result.is_some() { about } else { about.before(DocComment::trusted(NOTIFIED)) };
    let returns = future(result.as_ref().unwrap_or(&RustType::Unit));
    let body = match result {
        // A notification that nobody handles is ignored in any case.
        None => quote!({ rpc::ignored((params, context)) }),
        Some(_) if method.optional => {
            quote!({ rpc::unsupported(methods::#constant, (params, context)) })
        }
        Some(_) => quote!(;),
    };
    quote! {
        #about
        fn #ident(&self, params: #params, context: #context) -> #returns #body
    }
}

fn extensions(extensions: &ExtensionsModel, context: &Ident) -> TokenStream {
    let ExtensionsModel { request, result, notification, .. } = extensions;
    let said = "Handles a request whose method begins with `_`: the protocol does not name it.";
    let request_docs = extensions.request_docs.clone().before(DocComment::trusted(said));
    let said =
        "Handles a notification whose method begins with `_`: the protocol does not name it.";
    let notification_docs = extensions.notification_docs.clone().before(DocComment::trusted(said));
    let (result, nothing) = (future(result), future(&RustType::Unit));
    quote! {
        #request_docs
        fn ext_method(&self, method: String, params: #request, context: #context) -> #result {
            rpc::unsupported(&method, (params, context))
        }

        #notification_docs
        fn ext_notification(
            &self,
            method: String,
            params: #notification,
            context: #context
        ) -> #nothing {
            rpc::ignored((method, params, context))
        }
    }
}

/// The functions for what the protocol does not name.
fn unknown(context: &Ident) -> TokenStream {
    let (value, nothing) = (future(&RustType::Value), future(&RustType::Unit));
    quote! {
        /// Handles a request that nothing else does: the protocol does not name its method.
        fn unknown_method(
            &self,
            method: String,
            params: json::Value,
            context: #context
        ) -> #value {
            rpc::unsupported(&method, (params, context))
        }

        /// Handles a notification that nothing else does: the protocol does not name its method.
        fn unknown_notification(
            &self,
            method: String,
            params: json::Value,
            context: #context
        ) -> #nothing {
            rpc::ignored((method, params, context))
        }
    }
}

fn future(result: &impl ToTokens) -> TokenStream {
    quote!(impl Future<Output = Result<#result>> + Send)
}

/// A wire name inside of backticks in a doc comment.
fn wire_in_docs(wire: &str) -> String {
    wire.chars()
        .map(|next| if next.is_ascii_graphic() && next != '`' { next } else { '\u{fffd}' })
        .collect()
}
