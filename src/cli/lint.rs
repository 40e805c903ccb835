//! `acp-bindgen lint`

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::lint::report::{View, github, json, sarif, text};
use acp_bindgen::lint::{Extends, Profile, Rule, Subject, lint, rules};
use acp_bindgen::policy::Threshold;
use acp_bindgen::{Config, Purpose, load};
use clap::ValueEnum;

use super::exit::Exit;
use super::policy::PolicyFiles;
use super::terminal::{Terminal, result_columns};
use super::write_waivers::WriteWaivers;

/// Say what could be better about a schema: what cannot grow, is told apart badly, or is not said.
///
/// Exits with 0 if nothing is found that counts, 1 if something is, and 2 if the schema cannot be
/// read.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Lint {
    /// The protocol's schema: a path, `-`, `bundled:NAME`, or `git:REV:PATH`. A further one adds to
    /// it.
    #[arg(long, value_name = "SCHEMA")]
    schema: Vec<String>,

    /// A JSON Merge Patch for the schema. May be repeated.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<String>,

    /// The rules to begin with. By default those that are recommended.
    #[arg(long, value_name = "PROFILE")]
    extends: Option<Extends>,

    /// The mildest findings with which to exit with 1. By default `warning`.
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<Threshold>,

    #[command(flatten)]
    files: PolicyFiles,

    #[command(flatten)]
    waivers: WriteWaivers,

    /// The format of the report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// Everything, as one JSON object.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen lint --schema my.json
  acp-bindgen lint --schema my.json --extends all
  acp-bindgen explain enum-without-fallback";

impl Lint {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let known: Vec<&str> = rules().map(Rule::id).collect();
        let (policy, file) = self.files.load(
            "lint",
            self.fail_on,
            |config| config.lint.clone().policy(),
            &known,
            terminal,
        )?;
        let extends = self.extends.or(file.lint.extends).unwrap_or_default();
        let profile = Profile { extends, rules: policy.levels().clone() };
        let flags = Config { schema: self.schema, overlay: self.overlay, ..Config::default() };
        let config = flags.or(file);
        let mut diagnostics = Diagnostics::new();
        let Some(inputs) = config.read_inputs(&mut diagnostics) else {
            terminal.report(&diagnostics, &config.sources());
            return None;
        };
        let name = inputs.schema.label.clone();
        let loaded = load(inputs, Purpose::Generate);
        let Some(schema) = &loaded.schema else {
            terminal.report(&loaded.diagnostics, &loaded.sources);
            return None;
        };
        let subject = Subject {
            schema,
            protocol: loaded.protocol.as_ref(),
            diagnostics: &loaded.diagnostics,
            sources: &loaded.sources,
        };
        let linted = lint(subject, &profile);
        let outcome = policy.apply(
            |policy, today| {
                let findings = linted.findings.iter();
                let counted =
                    findings.map(|it| (it.id.as_str(), policy.fail_on.counts(it.severity)));
                policy.outcome(counted, linted.ignored, today)
            },
            terminal,
        );
        let view =
            View { linted: &linted, sources: &loaded.sources, schema: &name, outcome: &outcome };
        match self.format {
            Format::Text => terminal.print(&text(&view, result_columns())),
            Format::Json => terminal.print_as_it_is(&json(&view)),
            Format::Github => terminal.print_as_it_is(&github(&view)),
            Format::Sarif => terminal.print_as_it_is(&sarif(&view)),
        }
        if self.waivers.is_asked_for() {
            let fail_on = policy.policy().fail_on;
            let failing = linted
                .findings
                .iter()
                .filter(|it| fail_on.counts(it.severity) && outcome.waiver(&it.id).is_none());
            let ids: Vec<&str> = failing.map(|it| it.id.as_str()).collect();
            self.waivers.write(&ids, terminal)?;
            return Some(Exit::Success);
        }
        Some(if outcome.fails { Exit::Findings } else { Exit::Success })
    }
}
