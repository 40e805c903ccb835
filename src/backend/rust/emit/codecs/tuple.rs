//! The codecs of tuples that are structs.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::helper;
use crate::backend::rust::model::{FieldModel, Storage, TupleModel};

/// The codec of a tuple.
pub(super) fn codec(ident: &Ident, tuple: &TupleModel) -> TokenStream {
    let TupleModel { record, has_rest, bounds: [low, high] } = tuple;
    let helpers = record.helpers.iter().map(helper);
    let last = record.fields.len() - usize::from(*has_rest);
    let items = record.fields.iter().take(last);
    let rest = record.fields.iter().skip(last);
    let read = items.clone().map(read).chain(rest.clone().map(|rest| {
        let (ident, decode) = (&rest.ident, &rest.decode);
        quote!(let #ident = items.rest(#decode)?;)
    }));
    let write = items.map(write).chain(rest.map(|rest| {
        let ident = &rest.ident;
        quote!(items.put_all(&self.#ident)?;)
    }));
    let fields = record.stored().map(|field| &field.ident);
    quote! {
        impl json::Decode for #ident {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                #(#helpers)*
                json::tuple(reader, #low, #high, |items| {
                    #(#read)*
                    Ok(Self { #(#fields),* })
                })
            }
        }

        impl serde::Serialize for #ident {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut items = json::Written::new(serializer.serialize_seq(None)?);
                #(#write)*
                items.end()
            }
        }

        json::value!(#ident);
    }
}

fn read(item: &FieldModel) -> TokenStream {
    let FieldModel { ident, decode, .. } = item;
    match &item.storage {
        Storage::Required | Storage::Defaulted(_) => quote!(let #ident = items.next(#decode)?;),
        Storage::Optional => quote!(let #ident = items.optional(#decode)?;),
        Storage::Patch => quote!(let #ident = items.optional(#decode)?.unwrap_or_default();),
        Storage::Constant(_) => quote!(items.next(#decode)?;),
    }
}

fn write(item: &FieldModel) -> TokenStream {
    let ident = &item.ident;
    match &item.storage {
        Storage::Required | Storage::Defaulted(_) => quote!(items.put(&self.#ident)?;),
        Storage::Optional => quote!(items.put_some(self.#ident.as_ref())?;),
        Storage::Patch => quote!(items.put_patch(&self.#ident)?;),
        Storage::Constant(value) => quote!(items.put(#value)?;),
    }
}
