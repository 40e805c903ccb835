//! Policy options of `diff`.

use acp_bindgen::Config;
use acp_bindgen::breaking::RULES;
use acp_bindgen::breaking::policy::{FailOn, RuleLevel};

use super::policy::{LoadedPolicy, PolicyFiles};
use super::terminal::Terminal;

/// Policy options.
#[derive(clap::Args)]
pub(super) struct PolicyOptions {
    /// Exit with 1 only if something breaks here: messages on the `wire`, messages as `effective`
    /// receivers take them, code in `source`, `any` of them, or `never`. By default `any`.
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    #[command(flatten)]
    files: PolicyFiles,
}

impl PolicyOptions {
    /// Reads the policy, and the configuration. `None` if an error was reported.
    pub(super) fn load(
        &self,
        terminal: &mut Terminal,
    ) -> Option<(LoadedPolicy<FailOn, RuleLevel>, Config)> {
        let rules = RULES.map(|rule| rule.id);
        let table = |config: &Config| config.diff.clone().policy();
        self.files.load("diff", self.fail_on, table, &rules, terminal)
    }
}
