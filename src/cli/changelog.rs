//! `acp-bindgen changelog`

use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::history::{changelog, markdown};
use clap::ValueEnum;

use super::exit::Exit;
use super::terminal::Terminal;
use super::versions::VersionOptions;

/// Write the changelog of a schema, from each version to the next.
///
/// Lists what is new, changed, deprecated and gone, and the version that the changes ask
/// for.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Changelog {
    #[command(flatten)]
    versions: VersionOptions,

    /// The format of the changelog.
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown, in the form of keepachangelog.com, the newest version first.
    Markdown,
    /// Everything, as one JSON object.
    Json,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen changelog v1.6.0..HEAD --file schema.json
  acp-bindgen changelog v1.0.0.. --each tag
  acp-bindgen changelog old.json new.json";

impl Changelog {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let (versions, options) = self.versions.load(terminal)?;
        let changelog = changelog(&versions, &options);
        let text = match self.format {
            Format::Markdown => markdown(&changelog),
            Format::Json => match serde_json::to_string_pretty(&changelog) {
                Ok(text) => text + "\n",
                Err(error) => {
                    return terminal.fail(Diagnostic::error("unwritable", error.to_string()));
                }
            },
        };
        terminal.print_as_it_is(&text);
        Some(Exit::Success)
    }
}
