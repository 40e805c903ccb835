//! Showing how the disk differs from what it should be.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use similar::TextDiff;

use super::{Action, Change, MANIFEST, PackagePlan, Plan};
use crate::diagnostic::printable;

/// The most lines of differences that are shown, over all files.
const LINES: usize = 60;

/// The time to look for the shortest difference of a file, before any will do.
const PATIENCE: Duration = Duration::from_secs(1);

/// Describes every difference, with the changed lines of the files while there is room. Empty
/// if there is none.
pub fn check(plan: &Plan<'_>) -> String {
    let mut text = String::new();
    let mut room = LINES;
    for (package, change) in plan.changes() {
        // The list of files differs whenever a file does: not worth a word of its own.
        if change.path == MANIFEST && package.changes.len() > 1 {
            continue;
        }
        let path = package.folder.join(&change.path);
        let path = path.to_string_lossy();
        let what = match change.action {
            Action::Create => "is missing",
            Action::Update { edited: true } => "was edited by hand",
            Action::Update { edited: false } => "is out of date",
            Action::Remove => "is no longer generated",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {what}", printable(&path));
        if matches!(change.action, Action::Update { .. }) && change.path != MANIFEST {
            write_diff(&mut text, package, change, &mut room);
        }
    }
    text
}

fn write_diff(text: &mut String, package: &PackagePlan<'_>, change: &Change, room: &mut usize) {
    if *room == 0 {
        return;
    }
    let Some(wanted) = package.wanted(change) else { return };
    let Ok(found) = fs::read(package.folder.join(&change.path)) else { return };
    let found = String::from_utf8_lossy(&found);
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(found.as_ref(), wanted.as_str());
    let unified = diff.unified_diff().context_radius(2).to_string();
    let mut hidden = 0;
    for line in unified.lines() {
        if *room == 0 {
            hidden += 1;
            continue;
        }
        *room -= 1;
        let _ = writeln!(text, "  {}", printable(line));
    }
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more lines");
    }
}
