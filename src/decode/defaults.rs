//! Defaults: each must be a value of its field's type.

use super::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Fallback, Field, Protocol, TypeKind};

/// Reports every default that its own field would refuse, or that would have to hold itself.
///
/// One that is refused is left out, as if the schema did not have it, unless an invalid value would
/// become it.
///
/// Lowering takes defaults as they are: whether one is right is for the decoder to say, which
/// needs the whole protocol. Whoever lowers a schema for more than a look has this done next.
pub fn check_defaults(protocol: &mut Protocol, diagnostics: &mut Diagnostics) {
    for (name, index) in refused(protocol, diagnostics) {
        let fields = match protocol.types.get_mut(&name).map(|def| &mut def.kind) {
            Some(TypeKind::Record(record)) => &mut record.fields,
            Some(TypeKind::Union(union)) => &mut union.shared,
            _ => continue,
        };
        if let Some(field) = fields.get_mut(index) {
            field.default = None;
            field.formal_default = None;
        }
    }
}

/// Finds the defaults that are to be left out, by type and by the field's place in it.
fn refused(protocol: &Protocol, diagnostics: &mut Diagnostics) -> Vec<(String, usize)> {
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    let mut refused = Vec::new();
    for (name, def) in &protocol.types {
        for (index, field) in def.kind.fields().iter().enumerate() {
            let Some(value) = field.default.as_ref().or(substitute(field)) else { continue };
            if field.presence.is_nullable() && value.is_null() {
                continue;
            }
            let told = |problem: &str| {
                format!("the default of {}.{} {problem}", def.name.wire, field.name.wire)
            };
            let problem = match decoder.decode(&field.ty, value) {
                Err(problem) => {
                    let message = told(&format!("is not a value of its type: {problem}"));
                    if is_substitute(field) {
                        Diagnostic::error("invalid-default", message)
                    } else {
                        refused.push((name.clone(), index));
                        Diagnostic::warning("invalid-default", message)
                            .label("generated code has no default here")
                    }
                }
                Ok(_) if decoder.is_endless(field, value) => {
                    let why = "never ends: with the defaults inside it, it holds itself";
                    Diagnostic::error("invalid-default", told(why))
                }
                Ok(_) => continue,
            };
            let problem = problem.at(field.location.clone());
            diagnostics.push(problem.help("correct the default, or the type"));
        }
    }
    refused
}

/// Tells whether an invalid value becomes the default.
fn is_substitute(field: &Field) -> bool {
    let mut fallbacks = field.leniency.on_error.iter().chain(&field.leniency.on_null);
    fallbacks.any(|fallback| *fallback != Fallback::Absent)
}

/// The default of a field that cannot be absent, where an invalid value becomes it.
fn substitute(field: &Field) -> Option<&serde_json::Value> {
    field.formal_default.as_ref().filter(|_| is_substitute(field))
}
