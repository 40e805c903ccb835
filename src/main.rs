//! The command line: `acp-bindgen generate`, `check` and `inspect`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os()).into()
}
