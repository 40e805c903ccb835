//! Output options of `diff`.

use acp_bindgen::breaking::Report;
use acp_bindgen::breaking::policy::PolicyOutcome;
use acp_bindgen::breaking::report::{
    View, code_text, github, html, json_with, markdown, sarif, summary, text,
};
use acp_bindgen::breaking::source::{Language, SourceComparison};
use acp_bindgen::source::Sources;
use clap::ValueEnum;

use super::style::paint_diff;
use super::terminal::Terminal;

/// Output options.
#[derive(clap::Args)]
pub(super) struct ReportOptions {
    /// The format of the report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Print a line for each finding that breaks or is risky, and one that sums up.
    #[arg(long, conflicts_with_all = ["format", "code"])]
    summary: bool,

    /// Show how the generated public API changes, in the languages named, separated by commas;
    /// in all of them if none is.
    #[arg(long, value_name = "LANG", value_delimiter = ',', num_args = 0.., require_equals = true)]
    code: Option<Vec<Language>>,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// Everything, as one JSON object.
    Json,
    /// For a changelog, or a comment on a pull request.
    Markdown,
    /// A single page that needs nothing else, with filters and code.
    Html,
    /// Annotations of a GitHub workflow.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

impl ReportOptions {
    /// Tells whether the report is text for people to read at a terminal.
    pub(super) fn is_for_people(&self) -> bool {
        self.summary || self.format == Format::Text
    }

    /// The report in the form asked for. `None` if an error was reported.
    pub(super) fn shown(
        &self,
        report: &Report,
        source: &SourceComparison,
        outcome: &PolicyOutcome,
        [old, new]: [&Sources; 2],
        terminal: &mut Terminal,
    ) -> Option<String> {
        let code = self.code.as_ref().map(|languages| {
            source.diff(if languages.is_empty() { Language::ALL } else { languages })
        });
        let view = View { report, old, new, outcome, code: code.as_ref() };
        if self.summary {
            return Some(summary(report, outcome));
        }
        Some(match self.format {
            Format::Text => text(&view) + &paint_diff(&code_text(&view)),
            Format::Json => json_with(&view),
            Format::Markdown => markdown(&view),
            Format::Github => github(&view),
            Format::Sarif => sarif(&view),
            Format::Html => match html(&view) {
                Ok(page) => page,
                Err(error) => return terminal.fail(error),
            },
        })
    }
}
