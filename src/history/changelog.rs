//! Changelogs: the changes from each version to the next.

mod markdown;
mod section;

use std::collections::HashSet;

use indexmap::IndexMap;
use semver::Version as Semver;
use serde::Serialize;

pub use markdown::markdown;
pub use section::Section;

use super::Version;
use crate::breaking::report::{Bump, place, told};
use crate::breaking::{Change, Direction, Level, Report, Subject, Verdict, compare};
use crate::ir::Part;

/// The changes of several versions. Its JSON form is what `changelog --format json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changelog {
    /// The versions, the newest first.
    pub releases: Vec<Release>,
}

/// The changes of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Release {
    /// The version; `None` where it has no name yet.
    pub version: Option<String>,
    /// The day on which it was made, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The version it is compared with.
    pub since: String,
    /// The step in the version that the changes ask for.
    pub bump: Bump,
    /// The next version, where the one before is a version by semver.org.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested: Option<String>,
    /// The changes, section by section.
    pub sections: IndexMap<Section, Vec<Entry>>,
}

/// A line of a changelog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The finding's id, as `diff` has it.
    pub id: String,
    /// The change, in a sentence without a full stop.
    pub text: String,
    /// The directions and the languages that it breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
}

/// Compares each version with the one before it.
pub fn changelog(versions: &[Version]) -> Changelog {
    let mut releases: Vec<Release> = versions
        .windows(2)
        .filter_map(|pair| <&[Version; 2]>::try_from(pair).ok())
        .map(|[old, new]| release(old, new))
        .collect();
    releases.reverse();
    Changelog { releases }
}

fn release(old: &Version, new: &Version) -> Release {
    let [before, after] =
        [old, new].map(|it| Subject { protocol: &it.protocol, document: Some(&it.schema.root) });
    let report = compare(before, after);
    let mut sections: IndexMap<Section, Vec<Entry>> = IndexMap::new();
    let removed = removed_methods(&report);
    for section in Section::ALL {
        let told = report.changes.iter().filter(|change| {
            section::of(change.rule) == Some(section) && !is_told_by_method(change, &removed)
        });
        let entries: Vec<Entry> = told.map(entry).collect();
        if !entries.is_empty() {
            sections.insert(section, entries);
        }
    }
    let bump = report.verdict.suggested;
    Release {
        version: new.version.clone(),
        date: new.date.clone(),
        since: old.label.clone(),
        bump,
        suggested: next(&old.label, bump),
        sections,
    }
}

/// The methods that are gone.
fn removed_methods(report: &Report) -> HashSet<&str> {
    let gone = report.changes.iter().filter(|change| change.rule.id == "method-removed");
    gone.map(|change| change.path.as_str()).collect()
}

/// Tells whether a change is part of another one's line: a type that came or went with what uses
/// it.
fn is_told_by_method(change: &Change, removed: &HashSet<&str>) -> bool {
    match change.rule.id {
        "type-added" => change.level == Level::Info,
        "type-removed" => {
            let mut methods = change.positions.iter().map(|payload| payload.method.as_str());
            !change.positions.is_empty() && methods.all(|method| removed.contains(method))
        }
        _ => false,
    }
}

fn entry(change: &Change) -> Entry {
    let mut text = if change.rule.id == "annotation-only" {
        format!("`{}`", place(&change.ty, &change.path))
    } else {
        told(change)
    };
    if !change.also_types.is_empty() {
        let others: Vec<String> = change.also_types.iter().map(|ty| format!("`{ty}`")).collect();
        text = format!("{text} (also in {})", others.join(", "));
    }
    if let Some(capability) = &change.gated_by {
        text = format!("{text}, if `{capability}`");
    }
    Entry { id: change.id.clone(), text, breaks: breaks(change) }
}

/// The directions and languages in which a change breaks somebody.
fn breaks(change: &Change) -> Vec<String> {
    let mut broken = Vec::new();
    for direction in Direction::BOTH {
        if change.wire.of(direction) != Verdict::Break {
            continue;
        }
        let [sender, receiver] = match direction {
            Direction::OldToNew => ["old", "new"],
            Direction::NewToOld => ["new", "old"],
        };
        let mut ends: Vec<String> = Vec::new();
        for payload in &change.positions {
            let answer = if payload.part == Part::Result { "answers of " } else { "" };
            let end =
                format!("{answer}{sender} {} → {receiver} {}", payload.sender, payload.receiver);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        broken.extend(ends);
    }
    let languages = change.source.languages().into_iter();
    let code = languages.filter(|(_, effect)| effect.is_breaking());
    broken.extend(code.map(|(language, _)| format!("{language} code")));
    broken
}

/// The version after one of semver.org, with or without a `v`. Below 1.0.0 what breaks is a minor
/// step.
fn next(label: &str, bump: Bump) -> Option<String> {
    let (prefix, number) = label.strip_prefix('v').map_or(("", label), |number| ("v", number));
    let Semver { major, minor, patch, .. } = Semver::parse(number).ok()?;
    let next = match (bump, major) {
        (Bump::Major, 0) => Semver::new(0, minor + 1, 0),
        (Bump::Major, _) => Semver::new(major + 1, 0, 0),
        (Bump::Minor, 1..) => Semver::new(major, minor + 1, 0),
        (Bump::Minor | Bump::Patch, _) => Semver::new(major, minor, patch + 1),
    };
    Some(format!("{prefix}{next}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_version_follows_the_last() {
        let next = |label, bump| next(label, bump).unwrap_or_default();
        assert_eq!(next("v1.6.0", Bump::Major), "v2.0.0");
        assert_eq!(next("1.6.2", Bump::Minor), "1.7.0");
        assert_eq!(next("1.6.2", Bump::Patch), "1.6.3");
        assert_eq!(next("0.4.2", Bump::Major), "0.5.0");
        assert_eq!(next("0.4.2", Bump::Minor), "0.4.3");
        assert_eq!(next("main", Bump::Minor), "");
    }
}
