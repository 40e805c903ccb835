//! Findings about the input: collected, never thrown one at a time.

mod excerpt;
#[cfg(feature = "serde")]
mod json;
mod nearest;
mod parse;
mod printable;
mod reason;
mod render;

#[cfg(feature = "serde")]
pub use json::render_json;
pub use nearest::nearest;
pub use parse::parse;
pub use printable::printable;
pub(crate) use reason::reason;
pub use render::{Style, WIDE, render, tally};

#[cfg(feature = "serde")]
use serde::Serialize;

use crate::source::Location;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Nothing can be generated from this.
    Error,
    /// Something is probably not what its author meant.
    Warning,
    /// Something is good to know.
    Info,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Diagnostic {
    /// A stable name for this kind of finding, in kebab case.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The message: a sentence without a full stop.
    pub message: String,
    /// Its location, if it is in a schema.
    pub location: Option<Location>,
    /// A few words to stand beside the marked text.
    pub label: Option<String>,
    /// Other locations that belong to it.
    pub related: Vec<Related>,
    /// The hint: what to do about it.
    pub help: Option<String>,
}

/// A second location, and what it has to do with the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Related {
    /// The location.
    pub location: Location,
    /// The words beside it.
    pub label: String,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// An error of the operating system: what cannot be done, and why.
    pub fn system(code: &'static str, what: &str, error: &std::io::Error) -> Self {
        Self::error(code, format!("{what}: {}", reason(error)))
    }

    /// A finding of this severity.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            location: None,
            label: None,
            related: Vec::new(),
            help: None,
        }
    }

    /// Says where it is.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// Puts words beside the marked text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a second location.
    #[must_use]
    pub fn related(mut self, location: Location, label: impl Into<String>) -> Self {
        self.related.push(Related { location, label: label.into() });
        self
    }

    /// Says what was probably meant, or else what to do about it.
    #[must_use]
    pub fn near(self, near: Option<&str>, otherwise: impl Into<String>) -> Self {
        match near {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.help(otherwise),
        }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No findings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all findings of another run.
    pub fn extend(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// Tells whether anything prevents generation.
    pub fn has_errors(&self) -> bool {
        self.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Tells whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All findings.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// All findings, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.list.iter_mut()
    }

    /// Keeps the findings of this severity only.
    pub fn retain(&mut self, severity: Severity) {
        self.list.retain(|diagnostic| diagnostic.severity == severity);
    }

    /// Leaves out what is only good to know.
    pub(crate) fn drop_notes(&mut self) {
        self.list.retain(|diagnostic| diagnostic.severity != Severity::Info);
    }

    /// Orders findings: errors first, then by location in the text, then by code and message; and
    /// removes exact repetitions.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        self.list.dedup();
    }
}

fn sort_key(diagnostic: &Diagnostic) -> (Severity, (u32, u32), &'static str, &str) {
    let start = diagnostic
        .location
        .as_ref()
        .map_or((0, 0), |location| (location.span.source, location.span.start));
    (diagnostic.severity, start, diagnostic.code, &diagnostic.message)
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { list: vec![diagnostic] }
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
