//! Enums of constants.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use serde_json::{Number, Value};

use crate::backend::Options;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::keywords::of_text;
use crate::backend::rust::types::MachineInteger;
use crate::backend::rust::{literals, names};
use crate::ir::{Enum, EnumBase};

/// An enum.
pub(super) fn enumeration(ident: &Ident, values: &Enum, options: &Options) -> TokenStream {
    let number = match &values.base {
        EnumBase::String => None,
        EnumBase::Integer(integer) => Some(MachineInteger::new(integer).ty()),
    };
    let open = values.open.as_ref().map(|open| (names::variant(&open.name), open));
    let copy = (open.is_none() || number.is_some()).then(|| quote!(Copy,));
    let idents: Vec<Ident> =
        values.values.iter().map(|value| names::variant(&value.name)).collect();
    let variants = values.values.iter().zip(&idents).map(|(value, ident)| {
        let docs = DocComment::new(&value.docs, options);
        quote!(#docs #ident,)
    });
    let constants = values.values.iter().map(|value| match &value.value {
        Value::String(text) => quote!(#text),
        other => {
            let number = other.as_number().and_then(Number::as_i128);
            literals::integer(number.unwrap_or_default())
        }
    });
    let held = number.as_ref().map_or_else(|| quote!(String), ToTokens::to_token_stream);
    let open_variant = open.as_ref().map(|(ident, open)| {
        let docs = DocComment::new(&open.docs, options);
        quote!(#docs #ident(#held),)
    });
    let open_arm = open.as_ref().map(|(ident, _)| quote!(Self::#ident(value) => value,));
    let function = if let Some(number) = &number {
        quote!(value(self) -> #number)
    } else {
        quote!(as_str(&self) -> &str)
    };
    let openness = if open.is_some() { "open" } else { "closed" };
    let check = unlisted_check(values);
    let openness = if check.is_some() { "bounded" } else { openness };
    let implementation = match number {
        Some(_) => format_ident!("{openness}_number_enum"),
        None => format_ident!("{openness}_enum"),
    };
    let arguments = number.map(|number| number.to_token_stream());
    let arguments = arguments.into_iter().chain(open.as_ref().map(|(ident, _)| quote!(#ident)));
    let arguments = arguments.chain(check);
    quote! {
        #[derive(Clone, #copy Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #ident {
            #(#variants)*
            #open_variant
        }

        impl #ident {
            /// All known values.
            pub const ALL: &'static [Self] = &[#(Self::#idents),*];

            /// The value in messages.
            pub fn #function {
                match self {
                    #(Self::#idents => #constants,)*
                    #open_arm
                }
            }
        }

        json::#implementation!(#ident #(, #arguments)*);
    }
}

/// The check of a value that is not listed, if it has bounds.
fn unlisted_check(values: &Enum) -> Option<TokenStream> {
    let open = values.open.as_ref().filter(|_| values.is_bounded())?;
    Some(match &values.base {
        EnumBase::String => return of_text(&open.text),
        EnumBase::Integer(integer) => {
            let (low, high) = integer.range();
            let [low, high] = [low, high].map(literals::integer);
            quote!(|number| json::check_bounds(number, &#low, &#high))
        }
    })
}
