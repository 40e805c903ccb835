//! Modes: the strictness of a decoder.

/// The strictness of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As generated decoders do: the leniency annotations of the schema forgive.
    Lenient,
    /// As generated decoders do in strict mode: nothing is forgiven.
    Strict,
    /// As JSON Schema does: nothing is forgiven, a record that denies other properties refuses
    /// them, what the variant of a tag refuses may still be one of another variant, the format of an
    /// integer is no bound, and what generated decoders do not look at counts: patterns, exclusive
    /// bounds of numbers, and items that must differ.
    Exact,
}
