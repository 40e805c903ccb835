//! Options that name several versions of a schema, and reading them.

use std::path::PathBuf;

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics, Severity};
use acp_bindgen::history::Version;
use acp_bindgen::input::{Steps, name_versions, read_schema};
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Purpose, load};

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

    /// The file whose `schema` is taken where `--file` names none. By default
    /// `acp-bindgen.toml`, in this folder or above.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl VersionOptions {
    /// Reads and loads the versions, of which there must be two at least. `None` if an error was
    /// reported; of all versions, if several have errors.
    pub(super) fn load(&self, terminal: &mut Terminal) -> Option<Vec<Version>> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let config = Config::read(self.config.as_deref(), &mut sources, &mut diagnostics);
        terminal.report(&diagnostics, &sources);
        let configured = config?.schema.into_iter().next();
        let file = self.file.clone().or(configured);
        let names = match name_versions(&self.versions, file.as_deref(), self.each) {
            Ok(names) => names,
            Err(error) => return terminal.fail(error),
        };
        if names.len() < 2 {
            let error = Diagnostic::error("no-schema", "there is only one version to compare");
            return terminal.fail(error.help("name a second one, a range `A..B`, or a folder"));
        }
        let mut versions = Vec::new();
        let mut is_whole = true;
        for name in names {
            let inputs = match read_schema(&name.schema) {
                Ok(inputs) => inputs,
                Err(error) => {
                    terminal.fail::<()>(error);
                    is_whole = false;
                    continue;
                }
            };
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
        is_whole.then_some(versions)
    }
}
