//! Properties that would be decoded twice at each level of a recursive value.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Field, Protocol, Type, TypeKind, Union};

/// Reports every property that an object and one of its alternatives both list, and whose values
/// may hold such an object again: the work and the space would double with each level.
pub(super) fn check(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    for (name, def) in &protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        for field in &union.shared {
            let mut seen = HashSet::from([name.as_str()]);
            let Some(other) = listed_again(protocol, union, field, &mut seen) else { continue };
            if !protocol.reachable(field.ty.named()).contains(&name.as_str()) {
                continue;
            }
            let wire = &field.name.wire;
            diagnostics.push(
                Diagnostic::error(
                    "doubled-property",
                    format!("`{name}` and one of its alternatives list `{wire}`, which leads back to `{name}`"),
                )
                .at(field.location.clone())
                .label("with each level of a value, decoding it would take twice as long")
                .related(other.location.clone(), "it is here, too")
                .help("list it once: beside the alternatives, or in each that has it"),
            );
        }
    }
}

/// The property of an alternative that a union has beside its alternatives, too.
fn listed_again<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    field: &Field,
    seen: &mut HashSet<&'a str>,
) -> Option<&'a Field> {
    let is_same = |other: &&Field| other.name.wire == field.name.wire;
    let payloads = union.variants.iter().filter_map(|variant| variant.payload.as_ref());
    for payload in payloads {
        let Type::Named { name } = without_null(protocol, payload) else { continue };
        if !seen.insert(name) {
            continue;
        }
        let found = match protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => record.fields.iter().find(is_same),
            Some(TypeKind::Union(inner)) => {
                let shared = inner.shared.iter().find(is_same);
                shared.or_else(|| listed_again(protocol, inner, field, seen))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn without_null<'a>(protocol: &'a Protocol, ty: &'a Type) -> &'a Type {
    match protocol.resolve(ty) {
        Type::Nullable { inner } => protocol.resolve(inner),
        ty => ty,
    }
}
