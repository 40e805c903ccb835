//! Constructors for the errors of the protocol.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::{Constant, EnumModel, Model, TypeModelKind};

/// The codes that JSON-RPC defines or that the runtime has constructors for.
const OWN_CODES: [i128; 6] = [-32700, -32600, -32601, -32602, -32603, -32800];

/// The functions that the runtime's error has.
const OWN_FUNCTIONS: [&str; 8] = [
    "new",
    "data",
    "parse_error",
    "invalid_request",
    "method_not_found",
    "invalid_params",
    "internal_error",
    "request_cancelled",
];

/// The enum of error codes, if the protocol has one: an enum of integers among which are those of
/// JSON-RPC.
pub(super) fn codes(model: &Model) -> Option<(&Ident, &EnumModel)> {
    model.types.iter().find_map(|ty| match &ty.kind {
        TypeModelKind::Enum(values) if values.integer.is_some_and(|it| it.name == "i32") => {
            let has = |code: i128| {
                values.values.iter().any(|value| value.constant == Constant::Number(code))
            };
            (has(-32601) && has(-32602)).then_some((&ty.ident, values))
        }
        _ => None,
    })
}

/// A function for each code that JSON-RPC does not have itself.
pub(super) fn errors(model: &Model) -> Option<TokenStream> {
    let (ty, values) = codes(model)?;
    let functions = values.values.iter().filter_map(|value| {
        let Constant::Number(code) = value.constant else { return None };
        let (ident, function) = (&value.ident, &value.function);
        if OWN_CODES.contains(&code) || OWN_FUNCTIONS.iter().any(|own| function == own) {
            return None;
        }
        let about = format!(" Creates an error with [`{ty}::{ident}`]: {code}.");
        let message = message(function);
        Some(quote! {
            #[doc = #about]
            pub fn #function() -> Self {
                Self::new(#ty::#ident, #message)
            }
        })
    });
    Some(quote! {
        //! The errors of the protocol.

        use super::rpc::RequestError;
        use super::types::#ty;

        impl RequestError {
            #(#functions)*
        }
    })
}

/// The words of a function's name as the beginning of a sentence.
fn message(function: &Ident) -> String {
    let name = function.to_string();
    let words = name.trim_start_matches("r#").replace('_', " ");
    let (first, rest) = words.split_at(1);
    first.to_ascii_uppercase() + rest
}
