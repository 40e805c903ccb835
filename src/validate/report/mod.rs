//! The report of a validation: what every format prints.

mod github;
mod json;
mod sarif;
mod text;

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use text::{headline, text};

use indexmap::IndexMap;

use super::Finding;
use super::policy::{ValidateOutcome, ValidatePolicy};
use crate::diagnostic::Severity;
use crate::policy::{Date, Levels, RuleSeverity};
use crate::source::{Location, SourceText, Sources};

/// The outcome of a validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The schema's name: a file name without its folder, or `bundled:…`.
    pub schema: String,
    /// The number of messages.
    pub messages: usize,
    /// The findings, file by file, in the order of the lines.
    pub findings: Vec<Finding>,
    /// The number of further ones, whose rules are to be ignored.
    pub ignored: usize,
}

impl Report {
    /// The report with the severities that a project gives to rules.
    #[must_use]
    pub fn with_levels(mut self, levels: &Levels<RuleSeverity>) -> Self {
        let before = self.findings.len();
        self.findings.retain_mut(|finding| {
            let Some(level) = levels.get(finding.rule.id) else { return true };
            let chosen = level.severity();
            finding.severity = chosen.unwrap_or(finding.severity);
            chosen.is_some()
        });
        self.ignored += before - self.findings.len();
        self
    }

    /// Looks at the report with a policy, on a day, and says whether it fails.
    pub fn outcome(&self, policy: &ValidatePolicy, today: Date) -> ValidateOutcome {
        let counts = |finding: &Finding| policy.fail_on.counts(finding.severity);
        let ids = self.findings.iter().map(|finding| (finding.id.as_str(), counts(finding)));
        // What is found several times counts if one of them does.
        let mut ids: Vec<(&str, bool)> = ids.collect();
        ids.sort_by_key(|(_, counts)| *counts);
        policy.outcome(ids.into_iter(), self.ignored, today)
    }

    /// The number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// A report, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The findings.
    pub report: &'a Report,
    /// The files that were read.
    pub files: &'a Sources,
    /// The texts of the schema.
    pub schema: &'a Sources,
    /// The outcome of the project's policy.
    pub outcome: &'a ValidateOutcome,
}

impl<'a> View<'a> {
    /// The file that a finding is in.
    fn file(&self, finding: &Finding) -> Option<&'a SourceText> {
        self.files.get(finding.location.span.source)
    }

    /// The text of the schema that a finding refers to, and the place in it.
    fn schema<'f>(&self, finding: &'f Finding) -> Option<(&'a SourceText, &'f Location)> {
        let location = finding.schema.as_ref()?;
        Some((self.schema.get(location.span.source)?, location))
    }

    /// Findings, each once for all messages that have the same mistake, with the further ones.
    fn groups(&self) -> Vec<(&'a Finding, Vec<&'a Finding>)> {
        let mut groups: IndexMap<_, Vec<&Finding>> = IndexMap::new();
        for finding in &self.report.findings {
            let file = finding.location.span.source;
            groups.entry((&finding.id, &finding.message, file)).or_default().push(finding);
        }
        groups.into_values().filter_map(split_first).collect()
    }
}

fn split_first(group: Vec<&Finding>) -> Option<(&Finding, Vec<&Finding>)> {
    let mut group = group.into_iter();
    Some((group.next()?, group.collect()))
}

/// `agent → client`, as far as it is known.
fn direction(finding: &Finding) -> Option<String> {
    match (&finding.from, &finding.to) {
        (Some(from), Some(to)) => Some(format!("{from} → {to}")),
        (Some(from), None) => Some(format!("{from} →")),
        (None, Some(to)) => Some(format!("→ {to}")),
        (None, None) => None,
    }
}

/// The text of a finding, with the path in the message that it is about.
fn told(finding: &Finding) -> String {
    // What is wrong with these names them anyway.
    match finding.path.as_str() {
        "" | "method" | "id" | "jsonrpc" => finding.message.clone(),
        path => format!("{path}: {}", finding.message),
    }
}
