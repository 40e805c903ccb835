//! Versions of the protocol, and how two ends agree on one.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Name;

/// The request in which two ends agree on a version of the protocol (annotation
/// `x-protocol-version`).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Negotiation {
    /// The wire name of the request.
    pub method: String,
    /// The property of its params that holds the version asked for.
    pub params: Name,
    /// The property of its result that holds the version agreed on.
    pub result: Name,
    /// The versions that an end of this schema speaks, from the lowest to the highest: those of
    /// `x-versions`, then `x-version`.
    pub versions: Vec<Value>,
}

impl Negotiation {
    /// The version that an end answers with: the one asked for if it has it, else its highest
    /// below that, else its highest of all.
    ///
    /// Only whole numbers are above or below each other.
    pub fn answer(&self, asked: &Value) -> Option<&Value> {
        if self.versions.contains(asked) {
            return self.versions.iter().find(|version| *version == asked);
        }
        let asked = asked.as_u64();
        let below = |version: &&Value| {
            version.as_u64().zip(asked).is_some_and(|(version, asked)| version < asked)
        };
        self.versions.iter().rev().find(below).or_else(|| self.versions.last())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_answer_is_the_version_asked_for_or_the_highest_below() {
        let of = |versions: &[Value]| Negotiation {
            method: "hello".to_owned(),
            params: Name::new("version"),
            result: Name::new("version"),
            versions: versions.to_vec(),
        };
        let numbers = of(&[json!(2), json!(3), json!(5)]);
        for (asked, answer) in [(2, 2), (3, 3), (4, 3), (5, 5), (9, 5), (1, 5)] {
            assert_eq!(numbers.answer(&json!(asked)), Some(&json!(answer)), "{asked}");
        }
        let dates = of(&[json!("2024-11-05"), json!("2025-06-18")]);
        assert_eq!(dates.answer(&json!("2024-11-05")), Some(&json!("2024-11-05")));
        assert_eq!(dates.answer(&json!("2025-01-01")), Some(&json!("2025-06-18")));
    }
}
