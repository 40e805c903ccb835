//! How the two ends of a connection agree on a version.

use serde::Serialize;
use serde_json::Value;

use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;

/// The request by which the ends agree on a version.
#[derive(Debug, Serialize)]
pub(super) struct NegotiationModel {
    /// Its name in the interface.
    method_name: String,
    /// The type of a version.
    #[serde(rename = "type")]
    pub(super) ty: &'static str,
}

impl NegotiationModel {
    pub(super) fn new(scope: Scope<'_>) -> Option<Self> {
        let negotiation = scope.protocol.negotiation.as_ref()?;
        let method = scope.protocol.request(&negotiation.method)?;
        let is_text = negotiation.versions.iter().any(Value::is_string);
        Some(Self {
            method_name: names::method(method),
            ty: if is_text { "string" } else { "number" },
        })
    }
}
