//! Defaults: each must be a value of its field's type.

use super::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Fallback, Field, Protocol};

/// Reports every default that its own field would refuse, or that would have to hold itself.
///
/// Lowering takes defaults as they are: whether one is right is for the decoder to say, which
/// needs the whole protocol. Whoever lowers a schema for more than a look has this done next.
pub fn check_defaults(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    for def in protocol.types.values() {
        for field in def.kind.fields() {
            let Some(value) = field.default.as_ref().or(substitute(field)) else { continue };
            if field.presence.is_nullable() && value.is_null() {
                continue;
            }
            let problem = match decoder.decode(&field.ty, value) {
                Err(problem) => format!("is not a value of its type: {problem}"),
                Ok(_) if decoder.is_endless(field, value) => {
                    String::from("never ends: with the defaults inside it, it holds itself")
                }
                Ok(_) => continue,
            };
            let message = format!("the default of {}.{} {problem}", def.name.wire, field.name.wire);
            diagnostics.push(
                Diagnostic::error("invalid-default", message)
                    .at(field.location.clone())
                    .help("correct the default, or the type"),
            );
        }
    }
}

/// The default of a field that cannot be absent, where an invalid value becomes it.
fn substitute(field: &Field) -> Option<&serde_json::Value> {
    let mut fallbacks = field.leniency.on_error.iter().chain(&field.leniency.on_null);
    let taken = |fallback: &Fallback| *fallback != Fallback::Absent;
    field.formal_default.as_ref().filter(|_| fallbacks.any(taken))
}
