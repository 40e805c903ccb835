//! What the command line says: `tests/cli/*.trycmd`, each a transcript of commands run in
//! `tests/cli/files`, and the pages of `docs/` that show commands. `.ci/bless cli` rewrites them.

use std::env;
use std::process::Command;

use crate::support;

/// Set in the process that runs the transcripts.
const INSIDE: &str = "ACP_BINDGEN_TRANSCRIPTS";

/// `trycmd` takes its mode from the environment and runs commands in the working folder of its
/// process, so it gets a process of its own.
#[test]
fn transcripts() {
    let folder = support::root().join("tests/cli");
    if env::var_os(INSIDE).is_some() {
        let docs = support::root().join("docs/validate.md");
        let cases = trycmd::TestCases::new();
        cases.env("COLUMNS", "100").case(folder.join("*.trycmd")).case(docs);
        return;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", "cli::transcripts", "--nocapture"]);
    again.env(INSIDE, "1").current_dir(folder.join("files"));
    if support::is_blessing() {
        again.env("TRYCMD", "overwrite");
    }
    support::run(&mut again);
}
