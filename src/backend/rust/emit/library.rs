//! The root of the library.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::Model;
use crate::backend::rust::package;

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
    let version = protocol.version.as_ref().map(version);
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

fn version(version: &Value) -> TokenStream {
    let number = version.as_u64().unwrap_or_default();
    let constant = match (version.as_str(), u16::try_from(number)) {
        (Some(text), _) => quote!(PROTOCOL_VERSION: &str = #text),
        (None, Ok(number)) => {
            let number = proc_macro2::Literal::u16_unsuffixed(number);
            quote!(PROTOCOL_VERSION: u16 = #number)
        }
        (None, Err(_)) => {
            let number = proc_macro2::Literal::u64_unsuffixed(number);
            quote!(PROTOCOL_VERSION: u64 = #number)
        }
    };
    quote! {
        /// The version of the protocol that this package speaks.
        pub const #constant;
    }
}
