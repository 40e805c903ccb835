//! Structs: their fields, constructor and setters.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::union;
use crate::backend::rust::model::{
    AdditionalModel, CompositeModel, FieldModel, Parameter, RecordModel, Storage,
};
use crate::backend::rust::types::RustType;

/// A record.
pub(super) fn record(ident: &Ident, record: &RecordModel, eq: Option<&TokenStream>) -> TokenStream {
    let derives_default = record.derives_default();
    let definition = definition(ident, record, None, eq);
    let is_defaultable = record.required().next().is_none();
    let default = (is_defaultable && !derives_default).then(|| {
        let literal = struct_literal(record, None);
        quote! {
            impl Default for #ident {
                fn default() -> Self {
                    #literal
                }
            }
        }
    });
    quote!(#definition #default)
}

/// A record of which one field holds a union that shares its JSON object, and that union.
pub(super) fn composite(
    ident: &Ident,
    composite: &CompositeModel,
    eq: Option<&TokenStream>,
) -> TokenStream {
    let CompositeModel { record, field, union } = composite;
    let kind = Parameter::new(field.clone(), RustType::Named(union.ident.clone()));
    let definition = definition(ident, record, Some(&kind), eq);
    let about = format!(" The part of a [`{ident}`] beside its own fields.");
    let union = union::union(union, eq);
    quote! {
        #definition

        #[doc = #about]
        #union
    }
}

/// Prints a struct and its functions. `kind` is the field that holds a union.
fn definition(
    ident: &Ident,
    record: &RecordModel,
    kind: Option<&Parameter>,
    eq: Option<&TokenStream>,
) -> TokenStream {
    let derives_default = kind.is_none() && record.derives_default();
    let default = derives_default.then(|| quote!(Default,));
    let fields = record.stored().map(|field| {
        let (docs, ident, ty) = (&field.docs, &field.ident, &field.ty);
        quote!(#docs pub #ident: #ty,)
    });
    let additional = record.additional.as_ref().map(|additional| {
        let AdditionalModel { ident, ty, .. } = additional;
        quote! {
            /// The members that no other field is for.
            pub #ident: #ty,
        }
    });
    let kind_field = kind.map(|Parameter { ident, ty }| quote!(pub #ident: #ty,));
    let constructor = constructor(record, kind);
    let default_fns = record.stored().filter_map(default_fn);
    let additional_setter = record.additional.as_ref().map(|additional| {
        let AdditionalModel { ident, parameter, .. } = additional;
        let (declaration, value) = (parameter.declaration(), parameter.converted());
        quote! {
            #[must_use]
            pub fn #ident(mut self, #declaration) -> Self {
                self.#ident = #value;
                self
            }
        }
    });
    let setters = record.stored().filter(|field| !field.is_required()).map(setter);
    quote! {
        #[derive(Clone, Debug, #default PartialEq #eq)]
        #[non_exhaustive]
        pub struct #ident {
            #(#fields)*
            #additional
            #kind_field
        }

        impl #ident {
            #constructor
            #(#default_fns)*
            #(#setters)*
            #additional_setter
        }
    }
}

fn constructor(record: &RecordModel, kind: Option<&Parameter>) -> TokenStream {
    let required = record.required().map(|field| &field.parameter);
    let parameters = required.chain(kind).map(Parameter::declaration);
    let parameters: Vec<TokenStream> = parameters.collect();
    let about = if parameters.is_empty() {
        " Creates an empty value."
    } else {
        " Creates a value from what is required."
    };
    // A setter may be called `default`.
    let has_default = record.fields.iter().all(|field| field.setter != "default");
    let body = if parameters.is_empty() && has_default {
        quote!(Self::default())
    } else {
        struct_literal(record, kind)
    };
    quote! {
        #[doc = #about]
        pub fn new(#(#parameters),*) -> Self {
            #body
        }
    }
}

/// The literal of a struct whose required fields are parameters.
fn struct_literal(record: &RecordModel, kind: Option<&Parameter>) -> TokenStream {
    let fields = record.stored().map(|field| {
        let value = match &field.storage {
            Storage::Required => converted(field),
            Storage::Defaulted(default) => default.expression(),
            Storage::Optional | Storage::Constant(_) => quote!(None),
            Storage::Patch => quote!(Patch::Absent),
        };
        member(&field.ident, &value)
    });
    let additional = record.additional.as_ref().map(|additional| {
        let AdditionalModel { ident, ty, .. } = additional;
        let new = if *ty == RustType::Object { quote!(json::Object) } else { quote!(json::Map) };
        quote!(#ident: #new::new())
    });
    let kind = kind.map(|field| member(&field.ident, &field.converted()));
    let fields = fields.chain(additional).chain(kind);
    quote!(Self { #(#fields),* })
}

/// `name: value`, or `name` where they are the same.
fn member(ident: &Ident, value: &TokenStream) -> TokenStream {
    if *ident == value.to_string() { quote!(#ident) } else { quote!(#ident: #value) }
}

/// The parameter's value as the field holds it.
fn converted(field: &FieldModel) -> TokenStream {
    let value = field.parameter.converted();
    if field.boxed { quote!(Box::new(#value)) } else { value }
}

fn default_fn(field: &FieldModel) -> Option<TokenStream> {
    let default = field.default_fn.as_ref()?;
    let (ident, returns, body) = (&default.ident, &default.returns, &default.body);
    Some(quote! {
        pub(super) fn #ident() -> #returns {
            #body
        }
    })
}

fn setter(field: &FieldModel) -> TokenStream {
    let (ident, setter, deprecation) = (&field.ident, &field.setter, field.docs.deprecation());
    let Setting { marker, parameter, value } = setting(field);
    quote! {
        #deprecation
        #[must_use]
        pub fn #setter #marker(mut self, #parameter) -> Self {
            self.#ident = #value;
            self
        }
    }
}

/// The parts of a setter that depend on what it takes.
struct Setting {
    /// The type parameter that tells a value from an `Option` of one.
    marker: Option<TokenStream>,
    parameter: TokenStream,
    /// The expression for the field's new value.
    value: TokenStream,
}

/// Decides what a setter takes: of a property that need not be there also an `Option`.
fn setting(field: &FieldModel) -> Setting {
    let Parameter { ident, ty } = &field.parameter;
    let (from, into, ty) = match (&field.storage, ty) {
        (Storage::Optional | Storage::Patch, RustType::Value) => {
            let value = quote!(json::IntoJson::into_json(#ident));
            let is_patch = matches!(field.storage, Storage::Patch);
            let value = if is_patch { quote!(Patch::from(#value)) } else { value };
            return Setting { marker: None, parameter: quote!(#ident: impl json::IntoJson), value };
        }
        (Storage::Optional | Storage::Patch, ty) if ty.is_copied() => {
            let is_patch = matches!(field.storage, Storage::Patch);
            let of = if is_patch { quote!(Patch) } else { quote!(Option) };
            let parameter = quote!(#ident: impl Into<#of<#ty>>);
            return Setting { marker: None, parameter, value: quote!(#ident.into()) };
        }
        (Storage::Optional, ty) => (quote!(IntoOption), quote!(into_option), ty),
        (Storage::Patch, ty) => (quote!(IntoPatch), quote!(into_patch), ty),
        (Storage::Defaulted(_), RustType::Option(ty)) if is_converted(ty) => {
            (quote!(IntoOption), quote!(into_option), &**ty)
        }
        (Storage::Required | Storage::Defaulted(_) | Storage::Constant(_), _) => {
            let (parameter, value) = (field.parameter.declaration(), converted(field));
            return Setting { marker: None, parameter, value };
        }
    };
    let value = quote!(json::#from::#into(#ident));
    Setting {
        marker: Some(quote!(<As>)),
        parameter: quote!(#ident: impl json::#from<#ty, As>),
        value: if field.boxed { quote!(#value.map(Box::new)) } else { value },
    }
}

/// Tells whether a value of the type can be made from values of others.
fn is_converted(ty: &RustType) -> bool {
    !ty.is_copied() && !matches!(ty, RustType::Boxed(_) | RustType::Value)
}
