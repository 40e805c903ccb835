//! `acp-bindgen templates`

use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::backend::folder::EXTENSION;
use acp_bindgen::diagnostic::{Diagnostic, Diagnostics};
use acp_bindgen::generator::backend;
use acp_bindgen::output::replace;
use acp_bindgen::{Config, Target};
use clap::Subcommand;

use super::exit::Exit;
use super::style::{Role, paint};
use super::summary::count;
use super::terminal::Terminal;

/// Start custom templates.
///
/// A folder of minijinja templates makes up a custom target, or replaces templates of a language
/// that have the same names: `[targets.NAME]` with `templates = "DIR"` in acp-bindgen.toml.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Templates {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen templates export typescript mine    then change some, remove the rest
  acp-bindgen generate --target typescript --templates mine
  acp-bindgen templates schema | jq '.\"$defs\" | keys'";

#[derive(Subcommand)]
enum Command {
    /// Write the templates of a language, to start from.
    ///
    /// The model that they print changes with this tool: it is no contract, as `protocol` is for a
    /// custom target.
    Export(Export),
    /// Print the JSON Schema of what templates see as `protocol`.
    ///
    /// `acp-bindgen inspect --format json` prints that itself.
    Schema,
}

#[derive(clap::Args)]
struct Export {
    /// The language.
    #[arg(value_name = "LANG")]
    target: Target,

    /// The folder to write to.
    #[arg(value_name = "DIR", default_value = "templates")]
    folder: PathBuf,

    /// Overwrite files that are there.
    #[arg(long)]
    force: bool,
}

impl Templates {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let outcome = match self.command {
            Command::Schema => {
                terminal.print_as_it_is(include_str!("../../schema/ir.schema.json"));
                Ok(())
            }
            Command::Export(export) => export.run(terminal),
        };
        match outcome {
            Ok(()) => Some(Exit::Success),
            Err(problems) => terminal.fail(problems),
        }
    }
}

impl Export {
    fn run(&self, terminal: &mut Terminal) -> Result<(), Diagnostics> {
        let templates = backend(&self.target, &Config::default()).templates();
        if templates.is_empty() {
            return Err(self.without_templates().into());
        }
        let files = || {
            templates
                .iter()
                .map(|(name, text)| (self.folder.join(format!("{name}{EXTENSION}")), *text))
        };
        if !self.force {
            let mut taken = Diagnostics::new();
            for (path, _) in files().filter(|(path, _)| fs::symlink_metadata(path).is_ok()) {
                let message = format!("`{}` is there already", path.display());
                let help = "name another folder, or overwrite it with `--force`";
                taken.push(Diagnostic::error("foreign-file", message).help(help));
            }
            if !taken.is_empty() {
                return Err(taken);
            }
        }
        for (path, text) in files() {
            save(&path, text).map_err(|error| {
                let what = format!("cannot write `{}`", path.display());
                Diagnostic::system("unwritable", &what, &error).help("name another folder")
            })?;
        }
        let folder = self.folder.display();
        terminal.status(&format!(
            "Wrote {} to {folder}. Remove those that you do not change. Next: {}\n",
            count(templates.len(), "template"),
            paint(
                Role::Name,
                format!(
                    "acp-bindgen generate --target {target} --templates {folder}",
                    target = self.target.id()
                )
            ),
        ));
        Ok(())
    }

    fn without_templates(&self) -> Diagnostic {
        let name = self.target.id();
        if self.target.is_built_in() {
            let message = format!("the {name} package is printed by code: it has no templates");
            return Diagnostic::error("no-templates", message).help(
                "its files cannot be replaced one by one; a `[targets.NAME]` of another name is \
                 a custom target",
            );
        }
        let config = Config::default();
        let with: Vec<&str> = Target::ALL
            .iter()
            .filter(|target| !backend(target, &config).templates().is_empty())
            .map(Target::id)
            .collect();
        Diagnostic::error("unknown-target", format!("there are no templates of `{name}`"))
            .help(format!("there are those of {}", with.join(", ")))
    }
}

fn save(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    replace(path, text)
}
