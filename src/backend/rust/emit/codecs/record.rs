//! The codecs of records.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Expr;

use super::helper;
use crate::backend::rust::model::{
    AdditionalModel, DecodeFn, FieldModel, OnInvalid, RecordModel, Storage,
};
use crate::backend::rust::types::RustType;

/// The codec of a record, of which one field may hold a union that shares its JSON object.
pub(super) fn codec(ident: &Ident, record: &RecordModel, kind: Option<&Ident>) -> TokenStream {
    if kind.is_none()
        && let Some(fields) = fields(record)
    {
        return quote!(json::fields!(#ident { #(#fields),* }););
    }
    let locals = Locals::new(record, kind);
    let reader = &locals.reader;
    let read = read(record, kind, &locals);
    let is_used = !record.fields.is_empty() || record.additional.is_some() || kind.is_some();
    let object = if is_used { format_ident!("object") } else { format_ident!("_object") };
    let write = write(record, kind);
    quote! {
        impl json::Record for #ident {
            fn read(#reader: &mut json::Reader<'_>) -> json::Result<Self> {
                #read
            }

            fn write<M: serde::ser::SerializeMap>(&self, #object: &mut M) -> Result<(), M::Error> {
                #write
            }
        }

        json::record!(#ident);
    }
}

/// The fields of a record, a line each, for the macro of the runtime that reads and writes them.
/// None if the record is not as most are.
fn fields(record: &RecordModel) -> Option<Vec<TokenStream>> {
    let RecordModel { fields, additional, helpers, forbidden, keys, closed } = record;
    if fields.is_empty()
        || !helpers.is_empty()
        || !forbidden.is_empty()
        || keys.is_some()
        || *closed
    {
        return None;
    }
    let mut lines: Vec<_> = fields.iter().map(line).collect::<Option<_>>()?;
    if let Some(AdditionalModel { ident, ty, decode, .. }) = additional {
        let map = if *ty == RustType::Object { quote!(Object) } else { quote!(Map) };
        let decode = function(decode).ok()?;
        lines.push(quote!(..#ident: #map #decode));
    }
    Some(lines)
}

/// A function that is more than a name.
struct TooLong;

/// The function that decodes a value, where a line names it.
fn function(decode: &DecodeFn) -> Result<Option<TokenStream>, TooLong> {
    match decode {
        DecodeFn::Default => Ok(None),
        decode if is_short(&quote!(#decode)) => Ok(Some(quote!((#decode)))),
        _ => Err(TooLong),
    }
}

/// The line of a field. None if it is of a kind that is not common, or says more than a line does.
fn line(field: &FieldModel) -> Option<TokenStream> {
    let FieldModel { ident, wire, .. } = field;
    let read = match &field.on_invalid {
        OnInvalid::Refuse => quote!(strict),
        OnInvalid::Absent => quote!(lenient),
        OnInvalid::NullAbsent => quote!(non_null),
        OnInvalid::Become(other) if other.is_standard() => quote!(lenient_default),
        OnInvalid::NullBecomes(other) if other.is_standard() => quote!(non_null_default),
        OnInvalid::Become(_) | OnInvalid::NullBecomes(_) => return None,
    };
    let decode = function(&field.decode).ok()?;
    let store = match &field.storage {
        Storage::Required => quote!(required),
        Storage::Optional => quote!(optional),
        Storage::Patch => quote!(patch),
        Storage::Defaulted(default) => {
            let (word, other) = default.otherwise();
            if !other.as_ref().is_none_or(is_short) {
                return None;
            }
            let (word, other) = (format_ident!("{word}"), other.map(|it| quote!((#it))));
            quote!(#word #other)
        }
        Storage::Constant(_) => return None,
    };
    Some(quote!(#ident: #wire #read #decode #store))
}

/// Tells whether an expression is a name or a constant.
fn is_short(expression: &TokenStream) -> bool {
    match syn::parse2(expression.clone()) {
        Ok(Expr::Lit(_) | Expr::Path(_)) => true,
        Ok(Expr::Unary(unary)) => matches!(*unary.expr, Expr::Lit(_)),
        _ => false,
    }
}

/// Names of local variables, none of them that of a field.
struct Locals {
    reader: Ident,
    key: Ident,
    value: Ident,
    start: Ident,
}

impl Locals {
    fn new(record: &RecordModel, kind: Option<&Ident>) -> Self {
        let free = |name: &str| {
            let mut name = format_ident!("{name}");
            while record.fields.iter().any(|field| field.ident == name) || kind == Some(&name) {
                name = format_ident!("{name}_");
            }
            name
        };
        Self {
            reader: free("reader"),
            key: free("key"),
            value: free("value"),
            start: free("start"),
        }
    }
}

fn read(record: &RecordModel, kind: Option<&Ident>, locals: &Locals) -> TokenStream {
    let Locals { reader, start, .. } = locals;
    let helpers = record.helpers.iter().map(helper);
    let members = members(record, locals);
    let constants = record.fields.iter().filter(|field| field.is_constant()).map(|field| {
        let (ident, wire) = (&field.ident, &field.wire);
        quote!(json::required::<_>(#ident, #wire)?;)
    });
    let additional = record.additional.iter().map(|additional| additional.ident.to_token_stream());
    let fields = record.stored().map(finished).chain(additional);
    if let Some(kind) = kind {
        return quote! {
            #(#helpers)*
            let #start = #reader.mark();
            #members
            #(#constants)*
            #reader.restore(#start);
            Ok(Self { #(#fields,)* #kind: json::Record::read(#reader)? })
        };
    }
    if !record.forbidden.is_empty() || record.keys.is_some() {
        let sets = record.forbidden.iter().map(|keys| quote!(&[#(#keys),*]));
        let forbid =
            (!record.forbidden.is_empty()).then(|| quote!(#reader.forbid(#start, &[#(#sets),*])?;));
        let rules = record.keys.iter();
        return quote! {
            #(#helpers)*
            let #start = #reader.mark();
            #members
            #(#constants)*
            let decoded = Self { #(#fields),* };
            #forbid
            #(#reader.check_keys(#start, #rules)?;)*
            Ok(decoded)
        };
    }
    quote! {
        #(#helpers)*
        #members
        #(#constants)*
        Ok(Self { #(#fields),* })
    }
}

/// Reads all members, those of fields into variables named for them.
fn members(record: &RecordModel, locals: &Locals) -> TokenStream {
    let Locals { reader, key, .. } = locals;
    let idents = record.fields.iter().map(|field| &field.ident);
    let arms = record.fields.iter().map(|field| arm(field, locals));
    let (map, other) = match &record.additional {
        Some(AdditionalModel { ident, ty, decode, .. }) => {
            let new = if *ty == RustType::Object { quote!(Object) } else { quote!(Map) };
            let map = quote!(let mut #ident = json::#new::new(););
            (Some(map), quote!(#reader.keep(#key, &mut #ident, #decode)?))
        }
        None => (None, quote!(#reader.skip()?)),
    };
    let other = if record.closed && map.is_none() {
        quote!(#reader.deny(&#key).and_then(|()| #reader.skip())?)
    } else if record.closed {
        quote!({ #reader.deny(&#key)?; #other; })
    } else {
        other
    };
    if !record.fields.is_empty() {
        return quote! {
            #(let mut #idents = None;)*
            #map
            while let Some(#key) = #reader.key()? {
                match &*#key {
                    #(#arms)*
                    _ => #other,
                }
            }
        };
    }
    if map.is_none() && !record.closed {
        return quote!(#reader.skip_rest()?;);
    }
    quote! {
        #map
        while let Some(#key) = #reader.key()? {
            #other;
        }
    }
}

/// Reads a property into its variable.
fn arm(field: &FieldModel, locals: &Locals) -> TokenStream {
    let Locals { reader, key, value, .. } = locals;
    let FieldModel { wire, ident, .. } = field;
    let read = |function: &str| {
        let plain = format_ident!("{function}");
        let with = format_ident!("{function}_with");
        match &field.decode {
            DecodeFn::Default => quote!(#reader.#plain(&#key)?),
            decode => quote!(#reader.#with(&#key, #decode)?),
        }
    };
    let (read, other) = match &field.on_invalid {
        OnInvalid::Refuse => {
            let read = read("field");
            return quote!(#wire => #ident = Some(#read),);
        }
        OnInvalid::Absent => (read("lenient"), None),
        OnInvalid::NullAbsent => (read("non_null"), None),
        OnInvalid::Become(other) => (read("lenient"), Some(other)),
        OnInvalid::NullBecomes(other) => (read("non_null"), Some(other)),
    };
    let Some(other) = other else { return quote!(#wire => #ident = #read,) };
    let other = other.or_else(&quote!(#value));
    quote! {
        #wire => {
            let #value = #read;
            #ident = Some(#other);
        }
    }
}

/// A field of the finished struct.
fn finished(field: &FieldModel) -> TokenStream {
    let FieldModel { ident, wire, .. } = field;
    match &field.storage {
        Storage::Optional | Storage::Constant(_) => quote!(#ident),
        Storage::Required => quote!(#ident: json::required(#ident, #wire)?),
        Storage::Patch => quote!(#ident: #ident.unwrap_or_default()),
        Storage::Defaulted(default) => {
            let value = default.or_else(&quote!(#ident));
            quote!(#ident: #value)
        }
    }
}

fn write(record: &RecordModel, kind: Option<&Ident>) -> TokenStream {
    let mut puts: Vec<TokenStream> = record.fields.iter().map(put).collect();
    puts.extend(record.additional.iter().map(|additional| {
        let ident = &additional.ident;
        quote!(json::put_all(object, &self.#ident))
    }));
    puts.extend(kind.map(|kind| quote!(json::Record::write(&self.#kind, object))));
    let last = puts.pop().unwrap_or_else(|| quote!(Ok(())));
    quote!(#(#puts?;)* #last)
}

fn put(field: &FieldModel) -> TokenStream {
    let FieldModel { ident, wire, .. } = field;
    match &field.storage {
        Storage::Constant(value) => quote!(json::put(object, #wire, #value)),
        Storage::Required | Storage::Defaulted(_) => quote!(json::put(object, #wire, &self.#ident)),
        Storage::Optional => quote!(json::put_some(object, #wire, self.#ident.as_ref())),
        Storage::Patch => quote!(json::put_patch(object, #wire, &self.#ident)),
    }
}
