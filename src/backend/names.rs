//! Identifiers: names of functions that the user chose, and words that are taken.

#[cfg(feature = "cli")]
use std::{collections::HashSet, sync::LazyLock};

use crate::diagnostic::Diagnostic;
use crate::ir::{Findings, Method};

/// Reports a chosen name that a language does not let a function have: as `spelled` it would have
/// another one.
pub fn check_function(
    method: &Method,
    (plain, spelled): (&str, &str),
    language: &str,
    diagnostics: &mut Findings,
) {
    if method.function_name.is_none() || plain == spelled {
        return;
    }
    let wire = &method.name.wire;
    let location = method.function_name_location.as_ref().unwrap_or(&method.location);
    let message = format!(
        "`{wire}` cannot be called `{plain}` in {language}, which keeps the word for something else"
    );
    diagnostics.push(
        Diagnostic::error("bad-function-name", message)
            .at(location.clone())
            .help("give it another `x-function-name`"),
    );
}

/// Words that a language keeps for itself.
#[cfg(feature = "cli")]
pub(super) type Words = LazyLock<HashSet<&'static str>>;

/// The words of a list, with spaces between them.
#[cfg(feature = "cli")]
pub(super) fn words(list: &'static str) -> HashSet<&'static str> {
    list.split(' ').collect()
}
