//! Constructors for the errors of the protocol, and what their data tell.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::backend::rust::model::Scope;
use crate::backend::rust::names;
use crate::ir::{EnumBase, IntegerFormat, OwnError, Protocol, TypeKind};

/// The functions that the runtime's error has.
const OWN_FUNCTIONS: &str = "new data parse_error invalid_request method_not_found invalid_params \
                             internal_error request_cancelled";

/// A function for each error of the protocol's own. `None` if it has none, or if their codes are
/// no integers of 32 bits.
pub(super) fn errors(scope: &Scope<'_>) -> Option<TokenStream> {
    let errors: Vec<OwnError<'_>> = scope.protocol.own_errors().collect();
    let codes = errors.first()?.codes;
    let TypeKind::Enum(values) = &scope.protocol.type_def(codes)?.kind else { return None };
    let EnumBase::Integer(integer) = &values.base else { return None };
    if integer.format != Some(IntegerFormat::Int32) {
        return None;
    }
    let ty = scope.ident(codes);
    let functions = errors.iter().filter_map(|error| {
        let OwnError { value, code, .. } = error;
        let (ident, function) = (names::variant(&value.name), names::value(&value.name));
        if OWN_FUNCTIONS.split(' ').any(|own| function == own) {
            return None;
        }
        let about = format!(" Creates an error with [`{ty}::{ident}`]: {code}.");
        let message = error.message();
        if !value.data.is_empty() {
            let members: Vec<_> = value.data.iter().map(names::value).collect();
            let keys = value.data.iter().map(|name| &name.wire);
            return Some(quote! {
                #[doc = #about]
                ///
                /// Members of its data are texts, or `None` for those that are not there.
                pub fn #function(#(#members: impl Member),*) -> Self {
                    Self::new(#ty::#ident, #message).members([#((#keys, #members.text())),*])
                }
            });
        }
        Some(quote! {
            #[doc = #about]
            pub fn #function() -> Self {
                Self::new(#ty::#ident, #message)
            }
        })
    });
    let has_data = errors.iter().any(|error| !error.value.data.is_empty());
    let members = has_data.then(|| {
        quote! {
            /// Adds members to the data, of those that are there.
            fn members<const N: usize>(self, members: [(&str, Option<String>); N]) -> Self {
                let given = members.into_iter().filter_map(|(name, text)| {
                    Some((name.to_owned(), Value::String(text?)))
                });
                let data: Object = given.collect();
                if data.is_empty() { self } else { self.data(data) }
            }
        }
    });
    let member = has_data.then(|| {
        quote! {
            /// What a member of an error's data can be.
            pub trait Member {
                /// The text, if there is one.
                fn text(self) -> Option<String>;
            }

            impl Member for &str {
                fn text(self) -> Option<String> {
                    Some(self.to_owned())
                }
            }

            impl Member for &String {
                fn text(self) -> Option<String> {
                    Some(self.clone())
                }
            }

            impl Member for String {
                fn text(self) -> Option<String> {
                    Some(self)
                }
            }

            // The only one of an `Option`, so that the type of `None` is known.
            impl Member for Option<String> {
                fn text(self) -> Option<String> {
                    self
                }
            }
        }
    });
    let values = has_data.then(|| {
        quote!(
            use super::json::{Object, Value};
        )
    });
    Some(quote! {
        //! The errors of the protocol.

        #values
        use super::rpc::RequestError;
        use super::types::#ty;

        impl RequestError {
            #(#functions)*
            #members
        }

        #member
    })
}

/// The function that lists what the data of an error hold.
pub(in crate::backend::rust) fn own_members(protocol: &Protocol) -> TokenStream {
    let errors = protocol.own_errors().filter(|error| !error.value.data.is_empty());
    let (codes, members): (Vec<_>, Vec<_>) = errors
        .filter_map(|OwnError { value, code, .. }| {
            let members: Vec<_> = value.data.iter().map(|name| name.wire.as_str()).collect();
            Some((Literal::i32_unsuffixed(i32::try_from(code).ok()?), members))
        })
        .unzip();
    let about = " The members of the data of an error of the protocol's own: texts.";
    if codes.is_empty() {
        return quote! {
            #[doc = #about]
            const fn own_members(_: i32) -> &'static [&'static str] {
                &[]
            }
        };
    }
    quote! {
        #[doc = #about]
        const fn own_members(code: i32) -> &'static [&'static str] {
            match code {
                #(#codes => &[#(#members),*],)*
                _ => &[],
            }
        }
    }
}
