//! Capabilities: what is needed, and what is promised.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A capability that the receiver of a value must have told (annotation `x-capability` on a
/// property, an alternative or a type).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct NeededCapability {
    /// The side that receives the value. Sent to another side, it needs nothing.
    pub side: String,
    /// The path within the capabilities of that side. A value that is absent, `null` or `false`
    /// does not allow it.
    pub path: Vec<String>,
}

/// A capability, and the methods that a side has to handle if it tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Advertised {
    /// The path within the side's own capabilities.
    pub capability: Vec<String>,
    /// The wire names of the methods.
    pub methods: Vec<String>,
}
