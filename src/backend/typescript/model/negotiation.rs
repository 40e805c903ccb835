//! How the two ends of a connection agree on a version.

use serde::Serialize;
use serde_json::Value;

use crate::backend::typescript::literals::{constant, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Handler, Method, Protocol};

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
    /// What the ends are called: who asks, and who answers.
    asker: String,
    answerer: String,
    /// The type of a version.
    #[serde(rename = "type")]
    pub(super) ty: &'static str,
}

impl NegotiationModel {
    pub(super) fn new(scope: Scope<'_>) -> Option<Self> {
        let negotiation = scope.protocol.negotiation.as_ref()?;
        let mut methods = scope.protocol.methods.iter();
        let method = methods.find(|it| it.is_request() && it.name.wire == negotiation.method)?;
        let [asker, answerer] = ends(scope.protocol, method);
        let is_text = negotiation.versions.iter().any(Value::is_string);
        Some(Self {
            method: literal(&negotiation.method),
            method_name: names::method(method),
            params: literal(&negotiation.params.wire),
            result: literal(&negotiation.result.wire),
            versions: negotiation.versions.iter().map(constant).collect(),
            asker: literal(asker),
            answerer: literal(answerer),
            ty: if is_text { "string" } else { "number" },
        })
    }
}

/// The names of the side that calls a request, and of the one that handles it.
fn ends<'a>(protocol: &'a Protocol, method: &'a Method) -> [&'a str; 2] {
    let Handler::Side { name } = &method.handler else { return ["end", "other end"] };
    let caller = protocol.side(name).and_then(|side| side.counterpart.as_deref());
    [caller.unwrap_or("end"), name]
}
