//! Regular expressions of strings, and whether decoders look at them.

use indexmap::IndexMap;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Lowerer, Path};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::StringType;
use crate::pattern;
use crate::schema::SchemaObject;
use crate::source::Location;

/// The treatment of `pattern` by generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Patterns {
    /// It is only shown in docs.
    #[default]
    Ignore,
    /// Decoders look at each one that means the same in all languages and takes time that grows no
    /// faster than the text. Others are named in warnings.
    Check,
}

/// A place with a pattern that decoders do not look at.
pub(super) struct Unchecked {
    /// The place in words.
    label: String,
    pattern: String,
}

impl Lowerer<'_> {
    /// The lengths and the pattern of the strings that a schema takes.
    pub(super) fn text(&mut self, schema: &SchemaObject, path: &Path) -> StringType {
        let checks_pattern = schema.pattern.as_ref().is_some_and(|pattern| {
            let is_checked =
                self.patterns == Patterns::Check && pattern::obstacle(pattern).is_none();
            if !is_checked {
                let unchecked =
                    || Unchecked { label: path.label.clone(), pattern: pattern.clone() };
                self.unchecked.entry(schema.location.clone()).or_insert_with(unchecked);
            }
            is_checked
        });
        StringType {
            pattern: schema.pattern.clone(),
            checks_pattern,
            min_length: schema.min_length.filter(|length| *length > 0),
            max_length: schema.max_length,
            ..StringType::default()
        }
    }
}

/// The most patterns that are named one by one.
const FEW: usize = 3;

/// Says where decoders do not look at patterns: at each place, or at the first of many.
pub(super) fn tell(unchecked: &IndexMap<Location, Unchecked>, diagnostics: &mut Diagnostics) {
    let others = unchecked.len().saturating_sub(1);
    let shown = if unchecked.len() > FEW { 1 } else { FEW };
    for (location, Unchecked { label, pattern }) in unchecked.iter().take(shown) {
        let message = if shown == 1 {
            format!("`pattern` of {label} and {others} others is not enforced by generated code")
        } else {
            format!("`pattern` of {label} is not enforced by generated code")
        };
        let warning = Diagnostic::warning("unenforced-keyword", message).at(location.clone());
        diagnostics.push(match pattern::obstacle(pattern) {
            None => warning
                .help("`--patterns check` makes it look; or check it where the value is used"),
            Some(obstacle) => warning.label(obstacle).help("check it where the value is used"),
        });
    }
}
