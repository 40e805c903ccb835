//! Numbers and strings, with their constraints.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A whole number and its bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct IntegerType {
    /// The machine representation that the schema's `format` asks for, if any.
    pub format: Option<IntegerFormat>,
    /// The smallest value allowed, from `minimum` or `exclusiveMinimum`. A bound that only
    /// repeats the format's own is kept: `format` alone does not bound in JSON Schema.
    #[cfg_attr(feature = "serde", serde(with = "bound"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<i128>"))]
    pub minimum: Option<i128>,
    /// The largest value allowed.
    #[cfg_attr(feature = "serde", serde(with = "bound"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<i128>"))]
    pub maximum: Option<i128>,
    /// `multipleOf`: enforced. Of a fraction it is what whole numbers can be multiples of: 5 where
    /// the schema has 2.5.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub multiple_of: Option<u64>,
}

/// Bounds as JSON numbers. `serde_json` itself cannot read an `i128` inside a tagged enum.
#[cfg(feature = "serde")]
mod bound {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Number;

    #[allow(clippy::ref_option, reason = "serde asks for this signature")]
    pub(super) fn serialize<S: Serializer>(
        bound: &Option<i128>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bound.and_then(Number::from_i128).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<i128>, D::Error> {
        Ok(Option::<Number>::deserialize(deserializer)?.and_then(|number| number.as_i128()))
    }
}

/// The fixed-width integer formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum IntegerFormat {
    /// Signed, 8 bits.
    Int8,
    /// Signed, 16 bits.
    Int16,
    /// Signed, 32 bits.
    Int32,
    /// Signed, 64 bits.
    Int64,
    /// Unsigned, 8 bits.
    Uint8,
    /// Unsigned, 16 bits.
    Uint16,
    /// Unsigned, 32 bits.
    Uint32,
    /// Unsigned, 64 bits.
    Uint64,
}

impl IntegerFormat {
    /// Smallest and largest value of the format.
    pub fn range(self) -> (i128, i128) {
        match self {
            Self::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Int64 => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint8 => (0, u8::MAX.into()),
            Self::Uint16 => (0, u16::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            Self::Uint64 => (0, u64::MAX.into()),
        }
    }
}

impl IntegerType {
    /// The bounds a decoder enforces: the schema's and the format's, whichever is tighter.
    /// Without a format a value must still fit a signed 64-bit integer.
    pub fn range(&self) -> (i128, i128) {
        let (low, high) = self.format.unwrap_or(IntegerFormat::Int64).range();
        (low.max(self.minimum.unwrap_or(low)), high.min(self.maximum.unwrap_or(high)))
    }
}

/// A number and its bounds.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct NumberType {
    /// The smallest value allowed.
    pub minimum: Option<f64>,
    /// The largest value allowed.
    pub maximum: Option<f64>,
    /// `exclusiveMinimum`: values are above it. Enforced.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub above: Option<f64>,
    /// `exclusiveMaximum`: values are below it. Enforced.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub below: Option<f64>,
    /// `multipleOf`: enforced, as far as doubles tell.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub multiple_of: Option<f64>,
    /// The schema's `format` (`double`, `float`), as written.
    pub format: Option<String>,
}

impl StringType {
    /// Tells whether decoders look at more than whether it is a string.
    pub(crate) fn is_bounded(&self) -> bool {
        self.min_length.is_some() || self.max_length.is_some() || self.checks_pattern
    }

    /// The pattern that decoders look at, if there is one.
    pub(crate) fn checked_pattern(&self) -> Option<&str> {
        self.pattern.as_deref().filter(|_| self.checks_pattern)
    }
}

/// A string and its constraints. Lengths count Unicode code points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct StringType {
    /// `format`, as written (`uri`, `date-time`): an annotation, not enforced.
    pub format: Option<String>,
    /// `contentEncoding`, as written (`base64`): an annotation, not enforced.
    pub encoding: Option<String>,
    /// `pattern`, as written: a regular expression of ECMA-262.
    pub pattern: Option<String>,
    /// True if decoders look at the pattern, which then means the same in each language. Else it is
    /// only shown in docs.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub checks_pattern: bool,
    /// `minLength`: enforced.
    pub min_length: Option<u64>,
    /// `maxLength`: enforced.
    pub max_length: Option<u64>,
}
