//! The root of the library.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::literals;
use crate::backend::rust::model::Model;
use crate::backend::rust::package;
use crate::ir::Protocol;

/// The library's root: its modules, and all that users name without one.
pub(super) fn library(
    model: &Model<'_>,
    guide: &str,
    has_errors: bool,
    has_catalogue: bool,
) -> TokenStream {
    let (protocol, options) = (model.scope.protocol, model.scope.options);
    let title = DocComment::trusted(&format!("{}.", package::title(protocol)));
    let about = title.before(DocComment::new(&protocol.docs, options));
    let about = about.before(DocComment::trusted(guide)).inner();
    let lints = lints();
    let modules = modules(model, has_errors, has_catalogue);
    let exports = exports(model);
    let version = version(protocol);
    quote! {
        #about
        #lints
        #modules
        #exports
        #version
    }
}

/// The lints that generated code is not held to, and why.
fn lints() -> TokenStream {
    quote! {
        #![allow(clippy::doc_lazy_continuation, clippy::doc_markdown, reason = "the prose is the schema's")]
        #![allow(
            clippy::enum_variant_names,
            clippy::many_single_char_names,
            clippy::new_ret_no_self,
            clippy::new_without_default,
            clippy::self_named_constructors,
            clippy::should_implement_trait,
            clippy::similar_names,
            clippy::struct_field_names,
            clippy::wrong_self_convention,
            reason = "the names are the schema's"
        )]
        #![allow(
            clippy::struct_excessive_bools,
            clippy::too_many_arguments,
            clippy::too_many_lines,
            reason = "the sizes are the schema's"
        )]
        #![allow(deprecated, reason = "what the schema deprecates is still here")]
        #![allow(clippy::match_same_arms, reason = "there is an arm for each variant, in the schema's order")]
        #![allow(clippy::must_use_candidate, reason = "setters are marked; to drop what a getter gives does no harm")]
        #![allow(clippy::wildcard_imports, reason = "types, codecs and handlers are one thing, apart only for reading")]
    }
}

fn modules(model: &Model<'_>, has_errors: bool, has_catalogue: bool) -> TokenStream {
    let sides = model.has_sides();
    let depends = quote!(reason = "it depends on the schema what is needed");
    let catalogue = has_catalogue.then(|| {
        quote! {
            #[allow(clippy::trivially_copy_pass_by_ref, reason = "an input is only read, whatever it is")]
            pub mod catalogue;
        }
    });
    let connection = sides.then(|| {
        quote! {
            #[allow(dead_code, unused_imports, #depends)]
            pub mod connection;
            #[allow(unused_imports, #depends)]
            mod connections;
            #[allow(unused_imports, #depends)]
            mod dispatch;
        }
    });
    let errors = has_errors.then(|| quote! { mod errors; });
    let handlers = sides.then(|| {
        quote! {
            #[allow(unused_imports, #depends)]
            mod handlers;
        }
    });
    let streams = model.scope.protocol.has_streams().then(|| quote! { pub mod streams; });
    quote! {
        #catalogue
        #[allow(unused_imports, #depends)]
        mod codecs;
        #connection
        #errors
        #handlers
        #[allow(dead_code, unused_imports, unused_macros, #depends)]
        pub mod json;
        pub mod methods;
        #[allow(dead_code, #depends)]
        pub mod rpc;
        #streams
        mod table;
        #[allow(unused_imports, #depends)]
        mod types;
    }
}

fn exports(model: &Model<'_>) -> TokenStream {
    let sides = model.has_sides().then(|| {
        quote! {
            pub use connection::CallError;
            pub use connections::*;
            pub use handlers::*;
        }
    });
    let types = (!model.types.is_empty()).then(|| quote! { pub use types::*; });
    quote! {
        #sides
        pub use json::{DecodeError, Patch, UnknownVariant};
        pub use rpc::{RequestError, Result};
        #types
    }
}

/// The type of versions.
pub(super) fn version_type(protocol: &Protocol) -> Option<TokenStream> {
    let version = protocol.version.as_ref()?;
    let number = version.as_u64().unwrap_or_default();
    Some(match (version, u16::try_from(number)) {
        (Value::String(_), _) => quote!(&'static str),
        (_, Ok(_)) => quote!(u16),
        (_, Err(_)) => quote!(u64),
    })
}

/// The version of the protocol, and all that are spoken if the ends agree on one.
fn version(protocol: &Protocol) -> Option<TokenStream> {
    let (version, ty) = (protocol.version.as_ref()?, version_type(protocol)?);
    let literal = |version: &Value| match version.as_str() {
        Some(text) => quote!(#text),
        None => literals::integer(version.as_u64().unwrap_or_default().into()),
    };
    let of_constant = if version.is_string() { quote!(&str) } else { ty };
    let version = literal(version);
    let versions = protocol.negotiation.as_ref().map(|negotiation| {
        let versions = negotiation.versions.iter().map(literal);
        quote! {
            /// All versions that it speaks, from the lowest to the highest.
            pub const PROTOCOL_VERSIONS: &[#of_constant] = &[#(#versions),*];
        }
    });
    Some(quote! {
        /// The version of the protocol that this package speaks.
        pub const PROTOCOL_VERSION: #of_constant = #version;
        #versions
    })
}
