//! Identifiers: checks that no two things get the same one, and words that are taken.

use std::collections::HashMap;
#[cfg(feature = "cli")]
use std::{collections::HashSet, sync::LazyLock};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Method;
use crate::source::Location;

/// A namespace of a generated program: the types of a module, the fields of a struct.
#[derive(Debug)]
pub struct Namespace {
    /// Its name in messages: `Rust types`, ``fields of `Session` in Python``.
    description: String,
    taken: HashMap<String, (String, Location)>,
}

impl Namespace {
    /// An empty namespace.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), taken: HashMap::new() }
    }

    /// Takes an identifier for a thing of the schema. If another thing has it, both locations are
    /// reported.
    pub fn claim(
        &mut self,
        identifier: &str,
        wire: &str,
        location: &Location,
        diagnostics: &mut Diagnostics,
    ) {
        if let Some((other, other_location)) = self.taken.get(identifier) {
            diagnostics.push(
                Diagnostic::error(
                    "name-collision",
                    format!("`{other}` and `{wire}` are both `{identifier}` among the {}", self.description),
                )
                .at(location.clone())
                .related(other_location.clone(), format!("`{other}` is here"))
                .help("rename one of them, with an overlay if the schema is not yours (`x-name` gives a definition, property or variant another name in code, `x-function-name` a method)"),
            );
            return;
        }
        self.taken.insert(identifier.to_owned(), (wire.to_owned(), location.clone()));
    }
}

/// Reports a chosen name that a language does not let a function have: as `spelled` it would have
/// another one.
pub fn check_function(
    method: &Method,
    (plain, spelled): (&str, &str),
    language: &str,
    diagnostics: &mut Diagnostics,
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
