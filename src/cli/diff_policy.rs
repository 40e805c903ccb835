//! Policy options of `diff`.

use acp_bindgen::Config;
use acp_bindgen::breaking::policy::{FailOn, RuleLevel};
use acp_bindgen::breaking::{CompareOptions, RULES};

use super::policy::{LoadedPolicy, PolicyFiles};
use super::terminal::Terminal;

/// The option that leaves out what is unstable.
#[derive(clap::Args)]
pub(super) struct UnstableOption {
    /// Leave out what is found about parts that are marked as unstable in each schema that has
    /// them, and say how many findings that are. By default `ignore-unstable` of the table
    /// `[diff]`.
    #[arg(long)]
    ignore_unstable: bool,
}

impl UnstableOption {
    /// The choices of a comparison in which all rules count as they say.
    pub(super) fn options(&self, config: &Config) -> CompareOptions {
        let chosen = config.diff.ignore_unstable.unwrap_or_default();
        CompareOptions { ignore_unstable: self.ignore_unstable || chosen, ..Default::default() }
    }
}

/// Policy options.
#[derive(clap::Args)]
pub(super) struct PolicyOptions {
    /// Exit with 1 only if something breaks here: messages on the `wire`, messages as `effective`
    /// receivers take them, code in `source`, `any` of them, or `never`. By default `any`.
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    #[command(flatten)]
    unstable: UnstableOption,

    #[command(flatten)]
    files: PolicyFiles,
}

impl PolicyOptions {
    /// The choices of a comparison by a policy.
    pub(super) fn compared(
        &self,
        policy: &LoadedPolicy<FailOn, RuleLevel>,
        config: &Config,
    ) -> CompareOptions {
        CompareOptions { levels: policy.levels().clone(), ..self.unstable.options(config) }
    }

    /// Reads the policy, and the configuration. `None` if an error was reported.
    pub(super) fn load(
        &self,
        terminal: &mut Terminal,
    ) -> Option<(LoadedPolicy<FailOn, RuleLevel>, Config)> {
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        let table = |config: &Config| config.diff.clone().policy();
        self.files.load("diff", self.fail_on, table, &rules, terminal)
    }
}
