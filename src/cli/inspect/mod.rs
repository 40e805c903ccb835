//! `acp-bindgen inspect`

mod description;
mod detail;
mod expression;
mod meaning;
mod mermaid;
mod overview;
mod select;
mod side;

use std::path::PathBuf;

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics};
use acp_bindgen::{Config, Loaded, Purpose, load};
use clap::ValueEnum;

use super::common::Choices;
use super::exit::Exit;
use super::terminal::Terminal;
use select::{Item, find};

/// Show the methods and types of the protocol, or one of them, or a side.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Inspect {
    /// A method, a type or a side. All methods and types by default.
    name: Option<String>,

    /// The format of the output.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The protocol's schema: a path, `-`, `bundled:NAME`, or `git:REV:PATH`. A further one adds to
    /// it.
    #[arg(long, value_name = "SCHEMA")]
    schema: Vec<String>,

    /// A JSON Merge Patch for the schema. May be repeated.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<String>,

    /// The file that names schema and overlays where no flag does. By default
    /// `acp-bindgen.toml`, in this folder or above.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people.
    Text,
    /// The model that code is generated from.
    Json,
    /// A picture of the types that each method carries, for Mermaid.
    Mermaid,
    /// The whole schema as one file: with what is added to it, and all overlays.
    Schema,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen inspect
  acp-bindgen inspect initialize
  acp-bindgen inspect --schema my.json --format json | jq '.types | keys'
  acp-bindgen inspect initialize --format mermaid
  acp-bindgen inspect --format schema > my.json";

impl Inspect {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let flags = Config { schema: self.schema, overlay: self.overlay, ..Config::default() };
        let config = Choices { flags, config: self.config }.load(terminal)?;
        let mut diagnostics = Diagnostics::new();
        let Some(inputs) = config.read_inputs(&mut diagnostics) else {
            terminal.report(&diagnostics, &config.sources());
            return None;
        };
        let Loaded { schema, protocol, mut diagnostics, sources } = load(inputs, Purpose::Generate);
        let found = match (&protocol, &self.name) {
            (Some(_), Some(name)) if self.format == Format::Schema => {
                let message = format!("a schema is printed whole, not `{name}` of it");
                let error = Diagnostic::error("only-whole", message);
                diagnostics.push(error.help("leave the name out"));
                None
            }
            (Some(protocol), Some(name)) => {
                find(protocol, name).map_err(|error| diagnostics.push(error)).ok().map(Some)
            }
            _ => Some(None),
        };
        diagnostics.sort();
        terminal.report(&diagnostics, &sources);
        let (protocol, found) = (protocol.as_ref()?, found?);
        let text = match (self.format, found) {
            (Format::Text, None) => overview::table(protocol),
            (Format::Text, Some(items)) => detail::describe(&items, protocol, &sources),
            (Format::Schema, _) => json(&schema?.root.to_value()),
            (Format::Json, None) => json(protocol),
            (Format::Json, Some(items)) => items.iter().map(json_item).collect(),
            (Format::Mermaid, None) => mermaid::picture(protocol, None),
            (Format::Mermaid, Some(items)) => mermaid::picture(protocol, Some(&items)),
        };
        if self.format == Format::Text {
            terminal.print(&text);
        } else {
            terminal.print_as_it_is(&text);
        }
        Some(Exit::Success)
    }
}

fn json_item(item: &Item<'_>) -> String {
    match item {
        Item::Method(method) => json(method),
        Item::Type(def) => json(def),
        Item::Side(side) => json(side),
    }
}

fn json(value: &impl serde::Serialize) -> String {
    // The model has only string keys and finite numbers, so that serializing cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
