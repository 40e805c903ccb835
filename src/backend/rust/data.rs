//! Constants of the runtime as Rust spells them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::ir::Name;
use crate::sdk::Data;

/// A constant as an expression. `module`: the module of its types.
pub(super) fn expression(data: &Data, module: &Ident) -> TokenStream {
    let list = |items: &[Data]| {
        let items = items.iter().map(|item| expression(item, module));
        quote!(&[#(#items),*])
    };
    match data {
        Data::Text(text) => quote!(#text),
        Data::Flag(flag) => quote!(#flag),
        Data::Json(value) => {
            let text = value.to_string();
            quote!(#text)
        }
        Data::Word(of, word) => form(module, of, &Name::new(*word).pascal()),
        Data::Choice(of, variant, parts) => {
            let form = form(module, of, variant);
            let parts = parts.iter().map(|part| expression(part, module));
            let parts: Vec<TokenStream> = parts.collect();
            if parts.is_empty() { form } else { quote!(#form(#(#parts),*)) }
        }
        Data::List(items) => list(items),
        Data::Optional(None) => quote!(None),
        Data::Optional(Some(data)) => {
            let data = expression(data, module);
            quote!(Some(#data))
        }
        Data::Record(record) => {
            let name = format_ident!("{}", record.name);
            let fields = record.fields.iter().map(|(name, data)| {
                let (name, data) = (format_ident!("{name}"), expression(data, module));
                quote!(#name: #data)
            });
            quote!(#module::#name { #(#fields),* })
        }
    }
}

fn form(module: &Ident, of: &str, variant: &str) -> TokenStream {
    let (of, variant) = (format_ident!("{of}"), format_ident!("{variant}"));
    quote!(#module::#of::#variant)
}
