//! The name of packages.

use crate::diagnostic::Diagnostic;
use crate::ir::{BadPackageName, check_package_name};

/// Checks that a name can be that of a package in every language.
pub(crate) fn check_name(name: &str) -> Result<(), Diagnostic> {
    let help = match check_package_name(name) {
        Ok(()) => return Ok(()),
        Err(BadPackageName::Characters) if name.starts_with('@') => {
            "only the npm package has a scope: it is `name` in `[targets.typescript]` of the \
             configuration"
        }
        Err(BadPackageName::Characters) => {
            "use lowercase letters, digits, `-` and `_`, a letter first, 40 at most"
        }
        Err(BadPackageName::Reserved) => {
            "it means something else in one of the languages; add a word to it"
        }
    };
    Err(Diagnostic::error("bad-name", format!("`{name}` cannot name a package")).help(help))
}
