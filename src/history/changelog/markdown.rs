//! A changelog as Markdown, in the form of keepachangelog.com.

use std::fmt::Write as _;

use super::{Changelog, Release, Section};
use crate::breaking::report::{left_out, prose};

/// The words before what is broken only where nothing in the schemas softens it.
const ALONE: &str = "by the schemas alone: ";

/// Prints a changelog.
pub fn markdown(changelog: &Changelog) -> String {
    let releases: Vec<String> = changelog.releases.iter().map(release).collect();
    releases.join("\n")
}

fn release(release: &Release) -> String {
    let title = match (&release.version, &release.date) {
        (None, _) => "Unreleased".to_owned(),
        (Some(version), None) => prose(version),
        (Some(version), Some(date)) => format!("{} - {date}", prose(version)),
    };
    let mut out = format!("## {title}\n");
    // Writing to a string cannot fail.
    if release.version.is_none() {
        let since = prose(&release.since);
        let _ = match &release.suggested {
            Some(next) => {
                // Before a release the next version is the same, whatever has changed.
                let early = if next.contains('-') { ", before that is released" } else { "" };
                let bump = release.bump.name();
                writeln!(out, "\nSuggested version after {since}: {next} ({bump}{early}).")
            }
            None => writeln!(out, "\nSuggested step after {since}: {}.", release.bump.name()),
        };
    }
    if release.sections.is_empty() {
        let _ = writeln!(out, "\nNothing that anybody could notice has changed.");
    }
    for (section, entries) in &release.sections {
        let _ = writeln!(out, "\n### {}\n", section.heading());
        if *section == Section::Wording {
            let names: Vec<String> = entries.iter().map(|entry| prose(&entry.text)).collect();
            let _ = writeln!(out, "- {}", names.join(", "));
            continue;
        }
        for entry in entries {
            let breaking = if entry.breaks.is_empty() { "" } else { "**Breaking:** " };
            let _ = write!(out, "- {breaking}{}", prose(&entry.text));
            for (when, broken) in [("", &entry.breaks), (ALONE, &entry.breaks_alone)] {
                if !broken.is_empty() {
                    let _ = write!(out, " ({when}breaks {})", prose(&broken.join(", ")));
                }
            }
            out.push('\n');
        }
    }
    if let Some(left_out) = left_out(release.left_out) {
        let _ = writeln!(out, "\n{left_out}.");
    }
    out
}
