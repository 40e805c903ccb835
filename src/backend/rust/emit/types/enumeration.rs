//! Enums of constants.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::backend::rust::model::EnumModel;
use crate::backend::rust::types::MachineInteger;

/// An enum.
pub(super) fn enumeration(ident: &Ident, values: &EnumModel) -> TokenStream {
    let EnumModel { integer, values, open } = values;
    let is_copied = open.is_none() || integer.is_some();
    let copy = is_copied.then(|| quote!(Copy,));
    let number = integer.map(MachineInteger::ty);
    let variants = values.iter().map(|value| {
        let (docs, ident) = (&value.docs, &value.ident);
        quote!(#docs #ident,)
    });
    let held = number.as_ref().map_or_else(|| quote!(String), ToTokens::to_token_stream);
    let open_variant = open.as_ref().map(|(open, docs)| quote!(#docs #open(#held),));
    let function = if let Some(number) = &number {
        quote!(value(self) -> #number)
    } else {
        quote!(as_str(&self) -> &str)
    };
    let (idents, constants): (Vec<_>, Vec<_>) =
        values.iter().map(|value| (&value.ident, &value.constant)).unzip();
    let open_arm = open.as_ref().map(|(open, _)| quote!(Self::#open(value) => value,));
    let openness = if open.is_some() { "open" } else { "closed" };
    let implementation = match number {
        Some(_) => format_ident!("{openness}_number_enum"),
        None => format_ident!("{openness}_enum"),
    };
    let arguments = number.map(|number| number.to_token_stream());
    let arguments = arguments.into_iter().chain(open.as_ref().map(|(open, _)| quote!(#open)));
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
