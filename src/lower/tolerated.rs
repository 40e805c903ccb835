//! Errors that prevent the generation of code, but not the comparison of a schema that is older
//! than the annotations.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Location, segments};

/// The errors that leave open which values are valid: no verdict could be trusted.
const FATAL: [&str; 8] = [
    "cyclic-ref",
    "dangling-ref",
    "infinite-type",
    "malformed-keyword",
    "not-a-protocol",
    "too-deep",
    "unknown-type",
    "unsupported-ref",
];

/// Makes notes of the errors that say nothing of values: names that clash, annotations that are
/// misused. What they are about is left out of the protocol, or has no name of its own.
pub(crate) fn tolerate(diagnostics: &mut Diagnostics) {
    for diagnostic in diagnostics.iter_mut() {
        if diagnostic.severity == Severity::Error && !is_fatal(diagnostic) {
            diagnostic.severity = Severity::Info;
        }
    }
}

fn is_fatal(diagnostic: &Diagnostic) -> bool {
    let is_annotation = diagnostic.location.as_ref().is_some_and(is_in_annotation);
    FATAL.contains(&diagnostic.code) && !is_annotation
}

/// Tells whether a place is in an `x-` annotation; a property can have such a name, too.
fn is_in_annotation(location: &Location) -> bool {
    let mut is_name = false;
    for segment in segments(&location.pointer).into_iter().flatten() {
        if !is_name && segment.starts_with("x-") {
            return true;
        }
        is_name = !is_name && ["properties", "$defs", "definitions"].contains(&segment.as_str());
    }
    false
}
