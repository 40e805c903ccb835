//! Types that no finite value can have.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Finite, Protocol};

/// Reports every type of which no value can be built, because each would have to contain
/// another of its own kind.
pub(super) fn check(protocol: &Protocol, diagnostics: &mut Diagnostics) {
    let finite = Finite::new(protocol);
    for (name, def) in protocol.types.iter().filter(|(name, _)| !finite.is_finite(name)) {
        diagnostics.push(
            Diagnostic::error(
                "infinite-type",
                format!("no value of `{name}` can be built: it would have to contain itself"),
            )
            .at(def.location.clone())
            .help("make the property that leads back to it optional, nullable or an array"),
        );
    }
}
