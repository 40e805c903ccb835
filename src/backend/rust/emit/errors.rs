//! Constructors for the errors of the protocol, and what their data tell.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::backend::Runtime;
use crate::backend::rust::model::Scope;
use crate::backend::rust::names;
use crate::ir::{EnumBase, IntegerFormat, OwnError, Protocol, TypeKind};

/// The functions that the runtime's error has for the errors of JSON-RPC.
const STANDARD: [&str; 6] = [
    "parse_error",
    "invalid_request",
    "method_not_found",
    "invalid_params",
    "internal_error",
    "request_cancelled",
];

/// The other functions that it has.
const TAKEN: [&str; 8] =
    ["new", "data", "unexpected", "details", "call", "answering", "with_members", "told"];

/// A function for each error of the protocol's own. `None` if it has none, or if their codes are
/// no integers of 32 bits.
///
/// The error is a type of the runtime: where that is another crate, a trait has the functions.
pub(super) fn errors(scope: &Scope<'_>) -> Option<TokenStream> {
    let errors: Vec<OwnError<'_>> = scope.protocol.own_errors().collect();
    let codes = errors.first()?.codes;
    let TypeKind::Enum(values) = &scope.protocol.type_def(codes)?.kind else { return None };
    let EnumBase::Integer(integer) = &values.base else { return None };
    if integer.format != Some(IntegerFormat::Int32) {
        return None;
    }
    let ty = scope.ident(codes);
    let is_apart = scope.options.runtime == Runtime::Package;
    let vis = (!is_apart).then(|| quote!(pub));
    let functions = errors.iter().filter_map(|error| {
        let OwnError { value, code, .. } = error;
        let (ident, function) = (names::variant(&value.name), names::value(&value.name));
        if STANDARD.iter().any(|own| function == own) {
            return None;
        }
        let is_taken = TAKEN.iter().any(|own| function == own);
        let function = if is_taken { format_ident!("{function}_error") } else { function };
        let about = format!(" Creates an error with [`{ty}::{ident}`]: {code}.");
        let message = error.message();
        let new = quote!(Self::new(#ty::#ident, #message));
        if value.data.is_empty() {
            let head = quote! {
                #[doc = #about]
                #vis fn #function() -> Self
            };
            return Some((head, new));
        }
        let members: Vec<_> = value.data.iter().map(names::value).collect();
        let keys = value.data.iter().map(|name| &name.wire);
        let head = quote! {
            #[doc = #about]
            ///
            /// Members of its data are texts, or `None` for those that are not there.
            #vis fn #function(#(#members: impl Member),*) -> Self
        };
        let body = quote!(#new.with_members(&[#(#keys),*], [#(#members.text()),*]));
        Some((head, body))
    });
    let (heads, bodies): (Vec<_>, Vec<_>) = functions.unzip();
    let has_data = errors.iter().any(|error| !error.value.data.is_empty());
    let member = has_data.then(|| {
        quote!(
            use super::rpc::Member;
        )
    });
    let (of, declared) = if is_apart {
        let declared = quote! {
            /// Makes the errors of the protocol.
            pub trait RequestErrors: Sized {
                #(#heads;)*
            }
        };
        (Some(quote!(RequestErrors for)), Some(declared))
    } else {
        (None, None)
    };
    Some(quote! {
        //! The errors of the protocol.

        #member
        use super::rpc::RequestError;
        use super::types::#ty;

        #declared

        impl #of RequestError {
            #(#heads { #bodies })*
        }
    })
}

/// The function of a service that lists what the data of the protocol's own errors hold. `None` if
/// they hold nothing.
pub(super) fn members(protocol: &Protocol) -> Option<TokenStream> {
    let errors = protocol.own_errors().filter(|error| !error.value.data.is_empty());
    let errors: Vec<_> = errors
        .filter_map(|OwnError { value, code, .. }| {
            let members = value.data.iter().map(|name| name.wire.as_str());
            let code = Literal::i32_unsuffixed(i32::try_from(code).ok()?);
            Some(quote!((#code, &[#(#members),*])))
        })
        .collect();
    (!errors.is_empty()).then(|| {
        quote! {
            fn errors(&self) -> rpc::Members {
                &[#(#errors),*]
            }
        }
    })
}
