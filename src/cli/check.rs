//! `acp-bindgen check`

use acp_bindgen::output::{MANIFEST, check};

use super::common::{Choices, generate};
use super::exit::Exit;
use super::generate::plan_for;
use super::style::{Role, paint, paint_diff};
use super::terminal::Terminal;

/// Say whether what is on disk is what `generate` would write.
///
/// Takes the same options as `generate`. Shows how the files differ and exits with 1 if they do.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Check {
    #[command(flatten)]
    choices: Choices,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen check
  acp-bindgen check --schema my.json --out sdk || echo 'run acp-bindgen generate'";

impl Check {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let base = self.choices.base();
        let config = self.choices.load(terminal)?;
        let generation = generate(&config, terminal)?;
        // A file in the way differs like any other: `check` never writes.
        let plan = plan_for(&config, &base, &generation, true, terminal)?;
        if plan.is_current() {
            let files: usize = plan.packages.iter().map(|package| package.files.len()).sum();
            terminal.status(&format!("All {files} files are current.\n"));
            return Some(Exit::Success);
        }
        let text = paint_diff(&check(&plan));
        let count = plan.changes().filter(|(_, change)| change.path != MANIFEST).count().max(1);
        let plural = if count == 1 { "" } else { "s" };
        let command = paint(Role::Name, fixing_command());
        terminal.print(&format!("{text}Run `{command}` to update {count} file{plural}.\n"));
        Some(Exit::Findings)
    }
}

/// This command line with `generate` for `check`, to be pasted into a shell.
fn fixing_command() -> String {
    let mut words = vec!["acp-bindgen".to_owned()];
    let mut is_replaced = false;
    for argument in std::env::args().skip(1) {
        if argument == "check" && !is_replaced {
            is_replaced = true;
            words.push("generate".to_owned());
        } else {
            words.push(quoted(&argument));
        }
    }
    words.join(" ")
}

fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:@+".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}
