//! How unions are written.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::{Shape, UnionModel, VariantModel};

/// Writes the variant: the members of an object, or a value.
pub(super) fn write(union: &UnionModel) -> TokenStream {
    if union.variants.is_empty() && union.open.is_none() {
        return quote!(match *self {});
    }
    let arms = union.variants.iter().map(|variant| {
        let ident = &variant.ident;
        let payload = variant.payload.as_ref().map(|_| quote!((payload)));
        let write = write_variant(union, variant);
        quote!(Self::#ident #payload => #write,)
    });
    let open = union.open.as_ref().map(|open| {
        let ident = &open.ident;
        let write = match union.shape {
            Shape::Object => quote!(payload.write(object)),
            Shape::Value => quote!(serde::Serialize::serialize(payload, serializer)),
        };
        quote!(Self::#ident(payload) => #write,)
    });
    quote! {
        match self {
            #(#arms)*
            #open
        }
    }
}

fn write_variant(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    let tag = union.tag.as_ref().zip(variant.tag.as_ref());
    match (union.shape, &variant.payload, tag) {
        (Shape::Object, Some(_), Some((property, tag))) => {
            quote!(json::put_tagged(object, #property, #tag, payload))
        }
        (Shape::Object, Some(_), None) => quote!(json::Record::write(payload, object)),
        (Shape::Object, None, Some((property, tag))) => {
            quote!(json::put(object, #property, #tag))
        }
        (Shape::Object, None, None) => quote!(Ok(())),
        (Shape::Value, Some(payload), Some((property, tag))) if payload.is_object => {
            quote!(json::serialize_tagged(serializer, #property, #tag, payload))
        }
        (Shape::Value, None, Some((property, tag))) => {
            quote!(json::serialize_tagged(serializer, #property, #tag, &json::NoMembers))
        }
        (Shape::Value, Some(_), _) => quote!(serde::Serialize::serialize(payload, serializer)),
        (Shape::Value, None, None) => quote!(serde::Serialize::serialize(&(), serializer)),
    }
}
