//! Messages that cancel requests.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request that a message cancels (annotation `x-cancels`).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Cancels {
    /// The wire name of the request whose running calls are cancelled.
    pub request: String,
    /// The property that the params of both have: calls with the same value are meant.
    pub key: String,
    /// The result of a call that ends by being cancelled. `None`: the error of a cancelled
    /// request.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub result: Option<Value>,
}
