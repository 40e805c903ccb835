//! Handles: things that one request opens and others use by their id.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The class of what a request opens (annotation `x-handle`): it knows its id, and calls what
/// takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Handle {
    /// The name of the class.
    pub name: Name,
    /// The property of the result that holds the id. The params of the other requests have it too.
    pub id: Name,
    /// The properties of the params that the other requests have too, with the same values.
    pub with: Vec<Name>,
    /// The methods of the class, each a method of the protocol.
    pub methods: Vec<HandleMethod>,
    /// The wire name of the request that gives the thing back.
    pub release: Option<String>,
}

/// A method of a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct HandleMethod {
    /// Its name in code.
    pub name: Name,
    /// The wire name of the method that it calls.
    pub method: String,
}
