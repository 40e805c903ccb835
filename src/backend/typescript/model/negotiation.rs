//! How the two ends of a connection agree on a version.

use serde::Serialize;
use serde_json::Value;

use crate::backend::typescript::literals::{constant, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Protocol, Side};

/// The request by which the ends agree on a version, as literals.
#[derive(Debug, Serialize)]
pub(super) struct NegotiationModel {
    method: String,
    /// Its name in the interface.
    method_name: String,
    /// The properties of its params and of its result that hold versions.
    params: String,
    result: String,
    /// The versions that are spoken, from the lowest to the highest.
    versions: Vec<String>,
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
            method: literal(&negotiation.method),
            method_name: names::method(method),
            params: literal(&negotiation.params.wire),
            result: literal(&negotiation.result.wire),
            versions: negotiation.versions.iter().map(constant).collect(),
            ty: if is_text { "string" } else { "number" },
        })
    }
}

/// The names of the two ends of a side's connections, as literals.
#[derive(Debug, Serialize)]
pub(super) struct Ends {
    near: String,
    far: String,
}

impl Ends {
    pub(super) fn new(protocol: &Protocol, side: &Side) -> Self {
        let far = match &side.counterpart {
            Some(name) => name,
            None if protocol.sides.len() == 1 => &side.name.wire,
            None => "peer",
        };
        Self { near: literal(&side.name.wire), far: literal(far) }
    }
}
