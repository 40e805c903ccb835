//! Messages that cancel requests.

use serde::Serialize;

use crate::backend::typescript::literals::{literal, object_key};
use crate::ir::{Protocol, Side};

/// The messages of a method that cancel requests of a side, as literals.
#[derive(Debug, Serialize)]
pub(super) struct CancelsModel {
    /// The method, as a key.
    method: String,
    requests: Vec<CancelledModel>,
}

/// A request that is cancelled.
#[derive(Debug, Serialize)]
struct CancelledModel {
    request: String,
    /// The property that is the same in the params of both.
    key: String,
    /// The JSON text of what it then results in.
    result: Option<String>,
}

/// The messages that cancel what a side handles.
pub(super) fn cancels(protocol: &Protocol, side: &Side) -> Vec<CancelsModel> {
    let handles = |request: &str| {
        let mut handled = protocol.handled_by(&side.name.wire);
        handled.any(|method| method.is_request() && method.name.wire == request)
    };
    let models = protocol.methods.iter().map(|method| {
        let requests = method.cancels.iter().filter(|cancels| handles(&cancels.request));
        let requests = requests.map(|cancels| CancelledModel {
            request: literal(&cancels.request),
            key: literal(&cancels.key),
            result: cancels.result.as_ref().map(|result| literal(&result.to_string())),
        });
        CancelsModel { method: object_key(&method.name.wire), requests: requests.collect() }
    });
    models.filter(|model| !model.requests.is_empty()).collect()
}
