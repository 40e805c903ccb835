//! Options that name several versions of a schema, and reading them.

use std::path::PathBuf;

use acp_bindgen::breaking::CompareOptions;
use acp_bindgen::diagnostic::{Diagnostic, Diagnostics, Severity};
use acp_bindgen::history::Version;
use acp_bindgen::input::{Steps, name_versions};
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Purpose, input, load};

use super::diff_policy::UnstableOption;
use super::overlays::OverlayOption;
use super::terminal::Terminal;

/// Versions of a schema.
#[derive(clap::Args)]
pub(super) struct VersionOptions {
    /// Versions of the schema, the oldest first: files, folders of files, `bundled:NAME`,
    /// `git:REV:PATH`, or a range of git revisions `A..B` (`A..`: up to the file as it is now).
    #[arg(value_name = "VERSION", required = true)]
    versions: Vec<String>,

    /// The schema that ranges of revisions are of. By default the `schema` of the configuration
    /// file.
    #[arg(long, value_name = "FILE")]
    file: Option<String>,

    /// What counts as a version between the ends of a range. By default nothing does.
    #[arg(long, value_name = "WHAT")]
    each: Option<Steps>,

    #[command(flatten)]
    overlay: OverlayOption,

    #[command(flatten)]
    unstable: UnstableOption,

    /// The file whose `schema` is taken where `--file` names none. By default
    /// `acp-bindgen.toml`, in this folder or above.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl VersionOptions {
    /// Reads and loads the versions, of which there must be two at least, and how they are to be
    /// compared. `None` if an error was reported; of all versions, if several have errors.
    pub(super) fn load(&self, terminal: &mut Terminal) -> Option<(Vec<Version>, CompareOptions)> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let config = Config::read(self.config.as_deref(), &mut sources, &mut diagnostics);
        terminal.report(&diagnostics, &sources);
        let config = config?;
        let file = self.file.as_ref().or(config.schema.first());
        let names = match name_versions(&self.versions, file.map(String::as_str), self.each) {
            Ok(names) => names,
            Err(error) => return terminal.fail(error),
        };
        if let [only] = &names[..] {
            // One that cannot be read is the mistake, and not that it is the only one.
            if let Err(error) = input::read_schema(&only.schema, &[], &config.refs) {
                return terminal.fail(error);
            }
        }
        if names.len() < 2 {
            let error = Diagnostic::error("no-schema", "there is only one version to compare");
            return terminal.fail(error.help("name a second one, a range `A..B`, or a folder"));
        }
        let ranged = file.filter(|_| names.iter().any(|name| name.schema.starts_with("git:")));
        let compared = names.iter().map(|name| &name.schema).chain(ranged);
        let overlays = self.overlay.chosen(&config, compared.map(String::as_str));
        let mut versions = Vec::new();
        let mut is_whole = true;
        for name in names {
            let inputs = match input::read_schema(&name.schema, &overlays, &config.refs) {
                Ok(inputs) => inputs,
                Err(error) => {
                    terminal.fail::<()>(error);
                    is_whole = false;
                    continue;
                }
            };
            let inputs = inputs.patterns(config.patterns.unwrap_or_default());
            let mut loaded = load(inputs, Purpose::Compare);
            // Of many versions only what keeps one out is worth a line.
            loaded.diagnostics.retain(Severity::Error);
            terminal.report(&loaded.diagnostics, &loaded.sources);
            let (Some(schema), Some(protocol)) = (loaded.schema, loaded.protocol) else {
                is_whole = false;
                continue;
            };
            let (label, version, date) = (name.label, name.version, name.date);
            versions.push(Version { label, version, date, schema, protocol });
        }
        is_whole.then(|| (versions, self.unstable.options(&config)))
    }
}
