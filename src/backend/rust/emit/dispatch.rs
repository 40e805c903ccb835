//! Emits the dispatch of a side: it takes a message to the function that handles its method.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::errors;
use crate::backend::rust::data;
use crate::backend::rust::model::{MethodModel, Model, SideModel};
use crate::backend::rust::source::Fragment;
use crate::sdk;

/// The beginning of the module.
pub(super) fn head(model: &Model<'_>) -> TokenStream {
    let has_streams = model.scope.protocol.has_streams();
    let (streams, types) = if has_streams {
        (Some(quote! { use super::streams; }), Some(quote! { use super::types; }))
    } else {
        (None, None)
    };
    quote! {
        //! From a message to the function that handles it.

        use super::connection;
        use super::handlers::*;
        use super::methods;
        use super::rpc::{self, RequestError, Result};
        #streams
        #types
    }
}

/// The services, which hand messages to the handlers of a side.
pub(super) fn dispatch<'a>(model: &'a Model<'_>) -> impl Iterator<Item = Fragment<'a>> {
    let errors = errors::members(model.scope.protocol);
    model.sides.iter().map(move |side| Fragment::new(side.wire, service(side, errors.as_ref())))
}

// All names are paths: what is imported would hide the side's own names.
fn service(side: &SideModel<'_>, errors: Option<&TokenStream>) -> TokenStream {
    let (handler, service) = (&side.names.handler, &side.names.service);
    let rules = data::expression(&sdk::rules(&side.rules), &format_ident!("connection"));
    let variable = &side.log_variable;
    let optional = handles(side);
    let (requests, notifications): (Vec<_>, Vec<_>) =
        side.methods.iter().partition(|method| method.result.is_some());
    let constants = notifications.iter().map(|method| &method.constant);
    let bringing: Vec<&MethodModel<'_>> =
        notifications.iter().copied().filter(|method| !method.pieces.is_empty()).collect();
    let pieces = bringing.iter().map(|method| &method.constant);
    let has_extensions = if side.extensions.is_some() {
        quote!(rpc::has_any(H::ext_notification))
    } else {
        quote!(false)
    };
    let known = quote! {
        connection::Notifications {
            named: &[#(methods::#constants),*],
            pieces: &[#(methods::#pieces),*],
            extensions: #has_extensions,
            unknown: rpc::has_any(H::unknown_notification),
        }
    };
    let piece = piece(&bringing);
    let request = arms(side, &format_ident!("request"), &requests);
    let notification = arms(side, &format_ident!("notification"), &notifications);
    quote! {
        /// Hands messages to a handler.
        pub(crate) struct #service<H>(pub(crate) std::sync::Arc<H>);

        impl<H: #handler + 'static> connection::Service for #service<H> {
            fn rules(&self) -> &'static connection::Rules {
                static RULES: connection::Rules = #rules;
                &RULES
            }

            fn log_variable(&self) -> &'static str {
                #variable
            }

            #errors

            #optional

            fn notifications(&self) -> connection::Notifications {
                #known
            }

            fn request(&self, request: &mut connection::Request<'_>) -> Result<connection::Task> {
                #request
            }

            fn notification(
                &self,
                notification: &connection::Notification<'_>,
            ) -> Result<connection::Task> {
                #notification
            }

            #piece
        }
    }
}

/// The function that takes pieces of results, if there are notifications that bring some.
fn piece(bringing: &[&MethodModel<'_>]) -> Option<TokenStream> {
    let arms = bringing.iter().map(|method| {
        let MethodModel { constant, params, pieces, .. } = method;
        let brings = pieces.iter().map(|(token_in, delta)| {
            quote!(streams::brings::<types::#params>(notification, #token_in, #delta)?)
        });
        quote!(methods::#constant => Ok(#(#brings)||*),)
    });
    (!bringing.is_empty()).then(|| {
        quote! {
            fn piece(&self, notification: &connection::Notification<'_>) -> Result<bool> {
                match notification.method() {
                    #(#arms)*
                    _ => Ok(false),
                }
            }
        }
    })
}

/// The function that says which methods the handler has, of those that it may leave out and must
/// not say that it has then.
fn handles(side: &SideModel<'_>) -> Option<TokenStream> {
    let handler = &side.names.handler;
    let advertised: Vec<&String> = side.rules.advertised().collect();
    let mut optional: Vec<(&Ident, Vec<&Ident>)> = Vec::new();
    for method in side.methods.iter().filter(|it| it.method.optional) {
        if !advertised.contains(&&method.method.name.wire) {
            continue;
        }
        match optional.iter_mut().find(|(constant, _)| **constant == method.constant) {
            Some((_, functions)) => functions.push(&method.ident),
            None => optional.push((&method.constant, vec![&method.ident])),
        }
    }
    let arms = optional.iter().map(|(constant, functions)| {
        quote!(methods::#constant => #(rpc::has(<H as #handler>::#functions))&&*,)
    });
    (!optional.is_empty()).then(|| {
        quote! {
            fn handles(&self, method: &str) -> bool {
                match method {
                    #(#arms)*
                    _ => true,
                }
            }
        }
    })
}

/// Matches on the method of a message, in the variable of this name.
fn arms(side: &SideModel<'_>, message: &Ident, methods: &[&MethodModel<'_>]) -> TokenStream {
    let arms = methods.iter().map(|method| arm(method, side, message));
    let extension = side.extensions.as_ref().map(|_| {
        let function = if message == "request" { "ext_method" } else { "ext_notification" };
        unnamed(message, &quote!(method.starts_with('_') &&), function)
    });
    let function = if message == "request" { "unknown_method" } else { "unknown_notification" };
    let unknown = unnamed(message, &TokenStream::new(), function);
    quote! {
        let handler = std::sync::Arc::clone(&self.0);
        match #message.method() {
            #(#arms)*
            #extension
            #unknown
            method => Err(RequestError::method_not_found(method)),
        }
    }
}

// The function is called by a path: a handler in an `Arc` has functions of that, too.
fn arm(method: &MethodModel<'_>, side: &SideModel<'_>, message: &Ident) -> TokenStream {
    let MethodModel { ident, constant, .. } = method;
    let handler = &side.names.handler;
    let may_lack = message == "notification" || method.method.optional;
    let answer = answer(message);
    let left_out = may_lack.then(|| {
        quote! {
            if !rpc::has(<H as #handler>::#ident) {
                return Err(RequestError::method_not_found(methods::#constant));
            }
        }
    });
    let open = quote!(let (params, context) = #message.open()?;);
    // What nothing handles is not looked into, unless it means something all the same.
    let wire = &method.method.name.wire;
    let cancels = side.rules.cancels.iter().any(|turn| turn.method == *wire);
    let opened = if message == "notification" && cancels {
        [Some(open), left_out]
    } else {
        [left_out, Some(open)]
    };
    quote! {
        methods::#constant => {
            #(#opened)*
            let result = async move { #handler::#ident(&*handler, params, context).await };
            #answer
        }
    }
}

/// The arm of methods that the protocol does not name, under a condition.
fn unnamed(message: &Ident, condition: &TokenStream, function: &str) -> TokenStream {
    let (function, answer) = (format_ident!("{function}"), answer(message));
    quote! {
        method if #condition rpc::has_any(H::#function) => {
            let method = method.to_owned();
            let (params, context) = #message.open()?;
            let result = async move { handler.#function(method, params, context).await };
            #answer
        }
    }
}

fn answer(message: &Ident) -> TokenStream {
    if message == "request" {
        quote!(Ok(request.answer(result)))
    } else {
        quote!(Ok(notification.handle(result)))
    }
}
