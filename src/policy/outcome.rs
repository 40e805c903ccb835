//! The outcome of applying a policy to findings.

use serde::Serialize;

use super::prose::count;
use super::waivers::Waiver;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The choice of what makes a command fail: the words of `--fail-on`.
pub trait FailOn: Copy + Default + PartialEq {
    /// The word.
    fn name(self) -> &'static str;
}

/// The outcome of applying a policy to findings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome<F> {
    /// The findings that make the command fail.
    pub fail_on: F,
    /// True if the command fails.
    pub fails: bool,
    /// The number of findings that make the command fail.
    pub failing: usize,
    /// The number of findings that are not reported, because their rules are to be ignored.
    pub ignored: usize,
    /// Waivers that hold, in the order of the findings.
    pub waived: Vec<Waiver>,
    /// Waivers whose day has passed: they have no effect.
    pub expired: Vec<Waiver>,
    /// Waivers that still hold, for findings that are not there.
    pub unused: Vec<Waiver>,
}

impl<F: FailOn> Outcome<F> {
    /// The waiver of a finding, by its id, if there is one that holds.
    pub fn waiver(&self, finding: &str) -> Option<&Waiver> {
        self.waived.iter().find(|waiver| waiver.is_for(finding))
    }

    /// Warnings for waivers without effect, to be shown with the waiver file.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        for waiver in &self.expired {
            let message = format!("a waiver has expired on {}", waiver.expires);
            diagnostics.push(
                Diagnostic::warning("expired-waiver", message)
                    .at(waiver.location.clone())
                    .help("give it a later date, or repair what it is for"),
            );
        }
        for waiver in &self.unused {
            diagnostics.push(
                Diagnostic::warning("unused-waiver", "a waiver is for a finding that is not there")
                    .at(waiver.location.clone())
                    .help("remove it, or correct the finding's id"),
            );
        }
        diagnostics
    }

    /// The outcome in a sentence. `None` where there is nothing to say beyond the findings.
    pub fn note(&self) -> Option<String> {
        let counts = [
            (self.waived.len(), "finding", "waived"),
            (self.expired.len(), "waiver", "expired"),
            (self.unused.len(), "waiver", "unused"),
            (self.ignored, "finding", "ignored"),
        ];
        let told = counts.into_iter().filter(|(number, ..)| *number > 0);
        let mut parts: Vec<String> =
            told.map(|(number, noun, what)| format!("{} {what}", count(number, noun))).collect();
        let is_usual = self.fail_on == F::default() && parts.is_empty();
        (!is_usual).then(|| {
            let verdict = match self.failing {
                0 => "passes".to_owned(),
                failing => format!("fails on {}", count(failing, "finding")),
            };
            parts.insert(0, format!("with `--fail-on {}` this {verdict}", self.fail_on.name()));
            parts.join("; ")
        })
    }
}
