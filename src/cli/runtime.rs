//! `acp-bindgen runtime`

use std::path::PathBuf;

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics};
use acp_bindgen::generator::backend;
use acp_bindgen::output::{FileSet, plan, write};
use acp_bindgen::{Config, Target};

use super::exit::Exit;
use super::summary::count;
use super::terminal::Terminal;

/// Write the runtime of a language, as a package.
///
/// It is what packages depend on that are generated with `--runtime package`: publish it, or name
/// its folder where they look for it.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Runtime {
    /// The languages.
    #[arg(
        long,
        value_name = "LANG,...",
        value_delimiter = ',',
        default_value = "rust,typescript,python"
    )]
    target: Vec<Target>,

    /// The folder to write to: each language has one in it.
    #[arg(long, value_name = "DIR", default_value = "runtime")]
    out: PathBuf,

    /// Overwrite files that this tool did not write.
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen runtime --target rust
  acp-bindgen generate --target rust --runtime package";

impl Runtime {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        match self.write() {
            Ok(message) => {
                terminal.status(&message);
                Some(Exit::Success)
            }
            Err(problems) => terminal.fail(problems),
        }
    }

    fn write(&self) -> Result<String, Diagnostics> {
        let mut problems = Diagnostics::new();
        let mut packages: Vec<(PathBuf, FileSet)> = Vec::new();
        for (at, target) in self.target.iter().enumerate() {
            if self.target.iter().take(at).any(|before| before == target) {
                continue;
            }
            let files = backend(target, &Config::default()).runtime();
            if files.is_empty() {
                let message = format!("there is no runtime of `{}`", target.id());
                let help = "there are those of rust, typescript and python";
                problems.push(Diagnostic::error("unknown-target", message).help(help));
            }
            packages.push((self.out.join(target.id()), files));
        }
        let wanted = packages.iter().map(|(folder, files)| (folder.clone(), files));
        let plan = plan(wanted, self.force, &mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        let is_current = plan.is_current();
        write(plan)?;
        let files = count(packages.iter().map(|(_, files)| files.len()).sum(), "file");
        let folder = self.out.display();
        Ok(if is_current {
            format!("All {files} in {folder} were current already.\n")
        } else {
            format!("Wrote {files} to {folder}.\n")
        })
    }
}
