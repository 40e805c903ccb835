//! The root of the library.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use serde_json::Value;

use crate::backend::Runtime;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::literals;
use crate::backend::rust::model::Model;
use crate::backend::rust::package;
use crate::backend::rust::runtime;
use crate::backend::rust::types::MachineInteger;
use crate::ir::{Protocol, Type};

/// The modules of a package whose code is not always the same.
#[derive(Debug, Default)]
pub(in crate::backend::rust) struct Split {
    /// The modules that are another file with the feature `unstable`.
    pub(in crate::backend::rust) twofold: BTreeSet<&'static str>,
    /// The modules that are there with the feature only.
    pub(in crate::backend::rust) unstable: BTreeSet<&'static str>,
}

/// The library's root: its modules, and all that users name without one. `names` are those of the
/// modules that the schema decides about.
pub(in crate::backend::rust) fn library(
    model: &Model<'_>,
    guide: &str,
    names: &[&str],
    split: &Split,
) -> TokenStream {
    let (protocol, options) = (model.scope.protocol, model.scope.options);
    let title = DocComment::trusted(&format!("{}.", package::title(protocol)));
    let about = title.before(DocComment::new(&protocol.docs, options));
    let about = about.before(DocComment::trusted(guide)).inner();
    let lints = lints();
    let modules = modules(model, names, split);
    let runtime = runtime(model);
    let exports = exports(model, names, split);
    let version = version(protocol);
    quote! {
        #about
        #lints
        #modules
        #runtime
        #exports
        #version
    }
}

/// The modules of the runtime, under the names that they have in it.
fn runtime(model: &Model<'_>) -> TokenStream {
    let runtime = match model.scope.options.runtime {
        Runtime::Package => format_ident!("acp_bindgen_runtime"),
        Runtime::Embedded | Runtime::None => format_ident!("runtime"),
    };
    let (own, shown): (BTreeSet<_>, BTreeSet<_>) =
        runtime::modules(model).into_iter().partition(|module| *module == "progress");
    let (own, shown) = (own.iter(), shown.iter().filter(|module| **module != "remote"));
    let (own, shown) = (own.map(|it| format_ident!("{it}")), shown.map(|it| format_ident!("{it}")));
    let remote = runtime::is_remote(model).then(|| {
        let condition = super::remote::condition(model.scope.protocol);
        quote! {
            #[cfg(#condition)]
            pub use #runtime::remote;
        }
    });
    quote! {
        #(use #runtime::#own;)*
        pub use #runtime::{#(#shown),*};
        #remote
    }
}

/// The lints that generated code is not held to, and why.
fn lints() -> TokenStream {
    quote! {
        #![allow(clippy::doc_lazy_continuation, clippy::doc_markdown, reason = "the prose is the schema's")]
        #![allow(
            clippy::disallowed_names,
            clippy::enum_variant_names,
            clippy::iter_not_returning_iterator,
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
            clippy::large_stack_arrays,
            clippy::struct_excessive_bools,
            clippy::too_many_arguments,
            clippy::too_many_lines,
            clippy::zero_sized_map_values,
            reason = "the sizes are the schema's"
        )]
        #![allow(deprecated, reason = "what the schema deprecates is still here")]
        #![allow(clippy::match_same_arms, reason = "there is an arm for each variant, in the schema's order")]
        #![allow(clippy::must_use_candidate, reason = "setters are marked; to drop what a getter gives does no harm")]
        #![allow(clippy::wildcard_imports, reason = "types, codecs and handlers are one thing, apart only for reading")]
    }
}

fn modules(model: &Model<'_>, names: &[&str], split: &Split) -> TokenStream {
    let sides = model.has_sides();
    let depends = quote!(reason = "it depends on the schema what is needed");
    let has = |name: &str| names.contains(&name);
    let unused = quote!(#[allow(unused_imports, #depends)]);
    let catalogue = has("catalogue").then(|| {
        let read = quote! {
            #[allow(clippy::trivially_copy_pass_by_ref, reason = "an input is only read, whatever it is")]
        };
        module(split, "catalogue", &read, &quote!(pub))
    });
    let plain = TokenStream::new();
    let private = |name, attrs| module(split, name, attrs, &plain);
    let codecs = private("codecs", &unused);
    let connection = sides.then(|| {
        let (connections, dispatch) =
            (private("connections", &unused), private("dispatch", &unused));
        quote! {
            #connections
            #dispatch
        }
    });
    let errors = has("errors").then(|| private("errors", &plain));
    let handlers = sides.then(|| private("handlers", &unused));
    let hosts = has("hosts").then(|| private("hosts", &unused));
    let methods = module(split, "methods", &plain, &quote!(pub));
    let payloads = has("payloads").then(|| private("payloads", &unused));
    let states = has("states").then(|| private("states", &plain));
    let runtime = (model.scope.options.runtime != Runtime::Package).then(|| {
        quote! {
            #[allow(
                dead_code,
                unused_imports,
                unused_macros,
                clippy::unused_async,
                reason = "it depends on the schema and on features what is needed"
            )]
            mod runtime;
        }
    });
    let table = has("table").then(|| private("table", &plain));
    let types = private("types", &unused);
    quote! {
        #catalogue
        #codecs
        #connection
        #errors
        #handlers
        #hosts
        #methods
        #payloads
        #runtime
        #states
        #table
        #types
    }
}

/// The declaration of a module, or of both that it is.
fn module(split: &Split, name: &str, attrs: &TokenStream, vis: &TokenStream) -> TokenStream {
    let ident = format_ident!("{name}");
    let when = split.unstable.contains(name).then(unstable);
    let plain = quote!(#attrs #vis mod #ident;);
    if !split.twofold.contains(name) {
        return quote!(#when #plain);
    }
    let (when, path) = (unstable(), format!("unstable/{name}.rs"));
    quote! {
        #[cfg(not(feature = "unstable"))]
        #plain
        #when
        #[path = #path]
        #plain
    }
}

/// The condition of what is there with the feature only.
fn unstable() -> TokenStream {
    quote!(#[cfg(feature = "unstable")])
}

fn exports(model: &Model<'_>, names: &[&str], split: &Split) -> TokenStream {
    let when = |name| split.unstable.contains(name).then(unstable);
    let sides = model.has_sides().then(|| {
        let when = when("connections");
        quote! {
            #when
            pub use connections::*;
            #when
            pub use handlers::*;
        }
    });
    let hosts = names.contains(&"hosts").then(|| {
        let when = when("hosts");
        quote! {
            #when
            pub use connection::ProgramOptions;
            #when
            pub use hosts::*;
        }
    });
    let states = (!model.states.is_empty()).then(|| {
        let when = when("states");
        quote! {
            #when
            pub use states::*;
        }
    });
    let payloads = names.contains(&"payloads").then(|| {
        let when = when("payloads");
        quote! {
            #when
            pub use payloads::*;
        }
    });
    let is_apart = model.scope.options.runtime == Runtime::Package;
    let errors = (is_apart && names.contains(&"errors")).then(|| {
        let when = when("errors");
        quote! {
            #when
            pub use errors::RequestErrors;
        }
    });
    let call_error = model.has_sides().then(|| quote! { pub use connection::CallError; });
    let types = (!model.scope.protocol.types.is_empty()).then(|| quote! { pub use types::*; });
    quote! {
        #call_error
        #sides
        #errors
        #hosts
        pub use json::{DecodeError, Patch, UnknownVariant};
        #payloads
        pub use rpc::{RequestError, Result};
        #states
        #types
    }
}

/// The type of versions: that of the property that asks for one, where it is an integer.
pub(super) fn version_type(protocol: &Protocol) -> Option<TokenStream> {
    let version = protocol.version.as_ref()?;
    if let Some(Type::Integer(asked)) = asked_version(protocol) {
        return Some(MachineInteger::new(asked).ty().into_token_stream());
    }
    let number = version.as_u64().unwrap_or_default();
    Some(match (version, u16::try_from(number)) {
        (Value::String(_), _) => quote!(&'static str),
        (_, Ok(_)) => quote!(u16),
        (_, Err(_)) => quote!(u64),
    })
}

/// The type of the property that asks for a version.
fn asked_version(protocol: &Protocol) -> Option<&Type> {
    let negotiation = protocol.negotiation.as_ref()?;
    let method = protocol.request(&negotiation.method)?;
    let mut fields = protocol.fields(method.params()).iter();
    fields.find(|field| field.name.wire == negotiation.params.wire).map(|field| &field.ty)
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
