//! A schema in git: its text in a revision, and the revisions that changed it.

use std::process::{Command, Stdio};

use super::{read_limited, too_large};
use crate::diagnostic::{Diagnostic, reason};
use crate::source::MAX_BYTES;

/// Reads a file as a commit has it, from git's object store: nothing is checked out.
pub(super) fn read(name: &str, object: &str) -> Result<Vec<u8>, Diagnostic> {
    const HELP: &str =
        "write `git:REV:PATH`, with PATH from the repository's root, or `./` from this folder";
    let failed = |why: &str| {
        Diagnostic::error("git", format!("cannot read `{name}`: {}", why.trim())).help(HELP)
    };
    if object.starts_with('-') || !object.contains(':') {
        return Err(failed("there is no revision and path in it"));
    }
    let mut git = Command::new("git")
        .args(["cat-file", "blob", object])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("git does not start: {}", reason(&error))))?;
    let bytes = git.stdout.take().map_or_else(|| Ok(Vec::new()), read_limited);
    let bytes = bytes.map_err(|error| failed(&reason(&error)))?;
    if bytes.len() > MAX_BYTES {
        // It waits for someone to read the rest.
        let _ = git.kill();
        let _ = git.wait();
        return Err(too_large(name));
    }
    let output = git.wait_with_output().map_err(|error| failed(&reason(&error)))?;
    if output.status.success() {
        return Ok(bytes);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("git failed");
    Err(failed(said.strip_prefix("fatal: ").unwrap_or(said).trim_end_matches('.')))
}

/// A revision that git knows.
#[cfg(feature = "cli")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revision {
    /// The name by which it was asked for: a tag, a branch, a commit.
    pub(super) name: String,
    /// The day on which it was committed, as `2026-11-22`.
    pub(super) date: String,
}

/// Looks a revision up.
#[cfg(feature = "cli")]
pub(super) fn revision(name: &str) -> Result<Revision, Diagnostic> {
    let date = run(&["log", "-1", "--format=%cs", "--end-of-options", name, "--"])?;
    Ok(Revision { name: name.to_owned(), date: date.trim().to_owned() })
}

/// Tells whether git has an object, such as `main:./schema.json`.
#[cfg(feature = "cli")]
pub(super) fn has(object: &str) -> bool {
    run(&["cat-file", "-e", object]).is_ok()
}

/// The tags after one revision and before another that have a file, in the order of their
/// commits.
#[cfg(feature = "cli")]
pub(super) fn tags_between(old: &str, new: &str) -> Result<Vec<Revision>, Diagnostic> {
    let no_merged = format!("--no-merged={old}");
    let merged = format!("--merged={new}");
    let format = "--format=%(refname:short)%00%(creatordate:short)";
    let out = run(&["tag", "--list", "--sort=creatordate", format, &merged, &no_merged])?;
    Ok(revisions(&out))
}

/// The commits after one revision, up to another, that changed a file, in their order.
#[cfg(feature = "cli")]
pub(super) fn commits_between(
    old: &str,
    new: &str,
    path: &str,
) -> Result<Vec<Revision>, Diagnostic> {
    let range = format!("{old}..{new}");
    let format = "--format=%h%x00%cs";
    let out = run(&["log", "--reverse", format, "--end-of-options", &range, "--", path])?;
    Ok(revisions(&out))
}

/// Reads lines with a name and a day.
#[cfg(feature = "cli")]
fn revisions(out: &str) -> Vec<Revision> {
    let pairs = out.lines().filter_map(|line| line.split_once('\0'));
    pairs.map(|(name, date)| Revision { name: name.to_owned(), date: date.to_owned() }).collect()
}

/// Runs git and returns what it prints.
#[cfg(feature = "cli")]
fn run(arguments: &[&str]) -> Result<String, Diagnostic> {
    let failed = |why: &str| {
        Diagnostic::error(
            "git",
            format!("git {}: {}", arguments.first().unwrap_or(&""), why.trim()),
        )
        .help("is this folder in a git repository that has these revisions?")
    };
    let output = Command::new("git")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("it does not start: {}", reason(&error))))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("it failed");
    Err(failed(said.strip_prefix("fatal: ").unwrap_or(said).trim_end_matches('.')))
}
