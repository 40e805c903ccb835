//! Witnesses, as the formats for people show them.

use serde_json::Value;

use crate::breaking::Witness;

/// A witness to print.
#[derive(Debug)]
pub(super) struct Shown {
    /// The caption: what the message proves, or why there is none.
    pub(super) caption: String,
    /// The message, as JSON.
    pub(super) message: Option<String>,
    /// The value that a lenient receiver decodes, as JSON.
    pub(super) forgiven: Option<String>,
}

/// Prepares a witness for printing.
pub(super) fn shown(witness: &Witness) -> Shown {
    let direction = witness.direction.arrow();
    // Serializing a JSON value cannot fail.
    let json = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let caption = match (&witness.message, &witness.rejected, &witness.missing) {
        (Some(_), Some(rejected), _) => {
            format!(
                "Proof, {direction}: the sender's schema allows this, the receiver says: {rejected}"
            )
        }
        (Some(_), None, _) => format!("Example, {direction}: what is in this message gets lost"),
        (None, _, Some(missing)) => format!("No proof, {direction}: {missing}"),
        (None, _, None) => format!("No proof, {direction}"),
    };
    Shown {
        caption,
        message: witness.message.as_ref().map(json),
        forgiven: witness.forgiven.as_ref().map(json),
    }
}
