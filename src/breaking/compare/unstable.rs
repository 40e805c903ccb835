//! Findings about what is unstable.

use super::finding::Finding;
use crate::breaking::shape::spelling;
use crate::ir::{Protocol, TypeDef, TypeKind};

/// Marks the findings about what is unstable in each protocol that has it.
pub(in crate::breaking) fn mark(findings: &mut [Finding<'_>], protocols: [&Protocol; 2]) {
    if !protocols.iter().any(|protocol| protocol.has_unstable()) {
        return;
    }
    let stable = protocols.map(Protocol::stable);
    for finding in findings {
        finding.is_unstable = is_unstable(finding, protocols, [&stable[0], &stable[1]]);
    }
}

fn is_unstable(finding: &Finding<'_>, protocols: [&Protocol; 2], stable: [&Protocol; 2]) -> bool {
    let [old, new] = [0, 1].map(|at| Version { whole: protocols[at], stable: stable[at] });
    let mut known = finding.locations().flat_map(|location| {
        let part = location.focus.as_deref();
        let new_part = finding.new_name().map(String::as_str).or(part);
        match (location.old.def, location.new.def) {
            (None, None) => [old.methods(&finding.methods), new.methods(&finding.methods)],
            (from, to) => [
                from.and_then(|name| old.is_unstable(name, part)),
                to.and_then(|name| new.is_unstable(name, new_part)),
            ],
        }
    });
    // What is stable in one of the two is everyone's concern.
    let mut known = known.by_ref().flatten().peekable();
    known.peek().is_some() && known.all(|is_unstable| is_unstable)
}

/// A protocol, and what of it is stable.
struct Version<'a> {
    whole: &'a Protocol,
    stable: &'a Protocol,
}

impl Version<'_> {
    /// Tells whether a definition, or a part of it, is unstable. `None`: it is not there.
    fn is_unstable(&self, name: &str, part: Option<&str>) -> Option<bool> {
        let def = self.whole.type_def(name)?;
        let Some(kept) = self.stable.type_def(name) else { return Some(true) };
        let Some(part) = part else { return Some(false) };
        has(def, part).then(|| !has(kept, part))
    }

    /// Tells whether methods are unstable. `None`: there is none of them.
    fn methods(&self, names: &[&str]) -> Option<bool> {
        let have = |protocol: &Protocol, name: &str| protocol.named(name).next().is_some();
        let mut there = names.iter().filter(|name| have(self.whole, name)).peekable();
        there.peek()?;
        Some(there.all(|name| !have(self.stable, name)))
    }
}

/// Tells whether a definition has a property, a variant or a value of this name.
fn has(def: &TypeDef, part: &str) -> bool {
    def.kind.fields().iter().any(|field| field.name.wire == part)
        || match &def.kind {
            TypeKind::Union(union) => {
                union.variants.iter().any(|variant| variant.tag_or_name() == part)
            }
            TypeKind::Enum(of) => of.values.iter().any(|it| spelling(&it.value) == part),
            TypeKind::Record(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => false,
        }
}
