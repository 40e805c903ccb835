//! The codecs of unions.

mod write;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use self::write::write;
use super::helper;
use crate::backend::rust::model::{DecodeFn, OpenModel, Payload, Shape, UnionModel, VariantModel};
use crate::decode::{Candidates, Choice, KnownKeys, Step};
use crate::ir::{JsonType, JsonTypes};

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
    let body = match &union.tag {
        Some(property) => by_tag(union, property),
        None => untagged(union, None),
    };
    quote!(#(#helpers)* #body)
}

/// Reads a variant by its tag, and where no tag matches, another.
fn by_tag(union: &UnionModel, property: &str) -> TokenStream {
    let is_object = union.shape == Shape::Object;
    let more = !union.steps.is_empty() || !is_object;
    let start =
        (more || union.variants.iter().any(restarts)).then(|| quote!(let start = reader.mark();));
    let arms = union.variants.iter().filter_map(|variant| tag_arm(union, variant, more));
    let (tags, other) = if more {
        (None, quote!(_ => reader.restore(start),))
    } else {
        let tags = union.variants.iter().filter_map(|variant| variant.tag.as_ref());
        let tags = quote!(const TAGS: &[&str] = &[#(#tags),*];);
        (Some(tags), quote!(tag => Err(reader.bad_tag(#property, tag, TAGS)),))
    };
    let choose = quote! {
        match tag.as_deref() {
            #(#arms)*
            #other
        }
    };
    let rest = more.then(|| untagged(union, Some(property)));
    if is_object {
        return quote! {
            #tags
            #start
            let tag = reader.tag(#property)?;
            #choose
            #rest
        };
    }
    if union.open.is_none() {
        return quote! {
            #start
            if reader.peek()? == json::Kind::Object {
                reader.open_object()?;
                let tag = reader.tag(#property)?;
                #choose
            }
            #rest
        };
    }
    quote! {
        #start
        let mut tag = None;
        if reader.peek()? == json::Kind::Object {
            reader.open_object()?;
            tag = reader.tag(#property)?;
            #choose
        }
        #rest
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

/// Tells whether a variant looks for a tag of its own, from the start of the object.
fn restarts(variant: &VariantModel) -> bool {
    let payload = variant.tag.as_ref().and(variant.payload.as_ref());
    payload.is_some_and(|it| it.is_union || !it.is_object || it.looks_at_keys)
}

/// Reads a variant that no tag selects, as it is if one takes it so.
fn untagged(union: &UnionModel, property: Option<&str>) -> TokenStream {
    let steps = steps(union, property);
    if union.strict_first { quote!(reader.strict_first(|reader| { #steps })) } else { steps }
}

fn steps(union: &UnionModel, property: Option<&str>) -> TokenStream {
    if let [Step::Choose(choice)] = union.steps.as_slice() {
        return only_choice(union, choice);
    }
    let steps = union.steps.iter().map(|step| match (step, &union.open) {
        (Step::Choose(choice), _) => first_choice(union, choice),
        (Step::Open, Some(open)) => read_open(union, open, property.unwrap_or_default()),
        (Step::Open, None) => TokenStream::new(),
    });
    let end = match property {
        Some(property) if union.is_by_tag_alone && union.shape == Shape::Object => {
            quote!(Err(reader.bad_tag(#property, None, &[])))
        }
        _ => refuse(union),
    };
    quote!(#(#steps)* #end)
}

/// Reads one of several variants, after which there is nothing to try.
fn only_choice(union: &UnionModel, choice: &Choice) -> TokenStream {
    let refuse = refuse(union);
    let read = |candidates: &Candidates| {
        if let Candidates::Only(index) = candidates {
            return union.variants.get(*index).map(|it| whole(union, it)).unwrap_or_default();
        }
        if let Candidates::InOrder(order) = candidates
            && let Some((last, rest)) = order.split_last()
            && let Some(last) = union.variants.get(*last)
            && last.payload.is_none()
            && !last.is_null
        {
            // The last takes anything.
            let (attempts, whole) = (in_order(union, rest), whole(union, last));
            return quote!(#attempts #whole);
        }
        let attempts = attempts(union, candidates);
        quote!(#attempts #refuse)
    };
    let is_of_objects = choice.arms.iter().all(|(types, candidates)| {
        *candidates == Candidates::None || *types == JsonTypes::from(JsonType::Object)
    });
    let other_kind =
        if is_of_objects { quote!(reader.refuse("an object")) } else { refuse.clone() };
    by_kind(union, choice, &read, Some(&other_kind))
}

/// Reads one of several variants, after which there are others to try.
fn first_choice(union: &UnionModel, choice: &Choice) -> TokenStream {
    let read = |candidates: &Candidates| match candidates {
        Candidates::Only(index) => {
            let variant = union.variants.get(*index);
            let whole = variant.map(|variant| whole(union, variant)).unwrap_or_default();
            quote!(return #whole;)
        }
        candidates => attempts(union, candidates),
    };
    by_kind(union, choice, &read, None)
}

/// Reads by the kind of JSON. `refuse` is for a kind that no variant takes, if nothing comes after.
fn by_kind(
    union: &UnionModel,
    choice: &Choice,
    read: &dyn Fn(&Candidates) -> TokenStream,
    refuse: Option<&TokenStream>,
) -> TokenStream {
    if let Some((_, candidates)) = whole_choice(union, choice) {
        return read(candidates);
    }
    let arms = choice.arms.iter().filter(|(_, candidates)| *candidates != Candidates::None);
    let mut arms: Vec<&(JsonTypes, Candidates)> = arms.collect();
    // A choice among objects says nothing of other JSON.
    let is_taken = |ty: &JsonType| arms.iter().any(|(types, _)| types.contains(*ty));
    let missing: Vec<JsonType> = JsonTypes::ALL.iter().filter(|ty| !is_taken(ty)).collect();
    let other = if let [only] = missing[..] { pattern(only.into()) } else { quote!(_) };
    let mut rest = (!missing.is_empty()).then(|| refuse.cloned().unwrap_or_else(|| quote!({})));
    if missing.is_empty() && refuse.is_some() {
        // The arm of the most types goes last, as the one for all the rest.
        let most = arms.iter().map(|(types, _)| types.iter().count()).max();
        arms.sort_by_key(|(types, _)| Some(types.iter().count()) == most);
        rest = arms.pop_if(|_| most > Some(1)).map(|(_, candidates)| {
            let read = read(candidates);
            quote!({ #read })
        });
    }
    let rest = rest.map(|rest| quote!(#other => #rest,));
    let arms = arms.iter().map(|(types, candidates)| {
        let (pattern, read) = (pattern(*types), read(candidates));
        quote!(#pattern => { #read })
    });
    quote! {
        match reader.peek()? {
            #(#arms)*
            #rest
        }
    }
}

/// The arm of a choice for all JSON that can come there.
fn whole_choice<'a>(union: &UnionModel, choice: &'a Choice) -> Option<&'a (JsonTypes, Candidates)> {
    match choice.arms.as_slice() {
        [arm] if union.shape == Shape::Object || arm.0 == JsonTypes::ALL => Some(arm),
        _ => None,
    }
}

/// `json::Kind::Null | json::Kind::String`
fn pattern(types: JsonTypes) -> TokenStream {
    let types = types.iter().map(|ty| match ty {
        JsonType::Null => quote!(json::Kind::Null),
        JsonType::Boolean => quote!(json::Kind::Boolean),
        JsonType::Number => quote!(json::Kind::Number),
        JsonType::String => quote!(json::Kind::String),
        JsonType::Array => quote!(json::Kind::Array),
        JsonType::Object => quote!(json::Kind::Object),
    });
    quote!(#(#types)|*)
}

/// Tries variants in an order. The first that fits is returned.
fn in_order(union: &UnionModel, order: &[usize]) -> TokenStream {
    let variants = order.iter().filter_map(|index| union.variants.get(*index));
    variants.map(|variant| attempt(union, variant)).collect()
}

/// Tries variants. The first that fits is returned.
fn attempts(union: &UnionModel, candidates: &Candidates) -> TokenStream {
    match candidates {
        Candidates::None => TokenStream::new(),
        Candidates::Only(index) => in_order(union, &[*index]),
        Candidates::InOrder(order) => in_order(union, order),
        Candidates::MostKeys(known) => {
            let keys = known.iter().map(|(_, keys)| match keys {
                KnownKeys::Every => quote!(None),
                KnownKeys::Listed(keys) => quote!(Some(&[#(#keys),*])),
            });
            let arms = known.iter().enumerate().map(|(location, (index, _))| {
                let number = Literal::usize_unsuffixed(location);
                let is_last = location + 1 == known.len();
                let pattern = if is_last { quote!(_) } else { quote!(#number) };
                let attempt = in_order(union, &[*index]);
                quote!(#pattern => { #attempt })
            });
            let order = match union.shape {
                Shape::Object => quote!(reader.most_known(known)?),
                Shape::Value => quote!(reader.most_known_within(known)?),
            };
            quote! {
                let known: &[Option<&[&str]>] = &[#(#keys),*];
                for variant in #order {
                    match variant {
                        #(#arms)*
                    }
                }
            }
        }
    }
}

/// Reads a variant for good.
fn whole(union: &UnionModel, variant: &VariantModel) -> TokenStream {
    let ident = &variant.ident;
    match &variant.payload {
        Some(payload) => {
            let read = read_payload(union, variant, payload);
            quote!(#read.map(Self::#ident))
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
        // What starts again does so before the object.
        DecodeFn::Default if union.shape == Shape::Value && restarts(variant) => {
            quote!(json::Decode::decode)
        }
        DecodeFn::Default if payload.is_object && within => quote!(json::Record::read),
        decode => quote!(#decode),
    }
}

/// Reads a payload. One that keeps members is told which of them are the union's.
fn read_payload(union: &UnionModel, variant: &VariantModel, payload: &Payload) -> TokenStream {
    let decode = decode_fn(union, variant, payload);
    let owned = owned(union, variant.tag.is_some());
    if !payload.keeps_members || owned.is_empty() {
        return quote!(#decode(reader));
    }
    if union.shape == Shape::Value && restarts(variant) {
        return quote!(reader.without(&[#(#owned),*], #decode));
    }
    quote!(reader.beside(&[#(#owned),*], #decode))
}

/// The members that belong to a union.
fn owned(union: &UnionModel, is_tagged: bool) -> Vec<&String> {
    union.tag.iter().filter(|_| is_tagged).chain(&union.shared).collect()
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
    let Some(payload) = &variant.payload else {
        let whole = whole(union, variant);
        return quote!(return #whole;);
    };
    let owned = owned(union, false);
    let decode = if payload.keeps_members && !owned.is_empty() {
        let read = read_payload(union, variant, payload);
        quote!(|reader| #read)
    } else {
        decode_fn(union, variant, payload)
    };
    let attempt = if union.is_retried { quote!(attempt_once) } else { quote!(attempt) };
    quote! {
        if let Some(payload) = reader.#attempt(#decode) {
            return Ok(Self::#ident(payload));
        }
    }
}

fn read_open(union: &UnionModel, open: &OpenModel, property: &str) -> TokenStream {
    let ident = &open.ident;
    let enter = (union.shape == Shape::Value).then(|| quote!(reader.open_object()?;));
    let owned = owned(union, true);
    let check = open.payload.as_ref().map(|payload| {
        if open.keeps_members {
            quote!(reader.beside(&[#(#owned),*], json::Reader::check::<#payload>)?;)
        } else {
            quote!(reader.check::<#payload>()?;)
        }
    });
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
