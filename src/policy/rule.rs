//! Rules, and the words of reports, as data.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity, nearest};

/// A rule of a command: what it looks for, what that means, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// A stable name, in kebab case.
    pub id: &'static str,
    /// The severity of its findings, unless a project says otherwise.
    pub severity: Severity,
    /// A few words about what it finds.
    pub summary: &'static str,
    /// Why that matters, in full sentences.
    pub why: &'static str,
    /// The remedy: what to do instead.
    pub remedy: &'static str,
    /// A piece of a document that it finds, or of a schema before the change that it finds.
    pub before: &'static str,
    /// The piece as it should be, or after the change.
    pub after: &'static str,
}

/// A word that a report prints, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// Where it stands: a few words.
    pub subject: &'static str,
    /// The meaning, in full sentences.
    pub meaning: &'static str,
}

/// Says that none of the `known` rules has this name.
pub fn unknown_rule(name: &str, known: impl Iterator<Item = &'static str>) -> Diagnostic {
    Diagnostic::error("unknown-rule", format!("there is no rule `{name}`"))
        .near(nearest(name, known), "`acp-bindgen explain` lists all rules")
}
