//! Messages that prove a verdict.

mod around;
mod build;
mod call;
mod check;
mod path;
mod prove;
mod prover;
mod reason;
mod scalars;
mod tuples;

pub(super) use prove::{Proof, prove};

use serde::Serialize;
use serde_json::Value;

use super::verdict::{Direction, Verdict};
use crate::ir::Payload;

/// A message that is valid for its sender, and what becomes of it; or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// The direction of the message: from an old peer to a new one, or back.
    #[serde(rename = "way")]
    pub direction: Direction,
    /// The payload that the message carries, with its method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
    /// The message: JSON-RPC, with the payload that is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Value>,
    /// The part of the message that is what has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The error of the receiver, taking its schema at its word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// The value that a lenient receiver decodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgiven: Option<Value>,
    /// The reason why there is no message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The verdict that it proves.
    pub verdict: Verdict,
}
