//! The aggregates of sides: any request, any result, any notification.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::backend::rust::model::{MethodModel, Model, SideModel};
use crate::backend::rust::names;
use crate::ir::{Aggregate, Part};

/// The aggregates of all sides. `None`: no side handles anything.
pub(super) fn payloads(model: &Model<'_>) -> Option<TokenStream> {
    let protocol = model.scope.protocol;
    let aggregates = protocol.aggregates(&protocol.sides);
    let side = |it: &Aggregate<'_>| model.sides.iter().find(|side| side.wire == it.side.name.wire);
    let aggregates: Vec<TokenStream> =
        aggregates.iter().filter_map(|it| Some(aggregate(it, side(it)?))).collect();
    (!aggregates.is_empty()).then(|| {
        quote! {
            //! What the methods of a side carry, as one type for each kind of message.

            use super::json;
            use super::methods;
            use super::rpc;
            use super::types::*;

            #(#aggregates)*
        }
    })
}

fn aggregate(aggregate: &Aggregate<'_>, side: &SideModel<'_>) -> TokenStream {
    let ident = names::type_name(&aggregate.name, |_| false);
    let handler = &side.names.handler;
    let carried: Vec<&MethodModel<'_>> =
        side.methods.iter().filter(|model| aggregate.methods.contains(&model.method)).collect();
    let variants = variants(&carried);
    let constants: Vec<&Ident> = carried.iter().map(|method| &method.constant).collect();
    let is_result = aggregate.part == Part::Result;
    let types = carried.iter().map(|method| match &method.result {
        Some(result) if is_result => result,
        _ => &method.params,
    });
    let docs = constants.iter().map(|constant| format!(" Of `methods::{constant}`."));
    let (about, of) = match aggregate.part {
        Part::Params => {
            (format!(" The params of any request that `{handler}` handles."), "request")
        }
        Part::Result => {
            (format!(" The result of any request that `{handler}` handles."), "request")
        }
        Part::Notification => {
            (format!(" The params of any notification that `{handler}` handles."), "notification")
        }
    };
    let (part, returned, error) = if is_result {
        ("result", quote!(json::Result<Option<Self>>), " The text is not that of its result.")
    } else {
        ("params", quote!(rpc::Result<Option<Self>>), " -32602 with the place in `data`.")
    };
    let (read, text) = (format_ident!("from_method_and_{part}"), format_ident!("{part}"));
    let reads = format!(" Reads the {part} of a method, as a connection does.");
    let none = format!(" `None`: `{handler}` handles no {of} of this name.");
    let serde = quote!(serde::Serialize);
    quote! {
        #[doc = #about]
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "it is read, taken apart and gone")]
        pub enum #ident {
            #(#[doc = #docs] #variants(#types),)*
        }

        impl #ident {
            /// The name of the method.
            pub fn method(&self) -> &'static str {
                match self {
                    #(Self::#variants(..) => methods::#constants,)*
                }
            }

            #[doc = #reads]
            #[doc = #none]
            ///
            /// # Errors
            ///
            #[doc = #error]
            pub fn #read(method: &str, #text: Option<&str>) -> #returned {
                Ok(Some(match method {
                    #(methods::#constants => Self::#variants(rpc::#text(#text)?),)*
                    _ => return Ok(None),
                }))
            }
        }

        impl #serde for #ident {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                match self {
                    #(Self::#variants(it) => #serde::serialize(it, serializer),)*
                }
            }
        }
    }
}

/// A variant for each method, with the name of its function.
fn variants(methods: &[&MethodModel<'_>]) -> Vec<Ident> {
    let mut taken = HashSet::new();
    let mut variants = Vec::new();
    for method in methods {
        let mut variant = names::variant(method.method.function());
        while !taken.insert(variant.to_string()) {
            variant = format_ident!("{variant}_");
        }
        variants.push(variant);
    }
    variants
}
