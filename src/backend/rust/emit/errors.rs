//! Constructors for the errors of the protocol.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::Scope;
use crate::backend::rust::names;
use crate::ir::{Enum, EnumBase, EnumValue, IntegerFormat, TypeKind};

/// The codes that JSON-RPC defines or that the runtime has constructors for.
const OWN_CODES: [i64; 6] = [-32700, -32600, -32601, -32602, -32603, -32800];

/// The functions that the runtime's error has.
const OWN_FUNCTIONS: &str = "new data parse_error invalid_request method_not_found invalid_params \
                             internal_error request_cancelled";

/// A function for each code that JSON-RPC does not have itself. `None` if the protocol has no enum
/// of error codes.
pub(super) fn errors(scope: &Scope<'_>) -> Option<TokenStream> {
    let (wire, codes) = scope.protocol.types.iter().find_map(|(wire, def)| match &def.kind {
        TypeKind::Enum(values) if are_codes(values) => Some((wire, values)),
        _ => None,
    })?;
    let ty = scope.ident(wire);
    let functions = codes.values.iter().filter_map(|value| {
        let code = value.value.as_i64().filter(|code| !OWN_CODES.contains(code))?;
        let (ident, function) = (names::variant(&value.name), names::value(&value.name));
        if OWN_FUNCTIONS.split(' ').any(|own| function == own) {
            return None;
        }
        let about = format!(" Creates an error with [`{ty}::{ident}`]: {code}.");
        let message = message(&function);
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

/// Tells whether these are error codes: integers of 32 bits among which are those of JSON-RPC.
fn are_codes(values: &Enum) -> bool {
    let is = |value: &EnumValue, code: i64| value.value.as_i64() == Some(code);
    let has = |code| values.values.iter().any(|value| is(value, code));
    let EnumBase::Integer(integer) = &values.base else { return false };
    integer.format == Some(IntegerFormat::Int32) && has(-32601) && has(-32602)
}

/// The words of a function's name as the beginning of a sentence.
fn message(function: &Ident) -> String {
    let name = function.to_string();
    let words = name.trim_start_matches("r#").replace('_', " ");
    let (first, rest) = words.split_at(1);
    first.to_ascii_uppercase() + rest
}
