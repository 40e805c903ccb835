//! Names that would be one in every language, made distinct before any language sees them.

use std::collections::HashSet;

use crate::diagnostic::Diagnostics;
use crate::ir::{Field, Findings, Namespace, Protocol, Things, TypeKind, Union, distinct_names};

/// Gives things other names where two of a kind have the same words.
pub(super) fn resolve(protocol: Protocol, diagnostics: &mut Diagnostics) -> Protocol {
    distinct_names(protocol, diagnostics, |protocol, findings| {
        claim_types(protocol, findings);
        claim_methods(protocol, findings);
        for (key, def) in &protocol.types {
            match &def.kind {
                TypeKind::Record(record) => claim_fields(key, record.fields.iter(), findings),
                TypeKind::Union(union) => claim_variants(protocol, key, union, findings),
                TypeKind::Enum(of) => {
                    let mut values = members(key, "values");
                    for value in &of.values {
                        let name = &value.name;
                        values.claim(&name.pascal(), &name.wire, &value.location, findings);
                    }
                }
                TypeKind::Alias { .. } | TypeKind::Tuple(_) => {}
            }
        }
    })
}

/// The ends of names that packages make of the name of a side.
const ENDS: [&str; 8] = [
    "",
    "Connection",
    "Context",
    "NotificationMap",
    "Peer",
    "RequestMap",
    "SideConnection",
    "SideCore",
];

fn members(of: &str, what: &str) -> Namespace {
    Namespace::new(Things::Members(of.to_owned()), format!("{what} of `{of}`"))
}

fn claim_types(protocol: &Protocol, findings: &mut Findings) {
    let mut types = Namespace::new(Things::Types, "types");
    for (key, def) in &protocol.types {
        types.claim(&def.name.pascal(), key, &def.location, findings);
    }
}

fn claim_methods(protocol: &Protocol, findings: &mut Findings) {
    let mut sides = Namespace::new(Things::Sides, "sides");
    let mut constants = Namespace::new(Things::Methods, "methods");
    let mut seen = HashSet::new();
    for method in &protocol.methods {
        // A method of both sides is one constant.
        let constant = (method.name.pascal(), &method.name.wire);
        if seen.insert(constant.clone()) {
            constants.claim(&constant.0, constant.1, &method.location, findings);
        }
    }
    for side in &protocol.sides {
        let location = protocol.handled_by(&side.name.wire).next().map(|it| it.location.clone());
        let location = location.unwrap_or_default();
        for end in ENDS {
            let identifier = format!("{}{end}", side.name.pascal());
            sides.claim(&identifier, &side.name.wire, &location, findings);
        }
        let description = format!("methods of `{}`", side.name.wire);
        let mut functions = Namespace::new(Things::Functions, description);
        for method in protocol.handled_by(&side.name.wire) {
            let name = method.function().pascal();
            functions.claim(&name, &method.name.wire, &method.location, findings);
        }
    }
}

fn claim_fields<'f>(of: &str, fields: impl Iterator<Item = &'f Field>, findings: &mut Findings) {
    let mut names = members(of, "properties");
    for field in fields {
        names.claim(&field.name.pascal(), &field.name.wire, &field.location, findings);
    }
}

fn claim_variants(protocol: &Protocol, of: &str, union: &Union, findings: &mut Findings) {
    let mut variants = members(of, "variants");
    for variant in &union.variants {
        let name = &variant.name;
        variants.claim(&name.pascal(), &name.wire, &variant.location, findings);
    }
    claim_fields(of, union.shared.iter(), findings);
    // A variant's own fields stand in the same object as the shared ones.
    for payload in union.variants.iter().filter_map(|variant| variant.payload.as_ref()) {
        let own = protocol.fields(payload);
        let is_own = |shared: &&Field| own.iter().any(|it| it.name.wire == shared.name.wire);
        let shared = union.shared.iter().filter(|shared| !is_own(shared));
        claim_fields(of, shared.chain(own), findings);
    }
}
