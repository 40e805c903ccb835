//! Options that commands share, and the steps from options to packages.

use std::path::PathBuf;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Generation, Generator};

use super::terminal::Terminal;

/// The choices of flags and configuration file.
#[derive(Clone, clap::Args)]
pub(super) struct Choices {
    #[command(flatten)]
    pub(super) flags: Config,

    /// The file with the choices that no flag makes. By default `acp-bindgen.toml` in this folder,
    /// or in the nearest one above that has it.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

impl Choices {
    /// The folder that the packages' folder is in where nothing is chosen: that of the
    /// configuration file that was found.
    pub(super) fn base(&self) -> PathBuf {
        let found = if self.config.is_some() { None } else { Config::find() };
        found.and_then(|path| Some(path.parent()?.to_owned())).unwrap_or_default()
    }

    /// The choices of the flags, then those of the configuration file. Findings are reported.
    pub(super) fn load(&self, terminal: &mut Terminal) -> Option<Config> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let chosen = self.read(&mut sources, &mut diagnostics);
        terminal.report(&diagnostics, &sources);
        chosen
    }

    /// Reads the same choices as [`Self::load`], with the findings for the caller to report.
    pub(super) fn read(
        &self,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Config> {
        let file = Config::read(self.config.as_deref(), sources, diagnostics)?;
        Some(self.flags.clone().or(file))
    }
}

/// Reads what a configuration names and generates packages from it. Findings are reported;
/// there is a result only if none of them is an error.
pub(super) fn generate(config: &Config, terminal: &mut Terminal) -> Option<Generation> {
    let mut diagnostics = Diagnostics::new();
    let inputs = config.read_inputs(&mut diagnostics);
    let templates = config.read_templates(&mut diagnostics);
    let history = config.read_history(&mut diagnostics);
    let aliases = config.read_aliases(&mut diagnostics);
    let license = config.read_license(&mut diagnostics);
    terminal.report(&diagnostics, &config.sources());
    let inputs = inputs.filter(|_| !diagnostics.has_errors())?;
    let generator = Generator::new(config.clone()).templates(templates).history(history);
    let generation = generator.aliases(aliases).license(license).generate(inputs);
    terminal.report(&generation.diagnostics, &generation.sources);
    (!generation.diagnostics.has_errors()).then_some(generation)
}
