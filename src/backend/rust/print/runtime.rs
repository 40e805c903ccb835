//! The modules that are the same for every protocol.

/// The module of JSON, and the modules within it.
pub(super) const JSON: &str = include_str!("../../../../templates/rust/json/mod.rs");
pub(super) const JSON_PARTS: [(&str, &str); 12] = [
    ("constraints", include_str!("../../../../templates/rust/json/constraints.rs")),
    ("decode", include_str!("../../../../templates/rust/json/decode.rs")),
    ("error", include_str!("../../../../templates/rust/json/error.rs")),
    ("fields", include_str!("../../../../templates/rust/json/fields.rs")),
    ("macros", include_str!("../../../../templates/rust/json/macros.rs")),
    ("number", include_str!("../../../../templates/rust/json/number.rs")),
    ("patch", include_str!("../../../../templates/rust/json/patch.rs")),
    ("reader", include_str!("../../../../templates/rust/json/reader.rs")),
    ("record", include_str!("../../../../templates/rust/json/record.rs")),
    ("serde_bridge", include_str!("../../../../templates/rust/json/serde_bridge.rs")),
    ("text", include_str!("../../../../templates/rust/json/text.rs")),
    ("unknown", include_str!("../../../../templates/rust/json/unknown.rs")),
];

/// The module of JSON-RPC.
pub(super) const RPC: &str = include_str!("../../../../templates/rust/rpc.rs");

/// What `clippy` is not to say of generated code, and why.
pub(super) const LINTS: &str = include_str!("../../../../templates/rust/lints.rs");
