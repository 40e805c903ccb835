//! Enums with payloads: their variants, constructors, accessors and conversions.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::backend::rust::model::{
    OpenModel, Parameter, Payload, ShorthandModel, UnionModel, VariantModel,
};
use crate::backend::rust::types::RustType;

/// A union.
pub(super) fn union(union: &UnionModel, eq: Option<&TokenStream>) -> TokenStream {
    let UnionModel { ident, variants, open, tag, .. } = union;
    let definitions = variants.iter().map(|variant| {
        let (docs, ident) = (&variant.docs, &variant.ident);
        let payload = variant.payload.as_ref().map(|payload| {
            let held = payload.ty.clone().boxed_if(payload.boxed);
            quote!((#held))
        });
        quote!(#docs #ident #payload,)
    });
    let open_definition = open.as_ref().map(|open| {
        let (docs, ident) = (&open.docs, &open.ident);
        quote!(#docs #ident(UnknownVariant),)
    });
    let functions = (!variants.is_empty() || open.is_some()).then(|| {
        let is_single = variants.len() + usize::from(open.is_some()) == 1;
        let constructors = variants.iter().map(constructor);
        let tag = tag.as_ref().zip(open.as_ref());
        let open_constructor = tag.map(|(tag, open)| open_constructor(open, tag));
        let accessors = variants.iter().filter_map(|variant| {
            let payload = variant.payload.as_ref()?;
            Some(accessor(&variant.accessor, &variant.ident, &payload.ty, is_single))
        });
        let open_accessor = open.as_ref().map(|open| {
            let unknown = RustType::Named(format_ident!("UnknownVariant"));
            accessor(&open.accessor, &open.ident, &unknown, is_single)
        });
        quote! {
            impl #ident {
                #(#constructors)*
                #open_constructor
                #(#accessors)*
                #open_accessor
            }
        }
    });
    let unique = variants.iter().filter(|variant| variant.is_unique);
    let conversions = unique.filter_map(|variant| conversions(ident, variant));
    let shorthand = union.shorthand.as_ref().map(|it| shorthand(ident, it));
    quote! {
        #[derive(Clone, Debug, PartialEq #eq)]
        #[non_exhaustive]
        pub enum #ident {
            #(#definitions)*
            #open_definition
        }

        #functions

        #(#conversions)*

        #shorthand
    }
}

/// The conversions from the one value of a variant.
fn shorthand(union: &Ident, shorthand: &ShorthandModel) -> TokenStream {
    let ShorthandModel { constructor, ty } = shorthand;
    let strings = (*ty == RustType::String).then(|| quote!(&str));
    let types = strings.into_iter().chain([ty.to_token_stream()]);
    let conversions = types.map(|ty| {
        quote! {
            impl From<#ty> for #union {
                fn from(value: #ty) -> Self {
                    Self::#constructor(value)
                }
            }
        }
    });
    quote!(#(#conversions)*)
}

fn constructor(variant: &VariantModel) -> TokenStream {
    let VariantModel { ident, constructor, docs, .. } = variant;
    let deprecation = docs.deprecation();
    let parameters = variant.parameters.iter().map(Parameter::declaration);
    let payload = variant.payload.as_ref().map(|payload| {
        let value = if variant.has_constructor {
            let ty = &payload.ty;
            let arguments = variant.parameters.iter().map(|parameter| &parameter.ident);
            quote!(#ty::new(#(#arguments),*))
        } else {
            variant.parameters.iter().map(Parameter::converted).collect()
        };
        let value = in_box(payload, value);
        quote!((#value))
    });
    let about = variant.payload.as_ref().filter(|_| variant.has_options).map(|payload| {
        let ty = &payload.ty.to_token_stream();
        let whole = match (variant.is_unique, payload.boxed) {
            (true, _) => format!(" [`{ty}::new(…)`]({ty}::new), its setters, and `.into()`."),
            (false, true) => format!(" `Self::{ident}(Box::new({ty}::new(…)))` with its setters."),
            (false, false) => format!(" `Self::{ident}({ty}::new(…))` with its setters."),
        };
        quote! {
            /// Creates the variant from what it requires. Whoever sets more makes the payload:
            #[doc = #whole]
        }
    });
    quote! {
        #about
        #deprecation
        pub fn #constructor(#(#parameters),*) -> Self {
            Self::#ident #payload
        }
    }
}

fn in_box(payload: &Payload, value: TokenStream) -> TokenStream {
    if payload.boxed { quote!(Box::new(#value)) } else { value }
}

fn open_constructor(open: &OpenModel, tag: &str) -> TokenStream {
    let OpenModel { ident, constructor, .. } = open;
    quote! {
        pub fn #constructor(tag: impl Into<String>, members: json::Object) -> Self {
            Self::#ident(UnknownVariant::new(#tag, tag, members))
        }
    }
}

fn accessor(accessor: &Ident, variant: &Ident, ty: &RustType, is_single: bool) -> TokenStream {
    let borrowed = ty.borrowed();
    let payload = if ty.is_copied() { quote!(*payload) } else { quote!(payload) };
    let body = if is_single {
        quote! {
            let Self::#variant(payload) = self;
            Some(#payload)
        }
    } else {
        quote! {
            if let Self::#variant(payload) = self { Some(#payload) } else { None }
        }
    };
    quote! {
        pub fn #accessor(&self) -> Option<#borrowed> {
            #body
        }
    }
}

fn conversions(union: &Ident, variant: &VariantModel) -> Option<TokenStream> {
    let payload = variant.payload.as_ref()?;
    let (ident, ty) = (&variant.ident, &payload.ty);
    let value = in_box(payload, format_ident!("payload").into_token_stream());
    let from_str = (*ty == RustType::String).then(|| {
        quote! {
            impl From<&str> for #union {
                fn from(payload: &str) -> Self {
                    Self::#ident(payload.to_owned())
                }
            }
        }
    });
    let from_array = match ty {
        RustType::Vec(items) if !payload.boxed => Some(quote! {
            impl<const N: usize> From<[#items; N]> for #union {
                fn from(payload: [#items; N]) -> Self {
                    Self::#ident(payload.into())
                }
            }
        }),
        _ => None,
    };
    Some(quote! {
        impl From<#ty> for #union {
            fn from(payload: #ty) -> Self {
                Self::#ident(#value)
            }
        }

        #from_array

        #from_str
    })
}
