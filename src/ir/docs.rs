//! Prose and status of a node.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Documentation: what the schema says for people to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Docs {
    /// The `description`, as written: Markdown, possibly hostile, never yet escaped.
    pub description: Option<String>,
    /// Says whether the thing is part of the stable protocol.
    pub stability: Stability,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// `x-docs-ignore: true`: left out of reference docs.
    pub hidden: bool,
}

/// The stability of a part of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stability {
    /// Part of the protocol.
    #[default]
    Stable,
    /// The description begins with the word `UNSTABLE`.
    Unstable,
}
