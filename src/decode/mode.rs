//! Modes: the strictness of a decoder.

/// The strictness of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As generated decoders do: the leniency annotations of the schema forgive.
    Lenient,
    /// As generated decoders do in strict mode: nothing is forgiven, a record that denies other
    /// properties refuses them, and keys have to be spelled as the schema says.
    Strict,
    /// As JSON Schema does: like strict mode, but what the variant of a tag refuses may still be one
    /// of another variant, the format of an integer is no bound, and what generated decoders do not
    /// look at counts: patterns, and items with parts that must differ.
    Exact,
}
