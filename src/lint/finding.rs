//! Findings of `lint`.

use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Location;

/// Something in a schema that a rule is about.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A name that stays the same from run to run and is unique among findings, for waivers:
    /// `RULE:TYPE.PATH`.
    pub id: String,
    /// The rule.
    pub rule: &'static Rule,
    /// The severity: the rule's, or what a project gives it.
    pub severity: Severity,
    /// The finding, in one sentence without a full stop.
    pub message: String,
    /// Its location.
    pub location: Location,
    /// A second location that belongs to it, and what it has to do with it.
    pub related: Option<(Location, String)>,
    /// The hint: what to do about it.
    pub remedy: String,
}

impl Finding {
    pub(super) fn new(
        rule: &'static Rule,
        at: &str,
        location: &Location,
        message: impl Into<String>,
    ) -> Self {
        Self {
            id: format!("{}:{at}", rule.id()),
            rule,
            severity: rule.about.severity,
            message: message.into(),
            location: location.clone(),
            related: None,
            remedy: rule.about.remedy.to_owned(),
        }
    }

    /// Adds a second location.
    pub(super) fn related(mut self, location: &Location, label: &str) -> Self {
        self.related = Some((location.clone(), label.to_owned()));
        self
    }

    /// The finding as it is shown to people, with its place in the text.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.rule.id(), self.severity, &self.message)
            .at(self.location.clone())
            .help(phrase(&self.remedy));
        match &self.related {
            Some((location, label)) => diagnostic.related(location.clone(), label),
            None => diagnostic,
        }
    }
}

/// A single sentence as the other hints at a terminal are written: it begins small and has no full
/// stop.
fn phrase(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), text.strip_suffix('.')) {
        (Some(first), Some(body)) if !body.contains(". ") => {
            let rest = body.get(first.len_utf8()..).unwrap_or_default();
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => text.to_owned(),
    }
}
