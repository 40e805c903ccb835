//! `acp-bindgen completions` and `acp-bindgen man`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use acp_bindgen::diagnostic::Diagnostic;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man as Page;

use super::Cli;
use super::exit::Exit;
use super::terminal::Terminal;

/// The command's name.
const NAME: &str = "acp-bindgen";

/// Print a script that completes this command's names and options in a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  acp-bindgen completions bash > ~/.local/share/bash-completion/completions/acp-bindgen
  acp-bindgen completions fish > ~/.config/fish/completions/acp-bindgen.fish")]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

/// Print the manual page, or write one for each command into a folder.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  acp-bindgen man | man -l -
  acp-bindgen man --out /usr/local/share/man/man1")]
pub(super) struct Man {
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Completions {
    /// Runs the command.
    pub(super) fn run(&self, terminal: &mut Terminal) -> Exit {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), NAME, &mut script);
        terminal.print_as_it_is(&String::from_utf8_lossy(&script));
        Exit::Success
    }
}

impl Man {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(&self, terminal: &mut Terminal) -> Option<Exit> {
        let written = match &self.out {
            None => page(Cli::command()).map(|text| terminal.print_as_it_is(&text)),
            Some(folder) => write_all(folder),
        };
        match written {
            Ok(()) => Some(Exit::Success),
            Err(error) => {
                let error = Diagnostic::system("unwritable", "cannot write the pages", &error);
                terminal.fail(error.help("name a folder that can be made or written to"))
            }
        }
    }
}

fn page(command: clap::Command) -> io::Result<String> {
    let mut text = Vec::new();
    Page::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn write_all(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut root = Cli::command();
    // Gives each command its whole name.
    root.build();
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        fs::write(folder.join(format!("{name}.1")), page(command.clone())?)?;
    }
    fs::write(folder.join(format!("{NAME}.1")), page(root)?)
}
