//! `acp-bindgen matrix`

use acp_bindgen::diagnostic::{Diagnostic, nearest};
use acp_bindgen::history::{html, matrix, text};
use clap::ValueEnum;

use super::exit::Exit;
use super::terminal::Terminal;
use super::versions::VersionOptions;

/// Say which versions of a protocol can talk to each other, method by method.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Matrix {
    #[command(flatten)]
    versions: VersionOptions,

    /// Look only at the messages of this method.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    /// Take schemas at their word: receivers forgive nothing. JSON has both.
    #[arg(long)]
    strict: bool,

    /// The format of the tables.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// Everything, as one JSON object.
    Json,
    /// A single page that needs nothing else.
    Html,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen matrix schemas/
  acp-bindgen matrix v1.0.0..HEAD --each tag --file schema.json
  acp-bindgen matrix schemas/ --method session/prompt --format json";

impl Matrix {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let (versions, options) = self.versions.load(terminal)?;
        let mut matrix = matrix(&versions, &options);
        if let Some(method) = &self.method {
            let near = nearest(method, matrix.methods.iter().map(String::as_str));
            let near = near.map(str::to_owned);
            let Some(of_method) = matrix.of_method(method) else {
                let error =
                    Diagnostic::error("unknown-method", format!("no version has `{method}`"));
                let help = "`acp-bindgen inspect` lists the methods of a schema";
                return terminal.fail(error.near(near.as_deref(), help));
            };
            matrix = of_method;
        }
        let text = match self.format {
            Format::Text => text(&matrix, self.strict),
            Format::Json => match serde_json::to_string(&matrix) {
                Ok(text) => text + "\n",
                Err(error) => {
                    return terminal.fail(Diagnostic::error("unwritable", error.to_string()));
                }
            },
            Format::Html => match html(&matrix, self.strict) {
                Ok(page) => page,
                Err(error) => return terminal.fail(error),
            },
        };
        if matches!(self.format, Format::Text) {
            terminal.print(&text);
        } else {
            terminal.print_as_it_is(&text);
        }
        Some(Exit::Success)
    }
}
