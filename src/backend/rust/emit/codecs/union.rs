//! The codecs of unions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::helper;
use crate::backend::rust::model::{
    DecodeFn, Kinds, OpenModel, Payload, Shape, UnionModel, VariantModel,
};

/// The codec of a union.
pub(super) fn codec(union: &UnionModel) -> TokenStream {
    let ident = &union.ident;
    let read = read(union);
    let write = write(union);
    match union.shape {
        Shape::Object => {
            let is_empty = union.variants.is_empty() && union.open.is_none();
            let object = if is_empty { format_ident!("_object") } else { format_ident!("object") };
            quote! {
                impl json::Record for #ident {
                    fn read(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                        #read
                    }

                    fn write<M: serde::ser::SerializeMap>(
                        &self,
                        #object: &mut M,
                    ) -> Result<(), M::Error> {
                        #write
                    }
                }

                json::record!(#ident);
            }
        }
        Shape::Value => quote! {
            impl json::Decode for #ident {
                fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                    #read
                }
            }

            impl serde::Serialize for #ident {
                fn serialize<S: serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> Result<S::Ok, S::Error> {
                    #write
                }
            }

            json::value!(#ident);
        },
    }
}

fn read(union: &UnionModel) -> TokenStream {
    let helpers = union.helpers.iter().map(helper);
    let variants: Vec<&VariantModel> = union.variants.iter().collect();
    let body = match &union.tag {
        Some(property) => by_tag(union, property),
        None if union.shape == Shape::Value => by_kind(union),
        None => by_shape(union, &variants),
    };
    quote!(#(#helpers)* #body)
}

/// Reads a variant by its tag, and where no tag matches, the others in order.
fn by_tag(union: &UnionModel, property: &str) -> TokenStream {
    let is_object = union.shape == Shape::Object;
    let more = union.open.is_some() || union.variants.iter().any(|variant| variant.tag.is_none());
    let start = (more || !is_object || union.variants.iter().any(restarts))
        .then(|| quote!(let start = reader.mark();));
    let arms = union.variants.iter().filter_map(|variant| tag_arm(union, variant, more));
    if !is_object {
        let rest = untagged(union, property);
        return quote! {
            #start
            let mut tag = None;
            if reader.peek()? == json::Kind::Object {
                reader.open_object()?;
                tag = reader.tag(#property)?;
                match tag.as_deref() {
                    #(#arms)*
                    _ => reader.restore(start),
                }
            }
            #rest
        };
    }
    if more {
        let rest = untagged(union, property);
        return quote! {
            #start
            let tag = reader.tag(#property)?;
            match tag.as_deref() {
                #(#arms)*
                _ => reader.restore(start),
            }
            #rest
        };
    }
    let tags = union.variants.iter().filter_map(|variant| variant.tag.as_ref());
    quote! {
        const TAGS: &[&str] = &[#(#tags),*];
        #start
        let tag = reader.tag(#property)?;
        match tag.as_deref() {
            #(#arms)*
            tag => Err(reader.bad_tag(#property, tag, TAGS)),
        }
    }
}

/// Reads a variant whose tag matches. If other variants may follow, it returns.
fn tag_arm(union: &UnionModel, variant: &VariantModel, more: bool) -> Option<TokenStream> {
    let tag = variant.tag.as_ref()?;
    let whole = whole(union, variant);
    Some(match (restarts(variant), more) {
        (true, true) => quote!(Some(#tag) => { reader.restore(start); return #whole; }),
        (true, false) => quote!(Some(#tag) => { reader.restore(start); #whole }),
        (false, true) => quote!(Some(#tag) => return #whole,),
        (false, false) => quote!(Some(#tag) => #whole,),
    })
}

/// Whether a variant looks for a tag of its own, from the start of the object.
fn restarts(variant: &VariantModel) -> bool {
    let payload = variant.tag.as_ref().and(variant.payload.as_ref());
    payload.is_some_and(|payload| payload.is_union || !payload.is_object)
}

/// Reads a variant where no tag matches.
fn untagged(union: &UnionModel, property: &str) -> TokenStream {
    let untagged = union.variants.iter().enumerate().filter(|(_, it)| it.tag.is_none());
    let Some(open) = &union.open else {
        return by_shape(union, &untagged.map(|(_, variant)| variant).collect::<Vec<_>>());
    };
    let (before, after): (Vec<_>, Vec<_>) = untagged.partition(|(at, _)| *at < open.position);
    let fails_by_tag = before.is_empty() && after.is_empty() && union.shape == Shape::Object;
    let before = before.into_iter().map(|(_, variant)| attempt(union, variant));
    let after = after.into_iter().map(|(_, variant)| attempt(union, variant));
    let open = read_open(union, open, property);
    let end = if fails_by_tag {
        quote!(Err(reader.bad_tag(#property, None, &[])))
    } else {
        refuse(union)
    };
    quote!(#(#before)* #open #(#after)* #end)
}

/// Reads one of several variants, the first that fits. A single one says itself what is wrong.
fn by_shape(union: &UnionModel, variants: &[&VariantModel]) -> TokenStream {
    if let [variant] = variants {
        return whole(union, variant);
    }
    let fits_all = |variant: &&VariantModel| variant.payload.is_none() && !variant.is_null;
    let attempts = variants.iter().map(|variant| attempt(union, variant));
    match variants.iter().position(fits_all) {
        Some(last) => attempts.take(last + 1).collect(),
        None => {
            let refuse = refuse(union);
            quote!(#(#attempts)* #refuse)
        }
    }
}

/// Reads one of several variants, told apart by the kind of JSON where that is possible.
fn by_kind(union: &UnionModel) -> TokenStream {
    let mut arms: Vec<(Vec<&VariantModel>, Vec<TokenStream>)> = Vec::new();
    for (kind, name) in Kinds::EACH {
        let fits = |variant: &&VariantModel| variant.kinds.intersects(kind);
        let variants: Vec<&VariantModel> = union.variants.iter().filter(fits).collect();
        let name = format_ident!("{name}");
        let name = quote!(json::Kind::#name);
        let same = |(others, _): &&mut (Vec<&VariantModel>, _)| {
            others.iter().map(|it| &it.ident).eq(variants.iter().map(|it| &it.ident))
        };
        match arms.iter_mut().find(same) {
            Some((_, names)) => names.push(name),
            None => arms.push((variants, vec![name])),
        }
    }
    if let [(variants, _)] = arms.as_slice() {
        return by_shape(union, variants);
    }
    let is_exhaustive = arms.iter().all(|(variants, _)| !variants.is_empty());
    let most = arms.iter().map(|(_, names)| names.len()).max().filter(|_| is_exhaustive);
    // The arm of the most kinds goes last, as the one for all the rest.
    arms.sort_by_key(|(_, names)| Some(names.len()) == most);
    let last = arms.len() - 1;
    let refuse = (!is_exhaustive).then(|| {
        let refuse = refuse(union);
        quote!(_ => #refuse,)
    });
    let arms = arms.iter().enumerate().filter(|(_, (variants, _))| !variants.is_empty());
    let arms = arms.map(|(index, (variants, names))| {
        let is_rest = is_exhaustive && index == last && names.len() > 1;
        let pattern = if is_rest { quote!(_) } else { quote!(#(#names)|*) };
        let read = by_shape(union, variants);
        quote!(#pattern => { #read })
    });
    quote! {
        match reader.peek()? {
            #(#arms)*
            #refuse
        }
    }
}

/// Reads a variant for good.
fn whole(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    let ident = &variant.ident;
    match &variant.payload {
        Some(payload) => {
            let decode = decode_fn(union, variant, payload);
            quote!(#decode(reader).map(Self::#ident))
        }
        None if variant.is_null => quote!(json::Decode::decode(reader).map(|()| Self::#ident)),
        None if union.shape == Shape::Object || variant.tag.is_some() => {
            quote!(reader.skip_rest().map(|()| Self::#ident))
        }
        None => quote!(reader.skip().map(|()| Self::#ident)),
    }
}

/// The function that decodes a payload.
fn decode_fn(union: &UnionModel, variant: &VariantModel, payload: &Payload) -> TokenStream {
    let within = union.shape == Shape::Object || variant.tag.is_some();
    match &payload.decode {
        DecodeFn::Default if payload.is_object && within => quote!(json::Record::read),
        decode => quote!(#decode),
    }
}

/// Tries a variant.
fn attempt(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    let ident = &variant.ident;
    if variant.is_null {
        return quote! {
            if reader.null()? {
                return Ok(Self::#ident);
            }
        };
    }
    let Some(payload) = &variant.payload else { return whole(union, variant) };
    let decode = decode_fn(union, variant, payload);
    quote! {
        if let Some(payload) = reader.attempt(#decode) {
            return Ok(Self::#ident(payload));
        }
    }
}

fn read_open(union: &UnionModel, open: &OpenModel, property: &str) -> TokenStream {
    let ident = &open.ident;
    let enter = (union.shape == Shape::Value).then(|| quote!(reader.open_object()?;));
    let check = open.payload.as_ref().map(|payload| quote!(reader.check::<#payload>()?;));
    let shared = &union.shared;
    quote! {
        if let Some(tag) = &tag {
            #enter
            #check
            let shared = &[#(#shared),*];
            let payload = UnknownVariant::read(reader, #property, tag, shared)?;
            return Ok(Self::#ident(payload));
        }
    }
}

/// Says that nothing fits.
fn refuse(union: &UnionModel) -> TokenStream {
    let expected = &union.expected;
    match union.shape {
        Shape::Value => quote!(reader.refuse(#expected)),
        Shape::Object => quote!(json::refuse_object(#expected)),
    }
}

/// Writes the variant: the members of an object, or a value.
fn write(union: &UnionModel) -> TokenStream {
    if union.variants.is_empty() && union.open.is_none() {
        return quote!(match *self {});
    }
    let arms = union.variants.iter().map(|variant| {
        let ident = &variant.ident;
        let payload = variant.payload.as_ref().map(|_| quote!((payload)));
        let write = match union.shape {
            Shape::Object => write_members(union, variant),
            Shape::Value => serialize(union, variant),
        };
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

fn write_members(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    match (&variant.payload, union.tag.as_ref().zip(variant.tag.as_ref())) {
        (Some(_), Some((property, tag))) => {
            quote!(json::put_tagged(object, #property, #tag, payload))
        }
        (Some(_), None) => quote!(json::Record::write(payload, object)),
        (None, Some((property, tag))) => quote!(json::put(object, #property, #tag)),
        (None, None) => quote!(Ok(())),
    }
}

fn serialize(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    match (&variant.payload, union.tag.as_ref().zip(variant.tag.as_ref())) {
        (Some(payload), Some((property, tag))) if payload.is_object => {
            quote!(json::serialize_tagged(serializer, #property, #tag, payload))
        }
        (None, Some((property, tag))) => {
            quote!(json::serialize_tagged(serializer, #property, #tag, &json::NoMembers))
        }
        (Some(_), _) => quote!(serde::Serialize::serialize(payload, serializer)),
        (None, None) => quote!(serde::Serialize::serialize(&(), serializer)),
    }
}
