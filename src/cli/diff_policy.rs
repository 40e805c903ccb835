//! Policy options of `diff`.

use std::path::{Path, PathBuf};

use acp_bindgen::breaking::Report;
use acp_bindgen::breaking::policy::{
    FailOn, Policy, PolicyOutcome, RuleLevels, Waiver, read_waivers, today,
};
use acp_bindgen::config::DiffConfig;
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, input};

use super::terminal::Terminal;

/// Policy options.
#[derive(clap::Args)]
pub(super) struct PolicyOptions {
    /// Exit with 1 only if something breaks here: messages on the `wire`, code in `source`, `any`
    /// of them, or `never`. By default `any`.
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    /// A file of findings that were agreed to, each with a reason and the last day on which it
    /// holds.
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,

    /// The file whose `[diff]` table says what no flag does, and the levels of rules. By default
    /// `acp-bindgen.toml`, if there is one in this folder.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// A policy, with the text of its waivers.
pub(super) struct Loaded {
    policy: Policy,
    sources: Sources,
    /// The schema that the configuration file names.
    pub(super) schema: Option<String>,
}

impl PolicyOptions {
    /// Reads the policy. `None` if an error was reported.
    pub(super) fn load(&self, terminal: &mut Terminal) -> Option<Loaded> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let file = Config::read(self.config.as_deref(), &mut sources, &mut diagnostics);
        let flags = DiffConfig {
            fail_on: self.fail_on,
            waivers: self.waivers.clone(),
            ..DiffConfig::default()
        };
        let Config { schema, diff, .. } = file.unwrap_or_default();
        let chosen = flags.or(diff);
        let waivers = chosen.waivers.map_or_else(
            || Some(Vec::new()),
            |path| waivers(&path, &mut sources, &mut diagnostics),
        );
        let policy = Policy {
            fail_on: chosen.fail_on.unwrap_or_default(),
            rules: chosen.rules,
            waivers: waivers.unwrap_or_default(),
        };
        policy.check(&mut diagnostics);
        terminal.report(&diagnostics, &sources);
        let schema = schema.into_iter().next();
        (!diagnostics.has_errors()).then_some(Loaded { policy, sources, schema })
    }
}

impl Loaded {
    /// The levels of rules.
    pub(super) fn levels(&self) -> &RuleLevels {
        &self.policy.rules
    }

    /// Applies the policy to a report, as of today. Waivers without effect are reported.
    pub(super) fn apply(&self, report: &Report, terminal: &mut Terminal) -> PolicyOutcome {
        let outcome = self.policy.apply(&report.changes, report.ignored, today());
        terminal.report(&outcome.diagnostics(), &self.sources);
        outcome
    }
}

fn waivers(
    path: &Path,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Waiver>> {
    let help = "`--waivers` names the file of findings that were agreed to";
    match input::read_path(&path.to_string_lossy(), help) {
        Ok(text) => read_waivers(path, &text, sources, diagnostics),
        Err(error) => {
            diagnostics.push(error);
            None
        }
    }
}
