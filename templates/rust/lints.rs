#![allow(
    clippy::doc_lazy_continuation,
    clippy::doc_markdown,
    reason = "the prose is the schema's"
)]
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
#![allow(
    clippy::match_same_arms,
    reason = "there is an arm for each variant, in the schema's order"
)]
#![allow(
    clippy::must_use_candidate,
    reason = "setters are marked; to drop what a getter gives does no harm"
)]
#![allow(
    clippy::wildcard_imports,
    reason = "types, codecs and handlers are one thing, apart only for reading"
)]
