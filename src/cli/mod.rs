//! The commands, one file each.

mod changelog;
mod check;
mod common;
mod completions;
mod diff;
mod diff_policy;
mod diff_report;
mod exit;
mod explain;
mod generate;
mod init;
mod inspect;
mod lint;
mod matrix;
mod names;
mod overlays;
mod policy;
mod runtime;
mod style;
mod summary;
mod templates;
mod terminal;
mod validate;
mod versions;
mod watch;
mod wrap;
mod write_aliases;
mod write_waivers;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use exit::Exit;
use terminal::{MessageFormat, Terminal};

/// Compiles the annotated JSON Schema of a JSON-RPC protocol into typed SDKs.
///
/// Without any option it takes the bundled schema and writes a package for each language.
#[derive(Parser)]
#[command(name = "acp-bindgen", version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    /// The format of findings on standard error.
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "human",
        help_heading = GENERAL
    )]
    message_format: MessageFormat,

    /// Say nothing but errors and warnings.
    #[arg(long, short, global = true, help_heading = GENERAL)]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Generate),
    Changelog(changelog::Changelog),
    Check(check::Check),
    Completions(completions::Completions),
    Diff(diff::Diff),
    Explain(explain::Explain),
    Init(init::Init),
    Inspect(inspect::Inspect),
    Lint(lint::Lint),
    Man(completions::Man),
    Matrix(matrix::Matrix),
    Names(names::Names),
    Runtime(runtime::Runtime),
    Templates(templates::Templates),
    Validate(validate::Validate),
    Watch(watch::Watch),
}

/// The heading of options that every command has.
const GENERAL: &str = "General options";

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen generate                                   all languages, from the bundled schema
  acp-bindgen generate --schema my.json --target rust    one language, from another schema
  acp-bindgen check                                      is what is on disk current?
  acp-bindgen diff old.json new.json                     what does a change of the schema break?
  acp-bindgen lint --schema my.json                      what could be better about a schema?
  acp-bindgen inspect                                    the methods and types of the protocol
  acp-bindgen validate trace.jsonl                       are these messages what they should be?

Exit codes: 0 success, 1 `check`, `diff`, `lint` or `validate` found something, 2 failure.";

/// The sentence after an error that came before anything was written.
const NOTHING_WRITTEN: &str = " Nothing was written.";

/// Runs the command that the arguments ask for.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let parsed = Cli::command()
        .styles(style::HELP)
        .term_width(terminal::help_columns())
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            terminal::print_usage(&error);
            return if error.use_stderr() { Exit::Failure } else { Exit::Success };
        }
    };
    let terminal = &mut Terminal::new(cli.message_format, cli.quiet);
    let (outcome, remark) = match cli.command {
        Command::Generate(generate) => (generate.run(terminal), NOTHING_WRITTEN),
        Command::Changelog(changelog) => (changelog.run(terminal), ""),
        Command::Check(check) => (check.run(terminal), ""),
        Command::Completions(completions) => (Some(completions.run(terminal)), ""),
        Command::Diff(diff) => (diff.run(terminal), ""),
        Command::Explain(explain) => (explain.run(terminal), ""),
        Command::Init(init) => (init.run(terminal), NOTHING_WRITTEN),
        Command::Inspect(inspect) => (inspect.run(terminal), ""),
        Command::Lint(lint) => (lint.run(terminal), ""),
        Command::Man(man) => (man.run(terminal), ""),
        Command::Matrix(matrix) => (matrix.run(terminal), ""),
        Command::Names(names) => (names.run(terminal), ""),
        Command::Runtime(runtime) => (runtime.run(terminal), NOTHING_WRITTEN),
        Command::Templates(templates) => (templates.run(terminal), NOTHING_WRITTEN),
        Command::Validate(validate) => (validate.run(terminal), ""),
        Command::Watch(watch) => (watch.run(terminal), ""),
    };
    terminal.finish(outcome, remark)
}
