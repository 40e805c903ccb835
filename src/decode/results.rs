//! Results that the schema gives itself: each must be one of its method.

use super::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Method, Protocol};

/// Reports every result of a cancelled request (`x-cancels`) that its method could not answer.
pub fn check_results(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    for method in &protocol.methods {
        for cancels in &method.cancels {
            let result = protocol.request(&cancels.request).and_then(Method::result);
            let Some((ty, value)) = result.zip(cancels.result.as_ref()) else { continue };
            let Err(problem) = decoder.decode(ty, value) else { continue };
            let message = format!(
                "`{}` gives a cancelled `{}` a result that is not one: {problem}",
                method.name.wire, cancels.request
            );
            diagnostics.push(
                Diagnostic::error("invalid-result", message)
                    .at(method.location.clone())
                    .help("correct the `result` of `x-cancels`"),
            );
        }
    }
}
