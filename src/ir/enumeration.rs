//! Enums: one of several constants.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Docs, IntegerType, Name, StringType};
use crate::source::Location;

/// An enum: a string or an integer out of several.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Enum {
    /// The type of the values.
    pub base: EnumBase,
    /// The known values, in schema order.
    pub values: Vec<EnumValue>,
    /// The treatment of an unknown value, if the enum is open: it is kept and encodes back.
    pub open: Option<OpenValue>,
}

/// The type of an enum's values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum EnumBase {
    /// Strings.
    String,
    /// Integers; an open enum's unknown values lie in this type's range.
    Integer(IntegerType),
}

/// A known value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct EnumValue {
    /// Its name, from its title where it is an integer, else from the value. `name.wire` is that
    /// text.
    pub name: Name,
    /// The JSON string or integer.
    pub value: Value,
    /// The members of the data of an error with this code: strings (annotation `x-error-data`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub data: Vec<Name>,
    /// Its documentation.
    pub docs: Docs,
    /// Its location in the schema.
    pub location: Location,
}

/// The open end of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct OpenValue {
    /// Its name: the branch's title, or `other`; never that of a known value.
    pub name: Name,
    /// Its documentation.
    pub docs: Docs,
    /// The lengths and the pattern of a value that is not listed, in an enum of strings. The bounds
    /// of an integer are in [`EnumBase`].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_free"))]
    pub text: StringType,
}

impl Enum {
    /// Tells whether values that are not listed have bounds, beyond those of a format.
    pub fn is_bounded(&self) -> bool {
        let Some(open) = &self.open else { return false };
        match &self.base {
            EnumBase::String => open.text.is_bounded(),
            EnumBase::Integer(integer) => integer.minimum.is_some() || integer.maximum.is_some(),
        }
    }
}

/// Tells whether a string is any.
#[cfg(feature = "serde")]
fn is_free(text: &StringType) -> bool {
    *text == StringType::default()
}
