//! Policies: what `diff`, `lint` and `validate` read of a project's choices, and how they go by it.

use std::path::{Path, PathBuf};

use acp_bindgen::config::PolicyTable;
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::policy::{
    FailOn, Levels, Outcome, Policy, Waiver, read_waivers, today, unknown_rule,
};
use acp_bindgen::source::Sources;
use acp_bindgen::validate::policy::rule_ids;
use acp_bindgen::{Config, breaking, input, lint};

use super::terminal::Terminal;

/// Policy options that every such command has, beside its own `--fail-on`.
#[derive(clap::Args)]
pub(super) struct PolicyFiles {
    /// A file of findings that were agreed to, each with a reason and the last day on which it
    /// holds.
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,

    /// The configuration file: its table for this command says what no flag does, and the levels of
    /// rules. By default `acp-bindgen.toml`, in this folder or above.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// A policy, with the text of its waivers.
pub(super) struct LoadedPolicy<F, L> {
    policy: Policy<F, L>,
    sources: Sources,
}

impl PolicyFiles {
    /// Reads the configuration file, then the policy that the flags and its `table` choose, which
    /// is called `name`: with levels for these rules only. `None` if an error was reported.
    pub(super) fn load<F: FailOn, L>(
        &self,
        name: &str,
        fail_on: Option<F>,
        table: impl FnOnce(&Config) -> PolicyTable<F, L>,
        rules: &[&'static str],
        terminal: &mut Terminal,
    ) -> Option<(LoadedPolicy<F, L>, Config)> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let file = Config::read(self.config.as_deref(), &mut sources, &mut diagnostics);
        let config = file.unwrap_or_default();
        let flags = PolicyTable { fail_on, waivers: self.waivers.clone(), rules: Levels::new() };
        let chosen = flags.or(table(&config));
        let waivers = chosen.waivers.map_or_else(
            || Some(Vec::new()),
            |path| {
                let mut unread = Diagnostics::new();
                let waivers = waivers(&path, &mut sources, &mut unread);
                for error in unread.iter_mut().filter(|_| self.waivers.is_none()) {
                    config.locate(error, name, &path.to_string_lossy());
                }
                diagnostics.extend(unread);
                waivers
            },
        );
        let policy = Policy {
            fail_on: chosen.fail_on.unwrap_or_default(),
            rules: chosen.rules,
            waivers: waivers
                .unwrap_or_default()
                .into_iter()
                .filter(|it| is_for(it, rules))
                .collect(),
        };
        for rule in policy.rules.keys().filter(|rule| !rules.contains(&rule.as_str())) {
            let mut error = unknown_rule(rule, rules.iter().copied());
            config.locate(&mut error, name, rule);
            diagnostics.push(error);
        }
        terminal.report(&diagnostics, &sources);
        (!diagnostics.has_errors()).then_some((LoadedPolicy { policy, sources }, config))
    }
}

impl<F: FailOn, L> LoadedPolicy<F, L> {
    /// The policy.
    pub(super) fn policy(&self) -> &Policy<F, L> {
        &self.policy
    }

    /// The levels of rules.
    pub(super) fn levels(&self) -> &Levels<L> {
        &self.policy.rules
    }

    /// Applies the policy to findings, as of today, in the way that the command does. Waivers
    /// without effect are reported.
    pub(super) fn apply(
        &self,
        outcome: impl FnOnce(&Policy<F, L>, acp_bindgen::policy::Date) -> Outcome<F>,
        terminal: &mut Terminal,
    ) -> Outcome<F> {
        let outcome = outcome(&self.policy, today());
        terminal.report(&outcome.diagnostics(), &self.sources);
        outcome
    }
}

/// Tells whether a waiver is for a command with these rules: one file can be for several commands.
/// A waiver for a rule that no command has is everyone's, to be reported.
fn is_for(waiver: &Waiver, rules: &[&str]) -> bool {
    let rule = waiver.finding.split(':').next().unwrap_or_default();
    let of_others = breaking::RULES.iter().map(|rule| rule.id);
    let of_others = of_others.chain(lint::rules().map(lint::Rule::id)).chain(rule_ids());
    let mut of_others = of_others.filter(|id| !rules.contains(id));
    rule.contains('*') || !of_others.any(|id| id == rule)
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
