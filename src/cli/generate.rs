//! `acp-bindgen generate`

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::output::{Action, Plan, plan, write};
use acp_bindgen::{Config, Generation, Protocol};

use super::common::{Choices, generate};
use super::exit::Exit;
use super::summary::{outcome, overview};
use super::terminal::Terminal;

/// Write the packages: all of them, or nothing.
///
/// Files that this tool wrote before are its own: they are overwritten, even if someone edited
/// them, and removed when they are no longer generated (each package folder has a list of them
/// in `.acp-bindgen.json`). A file that it did not write is left alone. Files that would not
/// change are not touched.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Generate {
    #[command(flatten)]
    choices: Choices,

    /// Only say what would be written.
    #[arg(long)]
    dry_run: bool,

    /// Overwrite files in the package folders that this tool did not write.
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen generate
  acp-bindgen generate --schema my.json --overlay ours.json --out sdk
  acp-bindgen generate --schema git:v1.2:schema.json --target rust,python
  my-schema-exporter | acp-bindgen generate --schema -";

impl Generate {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        generate_and_write(&self.choices, self.dry_run, self.force, terminal)
    }
}

/// Writes what the choices ask for, or only says what would be written. `None` if an error was
/// reported.
pub(super) fn generate_and_write(
    choices: &Choices,
    dry_run: bool,
    force: bool,
    terminal: &mut Terminal,
) -> Option<Exit> {
    let start = Instant::now();
    let config = choices.load(terminal)?;
    let generation = generate(&config, terminal)?;
    let mut plan = plan_for(&config, &choices.base(), &generation, force, terminal)?;
    if dry_run {
        terminal.print(&preview(&plan));
    } else {
        match write(plan) {
            Ok(written) => plan = written,
            Err(errors) => {
                terminal.report(&errors, &generation.sources);
                return None;
            }
        }
    }
    let summary =
        overview(&generation, &plan) + &outcome(&generation, &plan, start.elapsed(), dry_run);
    terminal.status(&summary);
    Some(Exit::Success)
}

/// Compares what was generated with what is on disk. Findings are reported; there is a plan only
/// if none of them is an error. `base`: the folder that the packages' folder is in where none is
/// chosen.
pub(super) fn plan_for<'a>(
    config: &Config,
    base: &Path,
    generation: &'a Generation,
    force: bool,
    terminal: &mut Terminal,
) -> Option<Plan<'a>> {
    let out = config.out.clone().unwrap_or_else(|| {
        let name = generation.protocol.as_ref().map(Protocol::package_name).unwrap_or_default();
        base.join(format!("{name}-sdk"))
    });
    let mut diagnostics = Diagnostics::new();
    let packages = generation
        .packages
        .iter()
        .map(|package| (config.package_folder(&out, &package.target), &package.files));
    let plan = plan(packages, force, &mut diagnostics);
    diagnostics.sort();
    terminal.report(&diagnostics, &generation.sources);
    (!diagnostics.has_errors()).then_some(plan)
}

fn preview(plan: &Plan<'_>) -> String {
    let mut text = String::new();
    for (package, change) in plan.changes() {
        let verb = match change.action {
            Action::Create => "create",
            Action::Update { edited: false } => "update",
            Action::Update { edited: true } => "overwrite edited",
            Action::Remove => "remove",
        };
        let path = package.folder.join(&change.path);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{verb} {}", path.display());
    }
    text
}
