//! What integration tests share: other languages' tools, and published schemas.
//!
//! Nothing here needs setting up. A tool that has to be installed (TypeScript, mypy, …) is
//! installed on first use, in the version that `tools/` pins, into `target/tools/`; a lock file
//! lets any number of test binaries ask at once. Where a toolchain is missing altogether, the
//! test that asked is named on standard error and gets `None`; with `ACP_BINDGEN_ALL=1` it fails
//! instead.
//!
//! ```ignore
//! mod support;
//!
//! #[test]
//! fn typescript_compiles() {
//!     let Some(node) = support::node() else { return };
//!     support::run(node.tsc().arg("--noEmit").current_dir(folder));
//! }
//!
//! #[test]
//! fn an_old_schema_lowers() {
//!     let Some(text) = support::npm_schema("0.4.9", "schema/schema.json") else { return };
//! }
//! ```

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on may say so")]
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of this")]

mod browser;
mod everyday;
mod go;
mod harness;
mod install;
mod judge;
mod listening;
mod lowering;
mod node;
mod peers;
mod python;
mod random;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

pub(crate) use browser::chromium;
pub(crate) use everyday::{EverydaySchema, everyday_protocol, everyday_schemas};
pub(crate) use go::{Go, go};
pub(crate) use harness::{build_harness, build_harness_with, harness_languages};
pub(crate) use judge::{
    check_python, check_python_types, check_rust, check_typescript, compile_python, compile_rust,
    compile_typescript, lint_python, synced,
};
pub(crate) use listening::Listening;
pub(crate) use lowering::{Lowered, clean, lowered, lowered_from};
pub(crate) use node::{
    Node, link, node, npm_docs, npm_history, npm_package, npm_packaging, npm_schema, platform,
};
pub(crate) use peers::{
    npm_peers, python_examples, python_peer, python_remote_peer, rust_peers, schema_suite,
};
pub(crate) use python::{Python, Wheels, pyright, python, wheels};
pub(crate) use random::Random;

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Cargo's target folder of this build.
pub(crate) fn target() -> &'static Path {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    temporary.parent().unwrap_or(temporary)
}

/// Whether expected output is to be rewritten: `BLESS=1`, which `.ci/bless` sets.
pub(crate) fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// An empty folder of this name under `target/`, the same one in every run.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = target().join("test-scratch").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old scratch folder can be removed");
    }
    std::fs::create_dir_all(&folder).expect("a scratch folder can be made");
    folder
}

/// Writes files into a folder, making the folders they need. A file that is already so is left
/// alone.
pub(crate) fn write_files<'a>(folder: &Path, files: impl IntoIterator<Item = (&'a str, &'a str)>) {
    for (path, contents) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder can be made");
        }
        if !std::fs::read_to_string(&path).is_ok_and(|old| old == contents) {
            std::fs::write(path, contents).expect("a file can be written");
        }
    }
}

/// Runs a command that must succeed, and gives its standard output.
///
/// # Panics
///
/// If it cannot start or fails, with all it printed.
pub(crate) fn run(command: &mut Command) -> String {
    match try_run(command) {
        Ok(output) => output,
        Err(report) => panic!("{report}"),
    }
}

/// Runs a command; a failure is told with all it printed.
pub(crate) fn try_run(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("{shown} did not start: {error}"))?;
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    if status.success() {
        return Ok(stdout);
    }
    Err(format!("{shown} failed ({status})\n{stdout}\n{}", String::from_utf8_lossy(&stderr)))
}

/// A command as one would type it, without its environment.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    match command.get_current_dir() {
        Some(folder) => format!("`{line}` in {}", folder.display()),
        None => format!("`{line}`"),
    }
}

/// The `cargo` that runs this test.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    for_other_packages(&mut command);
    command
}

/// Prepares a command that runs cargo in another package. What packages have in common is compiled
/// once for all of them; where their own programs go is for `CARGO_TARGET_DIR` to say.
fn for_other_packages(command: &mut Command) {
    // What cargo tells its children about this package is wrong for another one.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
            command.env_remove(name);
        }
    }
    // They are built to be judged, or to run for a moment.
    command.env_remove("CARGO_PROFILE_DEV_OPT_LEVEL");
    command.env("CARGO_BUILD_BUILD_DIR", compiled());
}

/// The folder of all that these packages are compiled to, but for programs.
pub(crate) fn compiled() -> PathBuf {
    target().join("compiled")
}

/// That `cargo`, once all packages in the lock file are there: what only generated packages depend on
/// is not compiled here, so that no build has fetched it. Where there is no network, what is run says
/// what it misses.
pub(crate) fn cargo_with_packages() -> Command {
    static FETCHED: Once = Once::new();
    FETCHED.call_once(|| {
        let _ = try_run(cargo().args(["fetch", "--locked", "--quiet"]).current_dir(root()));
    });
    cargo()
}

/// The command, in a folder.
pub(crate) fn acp_bindgen(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.current_dir(folder);
    command
}

/// `rustfmt` of the toolchain that built this test, if it has one.
pub(crate) fn rustfmt() -> Option<Command> {
    available("rustfmt", || try_run(Command::new("rustfmt").arg("--version")))
        .map(|_| Command::new("rustfmt"))
}

/// What a toolchain check found, or `None` after saying which test is skipped and why.
///
/// # Panics
///
/// If it found nothing and `ACP_BINDGEN_ALL=1` is set.
pub(crate) fn available<T>(tool: &str, check: impl FnOnce() -> Result<T, String>) -> Option<T> {
    match check() {
        Ok(found) => Some(found),
        Err(reason) => {
            let suite = suite();
            assert!(
                std::env::var_os("ACP_BINDGEN_ALL").is_none_or(|value| value != "1"),
                "{suite} needs {tool}, and ACP_BINDGEN_ALL=1 forbids skipping it: {reason}"
            );
            let reason = reason.lines().next().unwrap_or_default();
            // Written past the test harness, which would swallow what a passing test prints.
            let line = format!("\nSKIPPED {suite}: needs {tool} ({reason})\n");
            std::io::stderr().write_all(line.as_bytes()).ok();
            None
        }
    }
}

/// The running test: its binary's name, then its own.
fn suite() -> String {
    let thread = std::thread::current();
    format!("{}::{}", env!("CARGO_CRATE_NAME"), thread.name().unwrap_or("main"))
}
