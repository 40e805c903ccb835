//! Enums: one of several constants.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Docs, IntegerType, Name};
use crate::source::Place;

/// One of several strings or integers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Enum {
    /// What the values are.
    pub base: EnumBase,
    /// The known values, in schema order.
    pub values: Vec<EnumValue>,
    /// What an unknown value becomes, if the enum is open: it is kept and encodes back.
    pub open: Option<OpenValue>,
}

/// What the values of an enum are.
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
    /// What it means.
    pub docs: Docs,
    /// Where the schema defines it.
    pub place: Place,
}

/// The open end of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct OpenValue {
    /// Its name: the branch's title, or `other`; never that of a known value.
    pub name: Name,
    /// What it means.
    pub docs: Docs,
}
